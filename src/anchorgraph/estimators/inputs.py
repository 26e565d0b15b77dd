"""What estimators ask of their data and parameters, with the sentence for each way it can be wrong."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from anchorgraph.numerics.threads import chunks, resolve_n_jobs, run
from anchorgraph.table import as_table


def read_table(estimator, X, *, fitting):
    """Check ``X`` as scikit-learn does, look for NaN and infinity, and return it as a table.

    Parameters
    ----------
    estimator : estimator
        Learns ``n_features_in_`` where ``fitting``, and is held to it otherwise.
    X : array-like or sparse matrix of shape (n, d)
    fitting : bool

    Returns
    -------
    RowTable
    """
    table = open_table(estimator, X, fitting=fitting)
    check_numbers(table, resolve_n_jobs(estimator.n_jobs))
    return table


def open_table(estimator, X, *, fitting):
    """:func:`read_table` without the pass over all numbers, for who notices NaN and infinity in what comes out."""
    X = validate_data(
        estimator,
        X,
        reset=fitting,
        accept_sparse="csr",
        dtype="numeric",
        ensure_all_finite=False,
        ensure_min_samples=2 if fitting else 1,
    )
    return as_table(X)


def check_numbers(table, n_jobs):
    """Refuse NaN, infinity, and numbers whose squares leave the range of the table's dtype."""
    largest = table.map_rows(_largest_number(n_jobs)).max()
    limits = np.finfo(table.dtype)
    if largest > 0 and not 1e3 * np.sqrt(limits.tiny) < largest < np.sqrt(limits.max / table.n_cols) / 4:
        raise ValueError(
            f"X has numbers of size {largest:.2g}, whose squares leave the range of {table.dtype}; scale X first, for "
            "example with sklearn.preprocessing.StandardScaler."
        )


def _largest_number(n_jobs):
    """The map from a block to the (1,) largest absolute value in it; NaN and infinity are refused."""

    def largest_of(values):
        return np.maximum(values.max(initial=0), -values.min(initial=0))

    def largest(block, span):
        values = block.data if sparse.issparse(block) else block
        parts = chunks(len(values), values.nbytes // max(len(values), 1))
        found = np.max(run(lambda part: largest_of(values[part]), parts, n_jobs), initial=0)
        if not np.isfinite(found):
            row, column, value = _first_not_finite(block)
            raise ValueError(
                f"X contains {value} in row {span.start + row}, column {column}; remove or impute such values first, "
                "for example with sklearn.impute.SimpleImputer."
            )
        return np.array([found])

    return largest


def _first_not_finite(block):
    entries = sparse.coo_array(block) if sparse.issparse(block) else None
    values = block if entries is None else entries.data
    first = int(np.flatnonzero(~np.isfinite(values))[0])
    row, column = divmod(first, block.shape[1]) if entries is None else (entries.row[first], entries.col[first])
    value = values.ravel()[first]
    return row, column, "NaN" if np.isnan(value) else "infinity (inf)"


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
    check_count("n_anchors", n_anchors)
    if n_anchors > n_rows:
        raise ValueError(f"n_anchors={n_anchors} is more than the {n_rows} rows of X; use at most {n_rows}.")
    return int(n_anchors)


def check_count(name, value, at_least=1):
    """Refuse all but whole numbers from ``at_least`` on."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        raise ValueError(f"{name}={value!r} is not a whole number from {at_least} on; pass one.")


def check_components(n_components, n_features):
    """Refuse more components than a linear map of so many columns can have."""
    check_count("n_components", n_components)
    if n_components > n_features:
        raise ValueError(f"n_components={n_components} is more than n_features={n_features}; use at most {n_features}.")


def check_clusters(n_clusters, n_rows, n_spare=0):
    """Refuse impossible numbers of clusters; ``n_spare`` rows are needed beyond one a cluster."""
    check_count("n_clusters", n_clusters)
    most = n_rows - n_spare
    if n_clusters > most:
        raise ValueError(f"n_clusters={n_clusters} is too many for n_samples={n_rows}; use at most {most}.")


def check_enough_anchors(n_anchors, n_clusters, at_least):
    """Refuse a sample of too few rows for the clusters."""
    if n_anchors < at_least:
        raise ValueError(f"n_anchors={n_anchors} is too few for n_clusters={n_clusters}; use at least {at_least}.")


def check_bandwidth(sigma):
    """Refuse the bandwidths that only anchor graphs have, and return the others."""
    if sigma == "local":
        raise ValueError("sigma='local' is for anchor graphs; pass a positive number or 'mean'.")
    return sigma


def check_not_negative(name, value):
    """Refuse all but numbers from 0 on."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < np.inf:
        raise ValueError(f"{name}={value!r} is not a number from 0 on; pass one.")


def check_positive(name, value):
    """Refuse all but numbers above 0."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < value < np.inf:
        raise ValueError(f"{name}={value!r} is not a number above 0; pass one.")


def check_number(name, value):
    """Refuse all but finite numbers."""
    if not isinstance(value, Real) or isinstance(value, bool) or not np.isfinite(value):
        raise ValueError(f"{name}={value!r} is not a number; pass one.")


def check_share(name, value):
    """Refuse all but numbers from 0 to below 1."""
    if not isinstance(value, Real) or not 0 <= value < 1:
        raise ValueError(f"{name}={value!r} is not a share; pass a number from 0 to below 1.")


def check_fraction(name, value):
    """Refuse all but numbers from 0 to 1."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError(f"{name}={value!r} is not a share; pass a number from 0 to 1.")


def check_choice(name, value, choices):
    """Refuse a name that is not a key of ``choices``."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}={value!r} is not known; choose one of {', '.join(map(repr, choices))}.")


def draw_seed(random_state):
    """One number that all randomness below the estimators follows from."""
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
