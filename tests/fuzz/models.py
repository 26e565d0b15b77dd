"""Model files that are damaged: by accident, or by somebody who knows the format."""

from __future__ import annotations

import copy
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph import load, save
from fitted_models import NEW_ROWS, UNFITTED, fitted, misuse

NASTY_NUMBERS = [0, -1, 1, 2, 3, 2**31 - 1, 2**31, 2**63, 10**30, 0.5, -0.5, 1e-320, 1e-160, 1e150, 1e308, 1 / 3]
NASTY_WORDS = ["", "F", "C", "kind", "tree", "exact", "local", "mean", "rbf", "chi2", "poly", "objects", "csr", "\0"]


def case(seed: int) -> tuple[str, Callable[[Path], str | None]]:
    """The name of a case, such as "fsc, bits flipped", and what it does in an empty folder.

    It saves a small model, damages the file, loads it and uses it on a few rows; it returns what is silently wrong, or
    None. All randomness follows from the seed.
    """
    rng = np.random.default_rng(seed)
    name = str(rng.choice(list(UNFITTED)))
    words, damage = DAMAGES[rng.integers(len(DAMAGES))]

    def run(folder: Path) -> str | None:
        path = folder / "model.safetensors"
        save(fitted(name), path)
        path.write_bytes(damage(path.read_bytes(), rng))
        return misuse(load(path), NEW_ROWS)

    return f"{name}, {words}", run


def is_clear(error: BaseException) -> bool:
    """Whether an exception is a refusal of one sentence, which names the file."""
    said = str(error)
    return isinstance(error, ValueError) and "model.safetensors" in said and said.endswith(".") and "\n" not in said


def flip_bits(data: bytes, rng: np.random.Generator) -> bytes:
    damaged = bytearray(data)
    for _ in range(rng.integers(1, 9)):
        damaged[rng.integers(len(damaged))] ^= 1 << rng.integers(8)
    return bytes(damaged)


def flip_bits_of_arrays(data: bytes, rng: np.random.Generator) -> bytes:
    start = 8 + header_size(data)
    return data[:start] + flip_bits(data[start:], rng)


def flip_bits_of_header(data: bytes, rng: np.random.Generator) -> bytes:
    start = 8 + header_size(data)
    return data[:8] + flip_bits(data[8:start], rng) + data[start:]


def cut(data: bytes, rng: np.random.Generator) -> bytes:
    return data[: rng.integers(len(data))]


def lengthen(data: bytes, rng: np.random.Generator) -> bytes:
    return data + rng.bytes(int(rng.integers(1, 100)))


def shuffle_blocks(data: bytes, rng: np.random.Generator) -> bytes:
    size = int(rng.integers(1, 200))
    blocks = [data[start : start + size] for start in range(0, len(data), size)]
    return b"".join(blocks[i] for i in rng.permutation(len(blocks)))


def edit_header(data: bytes, rng: np.random.Generator) -> bytes:
    """Change, move or remove some values of the header."""
    outer, header, arrays = parts(data)
    for _ in range(rng.integers(1, 4)):
        holder, key = some_place(header, rng)
        match rng.integers(5):
            case 0:
                holder[key] = NASTY_NUMBERS[rng.integers(len(NASTY_NUMBERS))]
            case 1:
                holder[key] = NASTY_WORDS[rng.integers(len(NASTY_WORDS))]
            case 2:
                other, which = some_place(header, rng)
                holder[key] = copy.deepcopy(other[which])
            case 3:
                holder[key] = [None, True, [], {}, [holder[key]], {"kind": holder[key]}][rng.integers(6)]
            case 4 if isinstance(holder, dict):
                holder[str(rng.choice(NASTY_WORDS))] = holder.pop(key)
    return whole(outer, header, arrays)


def edit_array(data: bytes, rng: np.random.Generator) -> bytes:
    """Give some entries of an array other values of the same type."""
    outer, header, arrays = parts(data)
    name = str(rng.choice(sorted(arrays)))
    array = arrays[name]
    for _ in range(rng.integers(1, 5)):
        if array.size:
            values = (
                [0, 1, -1, 1e150, -1e150, 1e-300, 1e30, array.flat[-1]] if array.dtype.kind == "f" else [0, 1, 3, 7]
            )
            with np.errstate(over="ignore"):
                array.flat[rng.integers(array.size)] = np.array(values).astype(array.dtype)[rng.integers(len(values))]
    return whole(outer, header, arrays)


def reshape_arrays(data: bytes, rng: np.random.Generator) -> bytes:
    """Make arrays longer, shorter, transposed or of another type."""
    outer, header, arrays = parts(data)
    letters = {size for array in arrays.values() for size in array.shape}
    size = int(rng.choice(sorted(letters)))
    wanted = max(size + int(rng.integers(-2, 3)), 0)
    for name, array in arrays.items():
        if rng.random() < 0.9:  # the same size in all arrays, or nearly
            for axis, found in enumerate(array.shape):
                if found == size and found:
                    array = np.take(array, np.arange(wanted) % found, axis=axis)
        if rng.random() < 0.05:
            array = array.T
        if rng.random() < 0.05:
            array = array.astype(rng.choice(["float32", "float64", "int32", "int64", "bool"]))
        arrays[name] = np.ascontiguousarray(array)
    return whole(outer, header, arrays)


def exchange_arrays(data: bytes, rng: np.random.Generator) -> bytes:
    outer, header, arrays = parts(data)
    one, other = (str(name) for name in rng.choice(sorted(arrays), 2))
    arrays[one], arrays[other] = arrays[other], arrays[one]
    if rng.random() < 0.2:
        del arrays[one]
    return whole(outer, header, arrays)


DAMAGES = [
    ("bits flipped", flip_bits),
    ("bits of arrays flipped", flip_bits_of_arrays),
    ("bits of the header flipped", flip_bits_of_header),
    ("cut", cut),
    ("lengthened", lengthen),
    ("blocks shuffled", shuffle_blocks),
    ("header edited", edit_header),
    ("array edited", edit_array),
    ("arrays reshaped", reshape_arrays),
    ("arrays exchanged", exchange_arrays),
]

TYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "|u1", "I8": "|i1", "BOOL": "|b1"}


def header_size(data: bytes) -> int:
    (size,) = struct.unpack("<Q", data[:8])
    return int(size)


def parts(data: bytes) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The header of the format without its arrays, the header of ours, and the arrays: read without the library."""
    start = 8 + header_size(data)
    outer = json.loads(data[8:start])
    header = json.loads(outer.pop("__metadata__")["anchorgraph"])
    arrays = {}
    for name, told in outer.items():
        first, last = told["data_offsets"]
        values = np.frombuffer(data[start + first : start + last], TYPES[told["dtype"]])
        arrays[name] = values.reshape(told["shape"]).copy()
    return outer, header, arrays


def whole(outer: dict[str, Any], header: dict[str, Any], arrays: dict[str, Any]) -> bytes:
    """A file of the format, whatever is in it."""
    kinds = {np.dtype(dtype): kind for kind, dtype in TYPES.items()}
    told: dict[str, Any] = {"__metadata__": {"anchorgraph": json.dumps(header)}}
    body = b""
    for name, array in arrays.items():
        offsets = [len(body), len(body) + array.nbytes]
        told[name] = {"dtype": kinds[array.dtype], "shape": list(array.shape), "data_offsets": offsets}
        body += array.tobytes()
    text = json.dumps(told).encode()
    return struct.pack("<Q", len(text)) + text + body


def some_place(header: dict[str, Any], rng: np.random.Generator) -> tuple[Any, Any]:
    """Something in the header that has parts, and the key of one of them."""
    found: list[tuple[Any, Any]] = []

    def look(thing: Any) -> None:
        keys = list(thing) if isinstance(thing, dict) else range(len(thing)) if isinstance(thing, list) else []
        for key in keys:
            found.append((thing, key))
            look(thing[key])

    look(header)
    return found[rng.integers(len(found))]
