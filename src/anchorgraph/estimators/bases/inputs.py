"""Data as estimators read them, and what their parameters must be for such data."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.finite import SIZES, check_not_tiny, largest_number
from anchorgraph.table import MemoryTable, as_table, check_values, has_names, is_outside, is_table


def read_table(estimator, X):
    """Check what is fitted as scikit-learn does, look for NaN and infinity, and return it as a table.

    Parameters
    ----------
    estimator : estimator
        Learns ``n_features_in_``, and the names of columns where there are any.
    X : array-like, sparse matrix, or any source that :func:`~anchorgraph.as_table` takes

    Returns
    -------
    RowTable
    """
    table = open_table(estimator, X, fitting=True)
    check_numbers(table)
    return table


def open_table(estimator, X, *, fitting):
    """A source as a table that has the columns of the fit; its numbers are not looked at yet.

    Parameters
    ----------
    estimator : estimator
    X : array-like, sparse matrix, or any source that :func:`~anchorgraph.as_table` takes
    fitting : bool
        Whether the estimator learns the columns, or is held to them.

    Returns
    -------
    RowTable
    """
    if not is_outside(X):
        check_values(X)
        options = {"accept_sparse": "csr", "dtype": "numeric", "ensure_all_finite": False}
        return as_table(validate_data(estimator, X, reset=fitting, ensure_min_samples=2 if fitting else 1, **options))
    table = as_table(X, columns=None if fitting else _chosen_columns(estimator, X))
    if fitting and not estimator.card.streams and not table.in_memory:
        raise ValueError(
            f"{type(estimator).__name__} ties all rows to each other and needs them in memory; load them into an "
            f"array, or use {_one_that_streams(estimator.card)}, which reads any source in blocks."
        )
    if fitting and table.n_rows < 2:
        raise ValueError(f"X has {table.n_rows} rows, while a minimum of 2 is required.")
    _check_columns(estimator, table, fitting)
    return table


def _check_columns(estimator, table, fitting):
    """scikit-learn's check of a table's columns, of which it sees the number only."""
    names, learnt = table.names, getattr(estimator, "feature_names_in_", None)
    if not fitting and names is not None and learnt is not None and list(learnt) != names:
        raise ValueError(
            f"X has the columns {names}, but {type(estimator).__name__} was fitted to {list(learnt)}; pass the same "
            "columns in the same order."
        )
    if fitting or names is None or learnt is None:
        only_shape = np.broadcast_to(np.float64(0), (2, table.n_cols))
        validate_data(estimator, only_shape, reset=fitting, skip_check_array=True)
    if fitting and names is not None:
        estimator.feature_names_in_ = np.array(names, dtype=object)


def _chosen_columns(estimator, X):
    """The columns of the fit by name, for sources that have names: others, such as the labels, are not read."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None or is_table(X) or not has_names(X) else list(names)


def _one_that_streams(card):
    return "FLRL" if card.supervised else {"clustering": "FSC"}.get(card.task, "ULGE")


def map_new_rows(estimator, X, row_map, out=None, name=None):
    """What a fitted estimator makes of rows: in memory, lazy for Dask, or in a file.

    Parameters
    ----------
    estimator : estimator
    X : array-like, sparse matrix, or any source that :func:`~anchorgraph.as_table` takes
    row_map : RowMap
    out : path, optional
        A file, or a folder of shards, that the rows are written to as they come.
    name : str, optional
        Of the only column in a file; else the estimator has names for all.

    Returns
    -------
    array, Dask array, or the Path of ``out``
    """

    def checked(block):
        largest_number(block)
        return finite(row_map(block))

    return map_checked_rows(estimator, X, checked, out, name)


def map_checked_rows(estimator, X, row_map, out, name=None):
    """:func:`map_new_rows` for a row map that refuses rows itself."""
    table = open_table(estimator, X, fitting=False)
    rows = table.map_rows(row_map) if out is None else None
    if name is None and not isinstance(rows, np.ndarray) and not sparse.issparse(rows):
        _check_output(estimator)
    if out is None:
        return rows
    return table.write_rows(row_map, out, [name] if name else list(estimator.get_feature_names_out()))


def finite(rows):
    """Rows that a model made of others, dense or sparse; what overflowed on the way is refused."""
    values = rows.data if sparse.issparse(rows) else rows
    if not np.isfinite(values).all():
        raise ValueError(
            "The result has numbers that are not finite; X or the model has values too large for its precision, so "
            "scale X before the fit, for example with sklearn.preprocessing.StandardScaler."
        )
    return rows


def _check_output(estimator):
    """Refuse what scikit-learn would make a frame of although it is none."""
    names = getattr(estimator, "feature_names_in_", None)
    zeros = MemoryTable(np.zeros((1, estimator.n_features_in_)), names=None if names is None else list(names))
    one_row = estimator.transform(zeros)
    if not isinstance(one_row, np.ndarray) and not sparse.issparse(one_row):
        kind = type(one_row).__module__.split(".")[0]
        raise ValueError(
            f"set_output(transform={kind!r}) is for rows in memory; use set_output(transform='default') with out and "
            "with Dask collections."
        )


def check_numbers(table):
    """Refuse NaN, infinity, and numbers whose products leave the range of the table's dtype."""
    smallest = SIZES[table.dtype][0]

    def step(block):
        largest = largest_number(block)
        return (np.array([largest > 0, largest > smallest]),)

    ((n_filled, n_large_enough),) = table.sum_blocks(step)
    check_not_tiny(n_filled, n_large_enough, table.dtype)


def resolve_n_anchors(n_anchors, n_rows, at_least=1):
    """The number of anchors for ``n_rows`` rows: 1024 for 4096 or more, else the power of two nearest to a quarter.

    Parameters
    ----------
    n_anchors : int or None
    n_rows : int
    at_least : int
        The fewest that the graph can do with, for ``None``.
    """
    if n_anchors is None:
        quarter = 1024 if n_rows >= 4096 else 2 ** round(np.log2(max(n_rows / 4, 1)))
        n_anchors = max(quarter, at_least)
    check_integer("n_anchors", n_anchors)
    if n_anchors > n_rows:
        raise ValueError(f"n_anchors={n_anchors} is more than the {n_rows} rows of X; use at most {n_rows}.")
    return int(n_anchors)


def check_components(n_components, n_features):
    """Refuse more components than a linear map of so many columns can have."""
    check_integer("n_components", n_components)
    if n_components > n_features:
        raise ValueError(f"n_components={n_components} is more than n_features={n_features}; use at most {n_features}.")


def check_clusters(n_clusters, n_rows, n_spare=0):
    """Refuse impossible numbers of clusters; ``n_spare`` rows are needed beyond one a cluster."""
    check_integer("n_clusters", n_clusters)
    most = n_rows - n_spare
    if n_clusters > most:
        raise ValueError(f"n_clusters={n_clusters} is too many for n_samples={n_rows}; use at most {most}.")


def check_enough_anchors(n_anchors, n_clusters, at_least):
    """Refuse a sample of too few rows for the clusters."""
    if n_anchors < at_least:
        raise ValueError(f"n_anchors={n_anchors} is too few for n_clusters={n_clusters}; use at least {at_least}.")


def check_bandwidth(sigma):
    """Refuse the bandwidths that only anchor graphs have, and return the others."""
    if isinstance(sigma, str) and sigma == "local":
        raise ValueError("sigma='local' is for anchor graphs; pass a positive number or 'mean'.")
    return sigma


def draw_seed(random_state):
    """One number that all randomness below the estimators follows from."""
    if isinstance(random_state, Integral) and (isinstance(random_state, bool) or not 0 <= random_state < 2**32):
        raise ValueError(f"random_state must be an integer from 0 to 2**32 - 1; got {random_state}.")
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def bandwidth_rng(seed):
    """The generator that a bandwidth is learnt with: apart from the one that anchors are found with."""
    return np.random.default_rng([seed, 1])
