"""Clusters or classes of all rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from anchorgraph.contracts import Integers, RowMap, RowTable
from anchorgraph.plot.fitted import on_arrays
from anchorgraph.table import computed_labels, count, shorten


@dataclass(frozen=True)
class Groups:
    """A group of each row.

    Attributes
    ----------
    what : str
        What a group is, ``"cluster"`` or ``"class"``.
    names : list of str
    codes : (n,) integers
        The number of each row's group, -1 for none.
    """

    what: str
    names: list[str]
    codes: Integers

    @property
    def sizes(self) -> Integers:
        """(g,) number of rows of each group."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.names))


def find_clusters(model: Any, table: RowTable, before: RowMap | None) -> Groups | None:
    """The clusters of a fitted model: those of the fit, or if it kept none (a mixture, a file), those that it predicts.

    Parameters
    ----------
    model : fitted estimator
    table : RowTable
    before : RowMap, optional
        What is done to rows before the model receives them.

    Returns
    -------
    Groups or None
        None if the model has no clusters.
    """
    received = table if before is None else table.view(before)
    if hasattr(model, "labels_"):
        labels = model.labels_
    elif hasattr(model, "predict") and getattr(model, "card", None) is not None:
        labels = model.predict(received)
    elif hasattr(model, "predict_proba") and not is_classifier(model):
        labels = received.map_rows(on_arrays(model.predict))
    else:
        return None
    return as_clusters(labels, table.n_rows)


def as_clusters(labels: Any, n_rows: int, n_clusters: int = 0) -> Groups:
    """Clusters from labels of rows, at least so many."""
    codes = np.asarray(computed_labels(labels))
    if len(codes) != n_rows:
        raise ValueError(f"X has {count(n_rows, 'row')}, but the model was fitted to {len(codes):,}; pass the same X.")
    return Groups("cluster", [str(number) for number in range(max(codes.max(initial=-1) + 1, n_clusters))], codes)


def read_classes(labels: Any, n_rows: int) -> Groups | None:
    """Known classes, of which some may be missing (None, NaN or pandas' NA)."""
    if labels is None:
        return None
    labels = np.asarray(computed_labels(labels))
    if labels.shape != (n_rows,):
        raise ValueError(f"labels must have one entry for each of the {n_rows:,} rows; got shape {labels.shape}.")
    if labels.dtype.kind == "O":
        known = np.array([_is_known(label) for label in labels], dtype=bool)
        labels = np.array([str(label) for label in labels], dtype=object)  # others all take the room of the longest
    else:
        known = labels == labels  # NaN differs from itself
    found, numbers = np.unique(labels[known], return_inverse=True)
    codes = np.full(n_rows, -1)
    codes[known] = numbers
    return Groups("class", [shorten(_name(label)) for label in found], codes)


def _is_known(label: Any) -> bool:
    """Whether an object is a label: None is not, NaN differs from itself, and NA does not know whether it does."""
    is_itself = label == label
    return label is not None and isinstance(is_itself, bool | np.bool_) and bool(is_itself)


def _name(label: Any) -> str:
    """A label in all its digits; whole numbers without a point."""
    return str(int(label)) if isinstance(label, np.floating) and label.is_integer() else str(label)
