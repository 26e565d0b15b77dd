"""Colours of groups, the same in figures and reports: the first seven can be told apart with any colour vision."""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np

COLOURS = (
    *("#0077bb", "#ee7733", "#009988", "#cc3311", "#33a5d6", "#ee3377", "#8a8000"),
    *("#aa4499", "#4c9a2a", "#8c6d5a", "#7b6fe0", "#d9a400"),
)
"""Colours of the first groups, which are seen on light and dark ground."""

GREY = "#8d9298"
"""Colour of rows without a group or a value."""

GOLDEN_TURN = 0.381966
"""Steps of this part of the colour circle, for further groups, never meet again."""

MAIN, MARKED = COLOURS[0], COLOURS[3]
"""Colours of what is drawn alone, and of what is pointed out in it."""


def group_colour(number: int) -> str:
    """The colour of the group with this number; grey for -1."""
    if number < 0:
        return GREY
    if number < len(COLOURS):
        return COLOURS[number]
    rgb = colorsys.hls_to_rgb((number * GOLDEN_TURN) % 1, 0.42 + 0.07 * (number % 3), 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


def name_colours(names: Any) -> Any:
    """(g + 1,) the colours of groups, then grey: a row's number of its group, or -1, is its index.

    A group whose name is an integer has the colour of this number, so that no other label changes it.

    Parameters
    ----------
    names : (g,) array-like
    """
    names = np.asarray(names)
    are_numbers = names.dtype.kind in "iu" and names.size and names.min() >= 0
    numbers = names if are_numbers else range(len(names))
    return np.array([*(group_colour(int(number)) for number in numbers), GREY])
