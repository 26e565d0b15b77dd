"""The error for invalid content of a model file."""

from __future__ import annotations

import reprlib
from typing import Any


class InvalidModelError(ValueError):
    """Invalid content of a model file; the message is completed by one that names the file."""


def short_repr(value: Any) -> str:
    """A short representation of any value from a file, for error messages."""
    return reprlib.repr(value)
