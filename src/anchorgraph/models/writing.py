"""Convert the fields of a fitted object to JSON types and arrays."""

from __future__ import annotations

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
from anchorgraph.models.errors import InvalidModelError

Arrays = dict[str, Any]
"""Arrays by their name in the file: the names of the fields that lead to them, joined by dots."""

PLAIN_DATA = "a number, a string, a boolean or None"


def write_fields(fields: Mapping[str, Field], owner: Any, name: str, arrays: Arrays) -> dict[str, Any]:
    """The stored attributes of an object as JSON types; their arrays are added to ``arrays``."""
    written = {}
    for key, field in fields.items():
        if not isinstance(field, Size | Derived):
            if not hasattr(owner, key):
                raise InvalidModelError(f"{name} has no {key}")
            written[key] = write(field, getattr(owner, key), f"{name}.{key}", arrays)
    return written


def write(field: Field, value: Any, name: str, arrays: Arrays) -> Any:
    """The entry of a value in the header; its arrays are added to ``arrays``."""
    match field:
        case Floats() | Integers():
            return _add_array(value, name, arrays)
        case Rows():
            return _write_rows(value, name, arrays)
        case Labels():
            return _write_labels(np.asarray(value), name, arrays)
        case Number() | Integer() | Text():
            return plain(value, name)
        case Named():
            return next(key for key, known in field.values.items() if known is value)
        case Optional():
            return None if value is None else write(field.field, value, name, arrays)
        case Record():
            return write_fields(field.fields, value, name, arrays)
        case Either():
            return _write_record(field, value, name, arrays)
        case Plain():
            return _write_parameter(field, value, name, arrays)
        case _:
            raise TypeError(f"{field} is not stored.")


def _write_record(field: Either, value: Any, name: str, arrays: Arrays) -> dict[str, Any]:
    kinds = {record.kind: kind for kind, record in field.kinds.items()}
    if type(value) not in kinds:
        raise InvalidModelError(
            f"{name} must be one of {', '.join(field.kinds)}; got an object of type {type(value).__name__}"
        )
    kind = kinds[type(value)]
    return {"kind": kind, **write_fields(field.kinds[kind].fields, value, name, arrays)}


def plain(value: Any, name: str) -> Any:
    """Convert a Python or NumPy scalar to a JSON type."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise InvalidModelError(f"{name} must be {PLAIN_DATA} to be saved; got an object of type {type(value).__name__}")


def _add_array(value: Any, name: str, arrays: Arrays) -> str:
    """Add an array and return its memory order, which affects the rounding of its products."""
    array = np.asarray(value)
    array = array.astype(array.dtype.newbyteorder("="), order="K", copy=not array.flags.forc)
    in_columns = array.flags.f_contiguous and not array.flags.c_contiguous
    arrays[name] = array.T if in_columns else np.ascontiguousarray(array)
    return "F" if in_columns else "C"


def _write_rows(rows: Any, name: str, arrays: Arrays) -> dict[str, Any]:
    if not sparse.issparse(rows):
        return {"kind": "dense", "values": _add_array(rows, f"{name}.values", arrays)}
    parts = {key: _add_array(getattr(rows, key), f"{name}.{key}", arrays) for key in ("data", "indices", "indptr")}
    return {"kind": "csr", **parts}


def _write_labels(labels: Any, name: str, arrays: Arrays) -> dict[str, Any]:
    if labels.dtype.kind in "biuf":
        return {"kind": "array", "values": _add_array(labels, f"{name}.values", arrays)}
    if labels.dtype.kind not in "UO":
        raise InvalidModelError(f"{name} has labels of type {labels.dtype}; only numbers and strings can be saved")
    kind = "text" if labels.dtype.kind == "U" else "objects"
    return {"kind": kind, "values": [plain(label, name) for label in labels.tolist()]}


def _write_parameter(field: Plain, value: Any, name: str, arrays: Arrays) -> Any:
    if field.array is not None and isinstance(value, np.ndarray):
        return {"kind": "array", "values": _add_array(value, f"{name}.values", arrays)}
    if field.record is not None and not isinstance(value, str):
        return _write_record(field.record, value, name, arrays)
    return plain(value, name)
