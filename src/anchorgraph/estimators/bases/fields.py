"""What of a fitted estimator goes into a model file: its ``saved`` attributes by name, each with the kind that it has.

A class declares what it adds to its bases. Nothing here reads or writes: :mod:`anchorgraph.models` does both by these
declarations, so that a file can hold nothing else.

The shape of an array is a string such as ``"m d"``. A letter stands for the same number in all arrays of a model, and
for one at least; ``"m-1"`` is one less than ``m``, and ``d`` is the number of features.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

TINY = 0.99e-100
"""Below the narrowest bandwidth that a fit accepts."""


@dataclass(frozen=True)
class Floats:
    """An array of float32 or float64, finite, and small enough to be squared and added up.

    Attributes
    ----------
    shape : str
    double : bool
        Whether it is always of float64.
    squared : bool
        Whether the numbers are squares themselves, and need only be finite.
    empty : bool
        Whether letters of the shape may stand for zero.
    """

    shape: str
    double: bool = False
    squared: bool = False
    empty: bool = False


@dataclass(frozen=True)
class Integers:
    """An array of integers from ``lowest`` to below a letter of the shapes."""

    shape: str
    below: str
    dtype: str = "int64"
    lowest: str = "0"


@dataclass(frozen=True)
class Rows:
    """Rows of a fit: an array, or a sparse array by rows."""

    shape: str


@dataclass(frozen=True)
class Labels:
    """Classes as they came in y: an array of booleans, numbers or strings, or of objects that are strings."""

    size: str


@dataclass(frozen=True)
class Number:
    """A finite number above another one, or one of some words."""

    above: float | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Integer:
    """A whole number.

    Attributes
    ----------
    at_least, at_most : int or str
        Or the size that a letter stands for.
    letter : str, optional
        That stands for this number from here on.
    """

    at_least: int | str = 1
    at_most: int | str = 2**31 - 1
    letter: str | None = None


@dataclass(frozen=True)
class Text:
    """One of some words."""

    choices: tuple[str, ...]


@dataclass(frozen=True)
class Named:
    """One of the values of a dictionary, by its key."""

    values: Mapping[str, Any]


@dataclass(frozen=True)
class Optional:
    """``None``, or something. Without it, the two letters of ``same`` stand for the same number."""

    field: Field
    same: tuple[str, str] | None = None


@dataclass(frozen=True)
class Record:
    """A frozen dataclass of ours by its fields.

    Attributes
    ----------
    kind : type
    fields : mapping
    check : callable, optional
        What is wrong with an object, as the end of a sentence, or ``None``.
    """

    kind: Callable[..., Any]
    fields: Mapping[str, Field]
    check: Callable[[Any], str | None] | None = None


@dataclass(frozen=True)
class Either:
    """One of several records, by name."""

    kinds: Mapping[str, Record]


@dataclass(frozen=True)
class Plain:
    """A parameter: ``None``, a boolean, a number or a text; where they are allowed, also an array or a record."""

    array: Floats | None = None
    record: Either | None = None


@dataclass(frozen=True)
class Size:
    """The number that a letter of the shapes stands for. It is not stored."""

    letter: str


@dataclass(frozen=True)
class Derived:
    """What ``make`` returns for other fields, which are named after it. It is not stored."""

    make: Callable[..., Any]
    names: tuple[str, ...] = field(default=())


Field: TypeAlias = (
    Floats
    | Integers
    | Rows
    | Labels
    | Number
    | Integer
    | Text
    | Named
    | Optional
    | Record
    | Either
    | Plain
    | Size
    | Derived
)


def saved_fields(estimator: type) -> dict[str, Field]:
    """All fields of an estimator: those of its bases, and its own."""
    merged: dict[str, Field] = {}
    for base in reversed(estimator.__mro__):
        merged |= vars(base).get("saved", {})
    return merged
