"""An inverted-file index of FAISS with the clusters of a model."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Integers
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.checks import check_choice
from anchorgraph.numerics.unit_rows import unit_rows
from anchorgraph.table import as_table

ADDED_ROWS = 2**16
"""Rows that are added at once."""


def faiss_index(
    model: Any, X: Any, *, labels: Any = None, metric: Literal["euclidean", "inner_product"] = "euclidean"
) -> Any:
    """A FAISS ``IndexIVFFlat`` whose lists are the clusters of a model.

    A search compares the query with the centres and then with all rows of the ``index.nprobe`` nearest clusters. Lists
    of equal size take the same time for every query. The ids are the numbers of the rows.

    Parameters
    ----------
    model : fitted clusterer with ``cluster_centers_``
        Such as :class:`~anchorgraph.BKHK`. With ``metric="cosine"`` of the model, rows are scaled to unit length, and
        so must be the queries.
    X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        The rows to search. They are stored in the index as float32.
    labels : array-like of shape (n_rows,), optional
        The list of each row; -1 leaves it out. By default ``model.labels_`` if there are as many rows, otherwise
        ``model.predict(X)``.
    metric : {"euclidean", "inner_product"}, default="euclidean"
        What the index searches for: the nearest rows, or those of the largest inner product.

    Returns
    -------
    faiss.IndexIVFFlat
        Trained; further rows can be added by its own ``add``, which assigns them to the nearest centre.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import BKHK
    >>> from anchorgraph.indexes import faiss_index
    >>> X, _ = load_digits(return_X_y=True)
    >>> index = faiss_index(BKHK(32, random_state=0).fit(X), X)
    >>> index.nprobe = 4
    >>> distances, neighbors = index.search(X[:3].astype("float32"), 5)
    >>> neighbors[:, 0]
    array([0, 1, 2])
    """
    check_is_fitted(model)
    check_choice("metric", metric, ("euclidean", "inner_product"))
    faiss, add_preassigned = _imported()
    centres = np.ascontiguousarray(model.cluster_centers_, dtype=np.float32)
    n_lists, n_cols = centres.shape
    table = as_table(X)
    if table.n_cols != n_cols:
        raise ValueError(f"X has {table.n_cols} columns, but the centres of the model have {n_cols}; pass the same X.")
    lists = _lists(model, X, labels, table.n_rows, n_lists)
    code = faiss.METRIC_L2 if metric == "euclidean" else faiss.METRIC_INNER_PRODUCT
    quantizer = faiss.IndexFlat(n_cols, code)
    quantizer.add(centres)
    index = faiss.IndexIVFFlat(quantizer, n_cols, n_lists, code)
    index.is_trained = True
    for start in range(0, table.n_rows, ADDED_ROWS):
        ids = np.arange(start, min(start + ADDED_ROWS, table.n_rows))
        ids = ids[lists[ids] >= 0]
        rows = dense(table.take(ids))
        rows = unit_rows(rows) if getattr(model, "metric", None) == "cosine" and len(ids) else rows
        add_preassigned(index, np.ascontiguousarray(rows, dtype=np.float32), lists[ids], ids)
    return index


def _lists(model: Any, X: Any, labels: Any, n_rows: int, n_lists: int) -> Integers:
    """The list of each row as FAISS wants it."""
    if labels is None:
        own = getattr(model, "labels_", None)
        labels = own if own is not None and len(own) == n_rows else model.predict(X)
    lists = np.asarray(labels)
    if lists.shape != (n_rows,) or lists.dtype.kind not in "iu" or not ((lists >= -1) & (lists < n_lists)).all():
        raise ValueError(f"labels must be {n_rows} integers from -1 to {n_lists - 1}, one for each row of X.")
    return lists.astype(np.int64)


def _imported() -> tuple[Any, Any]:
    """FAISS and its function that adds rows to given lists."""
    try:
        import faiss
        from faiss.contrib.ivf_tools import add_preassigned
    except ImportError:
        raise ImportError("faiss_index requires FAISS: pip install anchorgraph[faiss].") from None
    return faiss, add_preassigned
