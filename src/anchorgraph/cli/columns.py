"""Checks of the columns of labels and of weights, before a method is fitted."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.cli.source import Source
from anchorgraph.contracts import Floats
from anchorgraph.estimators.bases.inputs import check_weights
from anchorgraph.numerics.missing import are_complete


def read_weights(values: Any, name: str, n_rows: int) -> Floats:
    """The values of the column ``--weight`` as weights; an error names the column."""
    values = np.asarray(values)
    if values.dtype.kind not in "fiub":
        raise ValueError(f"Column {name!r} (--weight) does not hold numbers; name a column of weights of at least 0.")
    try:
        weights: Floats = check_weights(values, n_rows)
    except ValueError as error:
        raise ValueError(str(error).replace("sample_weight", f"Column {name!r} (--weight)")) from None
    return weights


def check_labels(source: Source, name: str, *, masks: bool, supervised: bool) -> None:
    """Raise an error if rows have no label.

    Parameters
    ----------
    source : Source
        With labels.
    name : str
        The column ``--label``.
    masks : bool
        Whether rows with NaN are left out: they need no label.
    supervised : bool
        Whether the method learns from the labels: rows of weight zero then need none.
    """
    labels = np.asarray(source.labels)
    missing = labels != labels  # NaN differs from itself
    if labels.dtype.kind == "O":
        missing |= np.array([label is None for label in labels], dtype=bool)
    if supervised and source.weights is not None:
        missing &= np.asarray(source.weights) > 0
    if masks and missing.any():
        missing &= np.asarray(source.table.map_rows(are_complete))
    if missing.any():
        other = "" if supervised else f", or pass --drop {name} in place of --label {name}"
        raise ValueError(
            f"Column {name!r} (--label) has no value in {np.count_nonzero(missing):,} of {len(labels):,} rows, first "
            f"in row {np.flatnonzero(missing)[0]}; remove these rows or fill in their labels{other}."
        )
