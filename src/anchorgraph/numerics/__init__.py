"""Numerical building blocks that do not depend on any method: threads, distances, selection, eigenpairs."""
