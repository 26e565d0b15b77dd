"""Fields of a model file: a class declares in ``saved`` which fitted attributes are stored, and of what kind they are.

A class declares what it adds to its bases. :mod:`anchorgraph.models` reads and writes by these declarations, so that a
file can contain nothing else.

The shape of an array is a string such as ``"m d"``. A letter stands for the same number, at least one, in all arrays of
a model; ``"m-1"`` is one less than ``m``, and ``d`` is the number of features.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

TINY = 0.99e-100
"""Slightly below the smallest bandwidth that a fit accepts."""


@dataclass(frozen=True)
class Floats:
    """An array of finite float32 or float64 values that can be squared and summed without overflow.

    Attributes
    ----------
    shape : str
    double : bool
        Whether the dtype is always float64.
    squared : bool
        Whether the values are squares already, and only need to be finite.
    empty : bool
        Whether letters of the shape can stand for zero.
    """

    shape: str
    double: bool = False
    squared: bool = False
    empty: bool = False


@dataclass(frozen=True)
class Integers:
    """An array of integers, at least ``lowest`` and less than the number that the letter ``below`` stands for."""

    shape: str
    below: str
    dtype: str = "int64"
    lowest: str = "0"


@dataclass(frozen=True)
class Rows:
    """Rows of a fit: a dense array or a CSR array."""

    shape: str


@dataclass(frozen=True)
class Labels:
    """Classes as in y: an array of booleans, numbers or strings, or of objects that are strings."""

    size: str


@dataclass(frozen=True)
class Number:
    """A finite number, greater than ``above`` if that is given, or one of ``words``."""

    above: float | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Integer:
    """An integer.

    Attributes
    ----------
    at_least, at_most : int or str
        Limits: numbers, or letters of the shapes.
    letter : str, optional
        Letter that stands for this number in the fields that follow.
    """

    at_least: int | str = 1
    at_most: int | str = 2**31 - 1
    letter: str | None = None


@dataclass(frozen=True)
class Text:
    """One of ``choices``."""

    choices: tuple[str, ...]


@dataclass(frozen=True)
class Named:
    """One of the values of a dictionary, stored as its key."""

    values: Mapping[str, Any]


@dataclass(frozen=True)
class Optional:
    """``None`` or a value. If it is ``None``, the two letters of ``same`` stand for the same number."""

    field: Field
    same: tuple[str, str] | None = None


@dataclass(frozen=True)
class Record:
    """A frozen dataclass of this package.

    Attributes
    ----------
    kind : type
    fields : mapping
    check : callable, optional
        Returns what is wrong with an object, as the end of a sentence, or ``None``.
    """

    kind: Callable[..., Any]
    fields: Mapping[str, Field]
    check: Callable[[Any], str | None] | None = None


@dataclass(frozen=True)
class Either:
    """One of several records, stored with its name."""

    kinds: Mapping[str, Record]


@dataclass(frozen=True)
class Plain:
    """A parameter: ``None``, a boolean, a number or a string; an array or a record if that is given."""

    array: Floats | None = None
    record: Either | None = None


@dataclass(frozen=True)
class Size:
    """The number that a letter of the shapes stands for; not stored."""

    letter: str


@dataclass(frozen=True)
class Derived:
    """The result of ``make`` for the fields in ``names``; not stored."""

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
    """All fields of an estimator, including those of its bases; what a class declares comes after its bases' fields.

    A field that a class declares anew can therefore be derived from others of that class.
    """
    merged: dict[str, Field] = {}
    for base in reversed(estimator.__mro__):
        own: dict[str, Field] = vars(base).get("saved", {})
        merged = {name: field for name, field in merged.items() if name not in own} | own
    return merged
