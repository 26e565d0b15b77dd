"""Slow, literal transcriptions of the papers. They import nothing of the package."""
