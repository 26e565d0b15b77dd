"""Fields of a fitted object from plain data and arrays that anybody may have written."""

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
from anchorgraph.models.refused import RefusedError, shown
from anchorgraph.models.writing import Arrays

LARGEST = 1e153
"""In arrays: of numbers that are no larger, the square is finite."""

LARGEST_NUMBER = 1e100
"""Of a parameter, as a fit accepts it."""

MOST_CHARACTERS = 2**26
"""In an array of strings, which all take as much room as the longest."""

Scope = Mapping[str, Any]
"""What was read already and may be used to derive the rest."""


class Reading:
    """The arrays of a file that are not used yet, and the sizes that letters of shapes stand for so far."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = dict(arrays)
        self._sizes: dict[str, int] = {}

    def finish(self) -> None:
        """Refuse arrays that no field asked for."""
        if self._arrays:
            raise RefusedError(f"{shown(min(self._arrays))} is an array that no such model has")

    def set_size(self, letter: str, size: int) -> None:
        """Let a letter stand for a number, or refuse another one than it stands for."""
        if self._sizes.setdefault(letter, size) != size:
            raise RefusedError(f"{size} is given for {letter}, which is {self._sizes[letter]} elsewhere")

    def fields(self, fields: Mapping[str, Field], value: Any, name: str, outer: Scope) -> dict[str, Any]:
        """The values of fields: those that are stored, then sizes, then what is derived."""
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
        """What a value in the header stands for."""
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
            raise RefusedError(f"{name} has numbers that are not finite")
        if not field.squared and largest >= np.sqrt(np.finfo(array.dtype).max / max(array.shape[-1], 1)) / 4:
            raise RefusedError(f"{name} has numbers of size {largest:.2g}, whose squares overflow {array.dtype}")
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
            raise RefusedError(f"{name}.indptr does not divide {len(data)} entries into rows")
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
            raise RefusedError(f"{name} has booleans that are neither true nor false")
        if not np.isfinite(array).all():
            raise RefusedError(f"{name} has numbers that are not finite")
        return array

    def _integer(self, field: Integer, value: Any, name: str) -> int:
        lowest, highest = (n if isinstance(n, int) else self._size(n) for n in (field.at_least, field.at_most))
        if type(value) is not int or not lowest <= value <= highest:
            raise RefusedError(f"{name} is {shown(value)}, not an integer from {lowest} to {highest}")
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
        except RefusedError:
            raise
        except ValueError as error:
            raise RefusedError(f"{name} cannot be: {str(error).rstrip('.')}") from error
        if field.check is not None and (wrong := field.check(made)):
            raise RefusedError(f"{name} {wrong}")
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
            raise RefusedError(f"{name} is {shown(value)}, not plain data")
        if _kind(value, kinds, name) == "array" and field.array is not None:
            check_keys(value, ["kind", "values"], name)
            return self._floats(field.array, value["values"], f"{name}.values")
        assert field.record is not None
        return self._either(field.record, value, name, {})

    def _array(self, order: Any, name: str, shape: str, types: tuple[str, ...], *, empty: bool) -> Any:
        """An array of the file, as it was in memory, of one of some types and of the right shape."""
        _choice(("C", "F"), order, name)
        if name not in self._arrays:
            raise RefusedError(f"{name} is missing")
        array = self._arrays.pop(name)
        array = array.T if order == "F" else array
        if str(array.dtype) not in types:
            raise RefusedError(f"{name} is of type {array.dtype}, not {' or '.join(types)}")
        self._check_shape(array.shape, shape.split(), name, empty=empty)
        return array

    def _check_shape(self, found: tuple[int, ...], wanted: list[str], name: str, *, empty: bool) -> None:
        if len(found) == len(wanted):
            for size, part in zip(found, wanted, strict=True):
                if part.isalpha() and (size > 0 or empty):
                    self._sizes.setdefault(part, size)
        expected = tuple(self._sizes.get(part, part) if part.isalpha() else self._size(part) for part in wanted)
        if found != expected:
            raise RefusedError(f"{name} has shape {found}, not ({', '.join(map(str, expected))})")

    def _size(self, expression: str) -> int:
        """The number that ``"m"``, ``"-m"``, ``"m-1"`` or ``"2"`` stands for."""
        if expression.isdigit():
            return int(expression)
        if expression.startswith("-"):
            return -self._size(expression[1:])
        letter, _, less = expression.partition("-")
        return self._sizes[letter] - int(less or 0)


def check_keys(value: Any, keys: list[str], name: str) -> None:
    """Refuse all but an object of JSON with exactly these keys."""
    if not isinstance(value, dict):
        raise RefusedError(f"{name} is {shown(value)}, not an object")
    if missing := [key for key in keys if key not in value]:
        raise RefusedError(f"{name} has no {missing[0]!r}")
    if extra := [key for key in value if key not in keys]:
        raise RefusedError(f"{name} has {shown(extra[0])}, which no such model has")


def _choice(choices: tuple[str, ...], value: Any, name: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise RefusedError(f"{name} is {shown(value)}, not one of {', '.join(choices)}")
    return value


def _kind(value: Any, kinds: tuple[str, ...], name: str) -> str:
    if not isinstance(value, dict):
        raise RefusedError(f"{name} is {shown(value)}, not an object")
    return _choice(kinds, value.get("kind"), f"{name}.kind")


def _number(field: Number, value: Any, name: str) -> float | str:
    if isinstance(value, str) and value in field.words:
        return value
    lowest = -LARGEST_NUMBER if field.above is None else field.above
    if type(value) not in (int, float) or not lowest < value <= LARGEST_NUMBER:
        raise RefusedError(f"{name} is {shown(value)}, not a number above {lowest}")
    number: float = value
    return number


def _plain(value: Any, name: str) -> Any:
    is_number = isinstance(value, int | float) and -LARGEST_NUMBER <= value <= LARGEST_NUMBER
    if value is None or isinstance(value, bool | str) or is_number:
        return value
    raise RefusedError(f"{name} is {shown(value)}, not plain data")


def _texts(kind: str, value: dict[str, Any], name: str) -> Any:
    labels = value["values"]
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) for label in labels):
        raise RefusedError(f"{name} has labels that are not strings")
    if kind == "objects":
        return np.fromiter(labels, dtype=object, count=len(labels))
    if len(labels) * max(map(len, labels)) > MOST_CHARACTERS:
        raise RefusedError(f"{name} has {len(labels)} strings, of which one is too long")
    return np.array(labels, dtype=str)


def _check_range(array: Any, lowest: int, below: int, name: str) -> None:
    if array.size and (array.min() < lowest or array.max() >= below):
        raise RefusedError(f"{name} has numbers that are not from {lowest} to {below - 1}")


def _at_least_one(size: int, name: str) -> int:
    if size < 1:
        raise RefusedError(f"{name} is empty")
    return size
