"""A map of rows as text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

WIDTH, HEIGHT = 76, 24
"""Characters and lines; characters are twice as high as they are wide."""
COLOURS = (33, 208, 70, 160, 134, 94, 205, 102, 142, 37)
"""Of a terminal with 256 colours, legible on light and dark."""


def text_map(positions: NDArray[Any], digits: NDArray[Any], clusters: NDArray[Any]) -> Text:
    """A character for each place of a map: the digit of most rows there, in the colour of the cluster of most rows.

    Parameters
    ----------
    positions : (n, 2) floats
    digits : (n,) integers from 0 to 9
    clusters : (n,) integers from 0

    Returns
    -------
    Text
    """
    low, high = positions.min(0), positions.max(0)
    column, line = ((positions - low) / np.maximum(high - low, 1e-9) * (WIDTH - 1, HEIGHT - 1)).round().astype(int).T
    place = (HEIGHT - 1 - line) * WIDTH + column
    found = Text(no_wrap=True)
    for number in range(WIDTH * HEIGHT):
        here = place == number
        if here.any():
            cluster = np.bincount(clusters[here]).argmax()
            found.append(str(np.bincount(digits[here]).argmax()), f"color({COLOURS[cluster % len(COLOURS)]})")
        else:
            found.append(" ")
        if number % WIDTH == WIDTH - 1:
            found.append("\n")
    return found
