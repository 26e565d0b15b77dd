"""Colours of groups: the first seven can be told apart with any colour vision, names on the map help with the rest."""

from __future__ import annotations

from typing import Any

import numpy as np

COLOURS = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442"),  # Okabe and Ito
    *("#332288", "#882255", "#999933"),  # darker ones by Tol
)
"""Colours of the first groups; further groups begin again with the first."""

GREY = "#BBBBBB"
"""Colour of rows without a group or a value."""

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


def group_colours(codes: Any) -> Any:
    """(n,) the colour of each number of a group; grey for -1."""
    codes = np.asarray(codes)
    return np.where(codes < 0, GREY, np.array(COLOURS)[codes % len(COLOURS)])
