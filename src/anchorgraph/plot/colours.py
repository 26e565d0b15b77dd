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

NO_GROUP = -1
"""Label of rows that are in no cluster."""


def split_groups(labels: Any) -> tuple[Any, Any]:
    """The names of groups in sorted order, and the number of each row's group: -1 for ``NO_GROUP``, which has no name.

    Parameters
    ----------
    labels : (n,) ndarray

    Returns
    -------
    names : (g,) ndarray
    codes : (n,) ndarray of int
    """
    names, codes = np.unique(labels, return_inverse=True)
    if names.size and np.issubdtype(names.dtype, np.number) and names[0] == NO_GROUP:
        return names[1:], codes - 1
    return names, codes


def group_colour(number: int) -> str:
    """The colour of the group with this number; grey for -1."""
    if number < 0:
        return GREY
    if number < len(COLOURS):
        return COLOURS[number]
    rgb = colorsys.hls_to_rgb((number * GOLDEN_TURN) % 1, 0.42 + 0.07 * (number % 3), 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


def group_colours(codes: Any) -> Any:
    """(n,) the colour of each number of a group."""
    numbers, place = np.unique(np.asarray(codes), return_inverse=True)
    return np.array([group_colour(int(number)) for number in numbers])[place]
