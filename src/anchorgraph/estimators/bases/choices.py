"""Parameters that are either a name, which stands for an object with default options, or such an object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERBS = {"anchors": "select", "weighting": "weights", "search": "prepare", "rounding": "round"}
"""The method that an object must have, by the parameter that it is passed as."""


def choice(name: str, value: Any, known: Mapping[str, Any]) -> Any:
    """The object that the value of a parameter stands for.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : str or object
        One of the names, or an object with the method that this parameter requires.
    known : mapping
        Objects with default options, by name.

    Returns
    -------
    object
    """
    if isinstance(value, str) and value in known:
        return known[value]
    verb = VERBS[name]
    if isinstance(value, str | type) or not hasattr(value, verb):
        names = ", ".join(map(repr, known))
        raise ValueError(f"{name} must be one of {names}, or an object with a method {verb!r}; got {value!r}.")
    return value
