"""What all clusterers share."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from anchorgraph.contracts import Floats, Integers, RowMap, RowTable
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.sklearn_bases import ClusterMixin
from anchorgraph.numerics.chunked import in_chunks
from anchorgraph.numerics.missing import without_absent
from anchorgraph.numerics.warn import warn_user


class Clusterer(ClusterMixin):
    """Mixin of clusterers, which label the rows of the fit."""

    labels_: Integers


def set_if_in_memory(estimator: Method, name: str, rows: RowTable) -> None:
    """Set an attribute with an entry for each row, if the rows are in memory; otherwise ``transform`` returns them."""
    vars(estimator).pop(name, None)  # from an earlier fit
    if rows.in_memory:
        setattr(estimator, name, present_rows(rows))


def present_rows(rows: RowTable) -> Any:
    """All rows, with -1 or NaN in place of those that are not present: an array, or a lazy Dask array."""
    return rows.map_rows(without_absent, *rows.present) if rows.present else rows.rows()


def set_probabilities(estimator: Method, Z: RowTable, shares: RowMap, *aligned: RowTable) -> None:
    """Set ``probabilities_``, each row's own share, which is its largest, if the rows of Z are in memory."""
    vars(estimator).pop("probabilities_", None)  # from an earlier fit
    if Z.in_memory:

        def own(z: Any, *others: Any) -> Floats:
            largest: Floats = shares(z, *others).max(axis=1).astype(z.dtype)
            return largest

        set_if_in_memory(estimator, "probabilities_", Z.keep(in_chunks(own), *aligned))


def share_names(n_clusters: int) -> list[str]:
    """Names of the columns of shares in a file."""
    return [f"cluster{number}" for number in range(n_clusters)]


def set_labels_of_batch(estimator: Clusterer, labels: RowTable) -> RowTable:
    """Set ``labels_``, of all rows or of a batch of them, and return them."""
    if labels.present:
        labels = labels.keep(without_absent, *labels.present)
    estimator.labels_ = labels.rows()
    return labels


def set_labels(estimator: Clusterer, labels: RowTable, n_clusters: int) -> None:
    """Set ``labels_``, and warn at the line that called ``fit`` if a cluster is empty."""
    labels = set_labels_of_batch(estimator, labels)
    (sizes,) = labels.sum_blocks(lambda own: (np.bincount(own[own >= 0], minlength=n_clusters),))
    n_found = np.count_nonzero(sizes)
    if n_found < n_clusters:
        message = f"Only {n_found} of n_clusters={n_clusters} clusters have rows; use a smaller n_clusters."
        warn_user(message, ConvergenceWarning)
