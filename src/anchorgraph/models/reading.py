"""Read the fields of a fitted object from untrusted JSON data and arrays."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.estimators.bases.fields import (
    Derived,
    Either,
    Field,
    Floats,
    Integer,
    Integers,
    Labels,
    Named,
    Number,
    Optional,
    Plain,
    Record,
    Rows,
    Size,
    Text,
)
from anchorgraph.models.errors import InvalidModelError, short_repr
from anchorgraph.models.writing import PLAIN_DATA, Arrays

MAX_NUMBER = 1e100
"""Largest absolute value of a parameter that ``fit`` accepts."""

MAX_CHARACTERS = 2**26
"""Maximum size of an array of strings, in which every string takes as much memory as the longest."""

Scope = Mapping[str, Any]
"""Fields that have been read, from which others are derived."""


class Reading:
    """The arrays of a file that have not been used, and the values of the letters in shapes found so far."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = dict(arrays)
        self._sizes: dict[str, int] = {}

    def finish(self) -> None:
        """Raise an error if arrays are left that belong to no field."""
        if self._arrays:
            raise InvalidModelError(f"the array {short_repr(min(self._arrays))} does not belong to this model")

    def set_size(self, letter: str, size: int) -> None:
        """Set the value of a letter; raise an error if it has another value already."""
        if self._sizes.setdefault(letter, size) != size:
            raise InvalidModelError(f"the size {letter} is {size} here and {self._sizes[letter]} elsewhere")

    def fields(self, fields: Mapping[str, Field], value: Any, name: str, outer: Scope) -> dict[str, Any]:
        """The values of all fields: stored ones first, then sizes, then derived ones."""
        stored = [key for key, field in fields.items() if not isinstance(field, Size | Derived)]
        check_keys(value, stored, name)
        found: dict[str, Any] = {}
        scope = ChainMap(found, dict(outer))
        for key in stored:
            found[key] = self.read(fields[key], value[key], f"{name}.{key}", scope)
        for key, field in fields.items():
            if isinstance(field, Size):
                found[key] = self._size(field.letter)
        for key, field in fields.items():
            if isinstance(field, Derived):
                found[key] = field.make(*(scope[other] for other in field.names))
        return found

    def read(self, field: Field, value: Any, name: str, scope: Scope) -> Any:
        """The value of a field, given its entry in the header."""
        match field:
            case Floats():
                return self._floats(field, value, name)
            case Integers():
                return self._integers(field, value, name)
            case Rows():
                return self._rows(field, value, name)
            case Labels():
                return self._labels(field, value, name)
            case Number():
                return _number(field, value, name)
            case Integer():
                return self._integer(field, value, name)
            case Text():
                return _choice(field.choices, value, name)
            case Named():
                return field.values[_choice(tuple(field.values), value, name)]
            case Optional():
                return self._optional(field, value, name, scope)
            case Record():
                return self._record(field, value, name, scope)
            case Either():
                return self._either(field, value, name, scope)
            case Plain():
                return self._parameter(field, value, name)
            case _:
                raise TypeError(f"{field} is not stored.")

    def _floats(self, field: Floats, order: Any, name: str) -> Any:
        types = ("float64",) if field.double else ("float32", "float64")
        array = self._array(order, name, field.shape, types, empty=field.empty)
        largest = max(array.max(initial=0), -array.min(initial=0))
        if not np.isfinite(largest):
            raise InvalidModelError(f"{name} contains NaN or infinity")
        if not field.squared and largest >= np.sqrt(np.finfo(array.dtype).max / max(array.shape[-1], 1)) / 4:
            raise InvalidModelError(
                f"{name} has values as large as {largest:.2g}, which overflow {array.dtype} when squared"
            )
        return array

    def _integers(self, field: Integers, order: Any, name: str) -> Any:
        array = self._array(order, name, field.shape, (field.dtype,), empty=False)
        _check_range(array, self._size(field.lowest), self._size(field.below), name)
        return array

    def _rows(self, field: Rows, value: Any, name: str) -> Any:
        if _kind(value, ("dense", "csr"), name) == "dense":
            check_keys(value, ["kind", "values"], name)
            return self._floats(Floats(field.shape), value["values"], f"{name}.values")
        check_keys(value, ["kind", "data", "indices", "indptr"], name)
        rows, columns = field.shape.split()
        starts = self._array(value["indptr"], f"{name}.indptr", "starts", ("int32", "int64"), empty=False)
        self.set_size(rows, _at_least_one(len(starts) - 1, name))
        data = self._floats(Floats("entries", empty=True), value["data"], f"{name}.data")
        indices = self._array(value["indices"], f"{name}.indices", "entries", (str(starts.dtype),), empty=True)
        _check_range(indices, 0, self._size(columns), f"{name}.indices")
        if starts[0] != 0 or starts[-1] != len(data) or (starts[1:] < starts[:-1]).any():
            raise InvalidModelError(f"{name}.indptr does not increase from 0 to {len(data)}, the number of entries")
        return sparse.csr_array((data, indices, starts), shape=(self._size(rows), self._size(columns)))

    def _labels(self, field: Labels, value: Any, name: str) -> Any:
        kind = _kind(value, ("array", "text", "objects"), name)
        check_keys(value, ["kind", "values"], name)
        labels = self._numbers(value["values"], name, field.size) if kind == "array" else _texts(kind, value, name)
        self.set_size(field.size, _at_least_one(len(labels), name))
        return labels

    def _numbers(self, order: Any, name: str, size: str) -> Any:
        whole = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
        array = self._array(order, f"{name}.values", size, ("bool", "float32", "float64", *whole), empty=False)
        if array.dtype == bool and (array.view(np.uint8) > 1).any():
            raise InvalidModelError(f"{name} has bytes other than 0 and 1 as booleans")
        if not np.isfinite(array).all():
            raise InvalidModelError(f"{name} contains NaN or infinity")
        return array

    def _integer(self, field: Integer, value: Any, name: str) -> int:
        lowest, highest = (n if isinstance(n, int) else self._size(n) for n in (field.at_least, field.at_most))
        if type(value) is not int or not lowest <= value <= highest:
            raise InvalidModelError(f"{name} must be an integer from {lowest} to {highest}; got {short_repr(value)}")
        if field.letter is not None:
            self.set_size(field.letter, value)
        return value

    def _optional(self, field: Optional, value: Any, name: str, scope: Scope) -> Any:
        if value is not None:
            return self.read(field.field, value, name, scope)
        if field.same is not None:
            self.set_size(field.same[0], self._size(field.same[1]))
        return None

    def _record(self, field: Record, value: Any, name: str, scope: Scope) -> Any:
        parts = self.fields(field.fields, value, name, scope)
        try:
            made = field.kind(**parts)
        except InvalidModelError:
            raise
        except ValueError as error:
            raise InvalidModelError(f"{name} is invalid: {str(error).rstrip('.')}") from error
        if field.check is not None and (wrong := field.check(made)):
            raise InvalidModelError(f"{name} {wrong}")
        return made

    def _either(self, field: Either, value: Any, name: str, scope: Scope) -> Any:
        kind = _kind(value, tuple(field.kinds), name)
        rest = {key: part for key, part in value.items() if key != "kind"}
        return self._record(field.kinds[kind], rest, name, scope)

    def _parameter(self, field: Plain, value: Any, name: str) -> Any:
        if not isinstance(value, dict):
            return _plain(value, name)
        kinds = ("array",) * (field.array is not None) + tuple(field.record.kinds if field.record is not None else ())
        if not kinds:
            raise InvalidModelError(f"{name} must be {PLAIN_DATA}; got {short_repr(value)}")
        if _kind(value, kinds, name) == "array" and field.array is not None:
            check_keys(value, ["kind", "values"], name)
            return self._floats(field.array, value["values"], f"{name}.values")
        assert field.record is not None
        return self._either(field.record, value, name, {})

    def _array(self, order: Any, name: str, shape: str, types: tuple[str, ...], *, empty: bool) -> Any:
        """An array of the file in its original memory order, after a check of its type and shape."""
        _choice(("C", "F"), order, name)
        if name not in self._arrays:
            raise InvalidModelError(f"{name} is missing")
        array = self._arrays.pop(name)
        array = array.T if order == "F" else array
        if str(array.dtype) not in types:
            raise InvalidModelError(f"{name} has type {array.dtype}, not {' or '.join(types)}")
        self._check_shape(array.shape, shape.split(), name, empty=empty)
        return array

    def _check_shape(self, found: tuple[int, ...], wanted: list[str], name: str, *, empty: bool) -> None:
        if len(found) == len(wanted):
            for size, part in zip(found, wanted, strict=True):
                if part.isalpha() and (size > 0 or empty):
                    self._sizes.setdefault(part, size)
        expected = tuple(self._sizes.get(part, part) if part.isalpha() else self._size(part) for part in wanted)
        if found != expected:
            raise InvalidModelError(f"{name} has shape {found}, not ({', '.join(map(str, expected))})")

    def _size(self, expression: str) -> int:
        """The value of ``"m"``, ``"-m"``, ``"m-1"`` or ``"2"``."""
        if expression.isdigit():
            return int(expression)
        if expression.startswith("-"):
            return -self._size(expression[1:])
        letter, _, less = expression.partition("-")
        return self._sizes[letter] - int(less or 0)


def check_keys(value: Any, keys: list[str], name: str) -> None:
    """Raise an error unless a value is a JSON object with exactly these keys."""
    if not isinstance(value, dict):
        raise InvalidModelError(f"{name} must be an object; got {short_repr(value)}")
    if missing := [key for key in keys if key not in value]:
        raise InvalidModelError(f"{name} has no {missing[0]!r}")
    if extra := [key for key in value if key not in keys]:
        raise InvalidModelError(f"{name} has {short_repr(extra[0])}, which does not belong to this model")


def _choice(choices: tuple[str, ...], value: Any, name: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise InvalidModelError(f"{name} must be one of {', '.join(choices)}; got {short_repr(value)}")
    return value


def _kind(value: Any, kinds: tuple[str, ...], name: str) -> str:
    if not isinstance(value, dict):
        raise InvalidModelError(f"{name} must be an object; got {short_repr(value)}")
    return _choice(kinds, value.get("kind"), f"{name}.kind")


def _number(field: Number, value: Any, name: str) -> float | str:
    if isinstance(value, str) and value in field.words:
        return value
    lowest = -MAX_NUMBER if field.above is None else field.above
    if type(value) not in (int, float) or not lowest < value <= MAX_NUMBER:
        raise InvalidModelError(
            f"{name} must be a number above {lowest}, at most {MAX_NUMBER}; got {short_repr(value)}"
        )
    number: float = value
    return number


def _plain(value: Any, name: str) -> Any:
    is_number = isinstance(value, int | float) and -MAX_NUMBER <= value <= MAX_NUMBER
    if value is None or isinstance(value, bool | str) or is_number:
        return value
    raise InvalidModelError(f"{name} must be {PLAIN_DATA}; got {short_repr(value)}")


def _texts(kind: str, value: dict[str, Any], name: str) -> Any:
    labels = value["values"]
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) for label in labels):
        raise InvalidModelError(f"{name} must be a list of strings, at least one")
    if kind == "objects":
        return np.fromiter(labels, dtype=object, count=len(labels))
    if len(labels) * max(map(len, labels)) > MAX_CHARACTERS:
        raise InvalidModelError(f"{name} has {len(labels)} strings, of which one is too long for an array")
    return np.array(labels, dtype=str)


def _check_range(array: Any, lowest: int, below: int, name: str) -> None:
    if array.size and (array.min() < lowest or array.max() >= below):
        raise InvalidModelError(f"{name} has values outside [{lowest}, {below - 1}]")


def _at_least_one(size: int, name: str) -> int:
    if size < 1:
        raise InvalidModelError(f"{name} is empty")
    return size
