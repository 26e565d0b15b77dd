"""Base classes and functions that the methods share; each method puts them together in its own ``fit``."""
