"""Parameters that are a name, short for a choice with its defaults, or the choice itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERBS = {"anchors": "select", "weighting": "weights", "search": "prepare", "rounding": "round"}
"""What a choice can do, by the parameter that it is passed as."""


def choice(name: str, value: Any, known: Mapping[str, Any]) -> Any:
    """The choice that a parameter stands for.

    Parameters
    ----------
    name : str
        Of the parameter.
    value : str, or an object with the verb of such a choice
    known : mapping
        Choices with their defaults, by name.
    """
    if isinstance(value, str) and value in known:
        return known[value]
    verb = VERBS[name]
    if isinstance(value, str | type) or not hasattr(value, verb):
        names = ", ".join(map(repr, known))
        raise ValueError(f"{name} must be one of {names}, or an object with a method {verb!r}; got {value!r}.")
    return value
