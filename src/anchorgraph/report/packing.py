"""Arrays as text, for the data of a page: numbers in a few bytes each, not in digits."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, Integers

NONE = np.iinfo(np.uint16).max
"""Stands for a missing number."""


def pack(array: Integers) -> dict[str, str]:
    """Unsigned integers as base64, little-endian, with the name of their type; :func:`unpack` is the way back."""
    plain = array.astype(array.dtype.newbyteorder("<"))
    return {"type": array.dtype.name, "data": base64.b64encode(plain.tobytes()).decode()}


def unpack(packed: dict[str, str]) -> Integers:
    """The array that was packed."""
    dtype = np.dtype(packed["type"]).newbyteorder("<")
    array: Integers = np.frombuffer(base64.b64decode(packed["data"]), dtype).astype(packed["type"])
    return array


def pack_codes(codes: Integers) -> dict[str, str]:
    """Numbers of groups in two bytes each, or in four if there are very many; -1 becomes the largest number."""
    dtype = np.uint16 if codes.max(initial=0) < NONE else np.uint32
    return pack(np.where(codes < 0, np.iinfo(dtype).max, codes).astype(dtype))


def pack_numbers(values: Floats) -> dict[str, Any]:
    """Numbers in two bytes each, as steps from the smallest (``low``) to the largest (``high``); NaN is :data:`NONE`.

    Where numbers are whole, the page can round what it reads: they are exact up to a range of 65,534.
    """
    known = values[np.isfinite(values)].astype(np.float64)
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    steps = np.full(len(values), NONE, dtype=np.uint16)
    scaled = (known - low) / ((high - low) or 1.0) * (NONE - 1)
    steps[np.isfinite(values)] = np.round(scaled).astype(np.uint16)
    return {"steps": pack(steps), "low": low, "high": high, "whole": bool((known == np.round(known)).all())}


def unpack_numbers(packed: dict[str, Any]) -> Floats:
    """The numbers that were packed, to the size of a step."""
    steps = unpack(packed["steps"])
    values: Floats = packed["low"] + steps * ((packed["high"] - packed["low"]) / (NONE - 1))
    return np.where(steps == NONE, np.nan, np.round(values) if packed["whole"] else values)
