"""Cases that try to break the package."""
