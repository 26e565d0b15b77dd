"""Rows as images: PNG files in the text of a page."""

from __future__ import annotations

import base64
import math
import operator
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from anchorgraph.contracts import Block, Floats
from anchorgraph.numerics.blocks import dense
from anchorgraph.report.packing import pack
from anchorgraph.table import count

MOST_PIXELS = 64
"""Larger images are shown with every second, third, … pixel in each direction."""

MAX_BYTES = 4_000_000
"""Of the pictures of all rows on the map."""

COLOUR_TYPES = {1: 0, 3: 2}
"""PNG's numbers for grey and for red, green and blue."""


def check_image(shape: Sequence[int], n_columns: int) -> tuple[int, int, int]:
    """Height, width and number of colours of images, checked against the number of columns.

    Parameters
    ----------
    shape : sequence of int
        (height, width), or (height, width, 3) for red, green and blue.
    n_columns : int

    Returns
    -------
    tuple of int
    """
    try:
        sides = tuple(operator.index(side) for side in shape)
    except TypeError:  # a single number, a text or fractions
        sides, text = (), repr(shape)
    else:
        text = "x".join(map(str, sides))
    if len(sides) not in (2, 3) or min(sides) < 1 or sides[2:] not in ((), (1,), (3,)):
        raise ValueError(f"image must be height x width, or height x width x 3; got {text}.")
    height, width, n_colours = (*sides, 1)[:3]
    if height * width * n_colours != n_columns:
        raise ValueError(
            f"image {text} has {count(height * width * n_colours, 'value')}, but rows have "
            f"{count(n_columns, 'column')}."
        )
    return height, width, n_colours


@dataclass(frozen=True)
class Images:
    """Images of one shape, whose values from ``low`` to ``high`` are drawn from black to white."""

    shape: tuple[int, int, int]
    low: float
    high: float

    @classmethod
    def of(cls, values: Block, shape: tuple[int, int, int]) -> Images:
        """Images of a shape, from the smallest to the largest of some values."""
        known = values.data if sparse.issparse(values) else values
        return cls(shape, float(np.nanmin(known, initial=0)), float(np.nanmax(known, initial=0)))

    def picture(self, row: Floats) -> str:
        """A row as a picture, the address of an ``<img>``."""
        return _as_address(self._light(self._thumbnail(row)))

    def pictures(self, values: Block) -> dict[str, Any] | None:
        """Many rows as pictures, a byte for each pixel and colour, of half the height and width if these are too many.

        Returns
        -------
        dict or None
            ``shape`` of a picture, and ``pixels``, packed. None if these are still too many.
        """
        n_rows, (height, width, n_colours) = values.shape[0], self.shape
        for step in (1, 2):
            shape = (-(-height // step), -(-width // step), n_colours)
            if n_rows * math.prod(shape) <= MAX_BYTES:
                images = dense(values).reshape(-1, *self.shape)[:, ::step, ::step]
                return {"shape": list(shape), "pixels": pack(_as_bytes(self._light(images)).ravel())}
        return None

    def difference(self, row: Floats) -> str:
        """A row of differences as a picture: blue where it is smaller, orange where it is larger."""
        light = self._thumbnail(row / (np.abs(row).max() or 1)).mean(axis=2, keepdims=True)
        ends = np.where(light > 0, [0.93, 0.45, 0.1], [0.1, 0.45, 0.8])
        return _as_address(1 + np.abs(light) * (ends - 1))

    def _light(self, values: Floats) -> Floats:
        """Values as numbers from 0 to 1; missing ones are 0."""
        light: Floats = np.clip(np.nan_to_num((values - self.low) / ((self.high - self.low) or 1)), 0, 1)
        return light

    def _thumbnail(self, row: Floats) -> Floats:
        step = -(-max(self.shape[:2]) // MOST_PIXELS)
        return row.reshape(self.shape)[::step, ::step]


def column_name(shape: tuple[int, int, int], column: int) -> str:
    """The name of a column of images: its pixel, from the top and from the left, and its colour."""
    row, pixel, colour = (int(part) for part in np.unravel_index(column, shape))
    return f"pixel {row},{pixel}" + (f" {'rgb'[colour]}" if shape[2] == 3 else "")


def _as_address(image: Floats) -> str:
    """(h, w, 1 or 3) numbers from 0 to 1 as the address of a PNG file."""
    pixels = _as_bytes(image)
    height, width, n_colours = pixels.shape
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)  # 0: not filtered
    parts = [
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPES[n_colours], 0, 0, 0)),
        _chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)),
        _chunk(b"IEND", b""),
    ]
    return "data:image/png;base64," + base64.b64encode(b"".join(parts)).decode()


def _as_bytes(light: Floats) -> NDArray[np.uint8]:
    pixels: NDArray[np.uint8] = np.round(light * 255).astype(np.uint8)
    return pixels


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
