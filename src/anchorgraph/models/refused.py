"""What is wrong with the content of a model file."""

from __future__ import annotations

import reprlib
from typing import Any


class RefusedError(ValueError):
    """Content that is no model, as a part of a sentence that names the file."""


def shown(value: Any) -> str:
    """A value from a file in such a sentence: of any depth and length, and still a few words."""
    return reprlib.repr(value)
