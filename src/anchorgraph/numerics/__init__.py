"""Arithmetic that knows nothing of methods: threads, centred products, selection, eigenpairs."""
