"""Names of columns, and which of very many are shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anchorgraph.contracts import Floats, Integers
from anchorgraph.report.images import column_name
from anchorgraph.table import shorten

MAX_COLUMNS = 50
"""Of more columns, those are shown that differ most between groups."""

MAX_VALUES = 2_000_000
"""Of very many rows fewer columns are shown, so that a page stays small: these are 5 MB."""


def name_columns(names: Sequence[str] | None, n_columns: int, image: tuple[int, int, int] | None) -> list[str]:
    """The names of the columns; pixels of images and columns without names are numbered."""
    if image is not None:
        return [column_name(image, column) for column in range(n_columns)]
    return [f"x{column}" for column in range(n_columns)] if names is None else list(map(shorten, names))


def choose_columns(importance: Floats, n_rows: int) -> Integers:
    """Numbers of the columns that are shown, the most important first."""
    most = max(1, min(MAX_COLUMNS, MAX_VALUES // max(n_rows, 1)))
    return np.argsort(-importance, kind="stable")[:most]
