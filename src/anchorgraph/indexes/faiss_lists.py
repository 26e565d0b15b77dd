"""An inverted-file index of FAISS with the clusters of a model."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from anchorgraph.contracts import Block, Integers, RowTable
from anchorgraph.indexes.centres import centres_of
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.checks import check_choice
from anchorgraph.numerics.finite import largest_number
from anchorgraph.numerics.unit_rows import unit_rows
from anchorgraph.table import as_table, count

ADDED_ROWS = 2**16
"""Rows that are added at once."""

N_COMPARED = 256
"""Rows whose labels are compared with those that are predicted, before labels of the fit are used."""


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
        The list of each row; -1 leaves it out. By default ``model.labels_`` if there are as many rows, which must then
        be the rows of the fit in their order, otherwise ``model.predict(X)``.
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
    centres = centres_of(model)
    check_choice("metric", metric, ("euclidean", "inner_product"))
    faiss, add_preassigned = _imported()
    n_lists, n_cols = centres.shape
    table = as_table(X)
    if table.n_cols != n_cols:
        raise ValueError(
            f"X has {count(table.n_cols, 'column')}, but the centres of the model have {n_cols}; pass the same X."
        )
    lists = _lists(model, X, table, labels, n_lists)
    code = faiss.METRIC_L2 if metric == "euclidean" else faiss.METRIC_INNER_PRODUCT
    quantizer = faiss.IndexFlat(n_cols, code)
    quantizer.add(centres)
    index = faiss.IndexIVFFlat(quantizer, n_cols, n_lists, code)
    index.is_trained = True
    for start in range(0, table.n_rows, ADDED_ROWS):
        ids = np.arange(start, min(start + ADDED_ROWS, table.n_rows))
        ids = ids[lists[ids] >= 0]
        if len(ids):
            add_preassigned(index, _prepared(model, table.take(ids)), lists[ids], ids)
    return index


def _prepared(model: Any, rows: Block) -> NDArray[np.float32]:
    """Rows as they are stored: dense, in float32, of unit length if the model compares directions."""
    largest_number(rows)
    by_direction = hasattr(model, "card") and getattr(model, "metric", None) == "cosine"  # one of this package
    return np.ascontiguousarray(dense(unit_rows(rows) if by_direction else rows), dtype=np.float32)


def _lists(model: Any, X: Any, table: RowTable, labels: Any, n_lists: int) -> Integers:
    """The list of each row as FAISS wants it."""
    own = getattr(model, "labels_", None)
    are_own = labels is None and own is not None and len(own) == table.n_rows
    if labels is None:
        labels = own if are_own else model.predict(X)
    lists = np.asarray(labels)
    is_list = lists.shape == (table.n_rows,) and lists.dtype.kind in "iu"
    if not is_list or not ((lists >= -1) & (lists < n_lists)).all():
        raise ValueError(f"labels must be {table.n_rows} integers from -1 to {n_lists - 1}, one for each row of X.")
    if are_own:
        _check_own(model, table, lists, n_lists)
    return lists.astype(np.int64)


def _check_own(model: Any, table: RowTable, lists: Integers, n_lists: int) -> None:
    """Refuse labels of other rows: of some rows, more must be what is predicted than by chance, half-way to all."""
    some = np.unique(np.linspace(0, table.n_rows - 1, N_COMPARED).astype(np.intp))
    some = some[lists[some] >= 0]
    if not len(some):
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        predicted = np.asarray(model.predict(table.take(some)))
    shares = [np.bincount(labels, minlength=n_lists) / len(some) for labels in (predicted, lists[some])]
    if np.mean(predicted == lists[some]) < (1 + shares[0] @ shares[1]) / 2:
        raise ValueError(
            "labels_ of the model are not those of X, whose rows are others or in another order; pass "
            "labels=model.predict(X), or the labels of these rows."
        )


def _imported() -> tuple[Any, Any]:
    """FAISS and its function that adds rows to given lists."""
    try:
        import faiss
        from faiss.contrib.ivf_tools import add_preassigned
    except ImportError:
        raise ImportError('faiss_index requires FAISS: pip install "anchorgraph[faiss]".') from None
    return faiss, add_preassigned
