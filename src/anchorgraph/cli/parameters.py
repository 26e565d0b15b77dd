"""The parameters of a method, read from the docstring of its class."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method, with its default, its type and the first sentence of its description."""

    name: str
    default: Any
    values: str
    what: str


def parameters_of(method: type) -> list[Parameter]:
    """The parameters of a method in the order of its signature.

    Parameters
    ----------
    method : type
        The class of an estimator, with a numpydoc docstring.

    Returns
    -------
    list of Parameter
    """
    entries = _entries(inspect.getdoc(method) or "")
    return [
        Parameter(name, parameter.default, *entries.get(name, ("", "")))
        for name, parameter in inspect.signature(method).parameters.items()
    ]


def _entries(doc: str) -> dict[str, tuple[str, str]]:
    """Type and first sentence of each parameter, from the section ``Parameters`` of a docstring."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", doc, flags=re.DOTALL | re.MULTILINE)
    parts = re.split(r"^(\w+) : (.*)\n", section[1] if section else "", flags=re.MULTILINE)[1:]
    entries = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return {name: (re.sub(r", default=.*", "", kind), _first_sentence(text)) for name, kind, text in entries}


def _first_sentence(text: str) -> str:
    words = " ".join(text.split())
    plain = re.sub(r":\w+:`~?([^`]*)`|``([^`]*)``", lambda found: found[1] or found[2], words)
    return re.split(r"(?<=[.:]) (?=[A-Z\d])", plain, maxsplit=1)[0]
