"""Groups of rows: their names, and the number of each row's group."""

from __future__ import annotations

from typing import Any

import numpy as np

NO_GROUP = -1
"""Label of rows that are in no cluster."""


def known_values(values: Any) -> tuple[Any, Any]:
    """The values that are not missing, and which they are.

    Parameters
    ----------
    values : (n,) ndarray
        NaN and, among objects, None and pandas' NA are missing.

    Returns
    -------
    found : (m,) ndarray
        Objects have the type that they share: numbers stay numbers, and names that are not all of one type are strings.
    known : (n,) ndarray of bool
    """
    if values.dtype != object:
        known = values == values  # NaN differs from itself
        return values[known], known
    known = np.array([_is_known(value) for value in values], dtype=bool)
    return (np.array(values[known].tolist()) if known.any() else values[known]), known


def _is_known(value: Any) -> bool:
    same = value == value  # no bool for pandas' NA
    return value is not None and isinstance(same, bool | np.bool_) and bool(same)


def split_groups(labels: Any) -> tuple[Any, Any]:
    """The names of groups in sorted order, and the number of each row's group.

    Parameters
    ----------
    labels : (n,) ndarray

    Returns
    -------
    names : (g,) ndarray
    codes : (n,) ndarray of int
        -1 for missing labels and for ``NO_GROUP``, which has no name.
    """
    found, known = known_values(labels)
    names, numbers = np.unique(found, return_inverse=True)
    if names.size and np.issubdtype(names.dtype, np.number) and names[0] == NO_GROUP:
        names, numbers = names[1:], numbers - 1
    codes = np.full(len(labels), -1)
    codes[known] = numbers
    return names, codes
