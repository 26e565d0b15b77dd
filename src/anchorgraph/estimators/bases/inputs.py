"""Reading the data of an estimator, and checks of its parameters against them."""

from __future__ import annotations

from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from anchorgraph.contracts import Block, RowMap, RowTable
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.parameters import OutputPath, RandomState
from anchorgraph.estimators.bases.preparation import Preparation
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.finite import (
    SIZES,
    UNUSABLE,
    NotFiniteError,
    check_not_tiny,
    count_not_finite,
    largest_number,
)
from anchorgraph.table import (
    MemoryTable,
    as_table,
    check_source,
    check_values,
    computed_labels,
    count,
    has_names,
    is_out_of_core,
    is_table,
    split_columns,
)

N_FIRST_ROWS = 100
"""Number of rows that are looked at before others are."""

MOST_ANCHORS = 1024
"""Largest number of anchors by default."""

LARGEST_MEAN = 1e12
"""Weights of a larger mean, or one below its inverse, are scaled to a mean near one."""


def read_table(estimator: Method, X: Any, sample_weight: Any = None, *, fitting: bool = True) -> RowTable:
    """Check the data of a fit as scikit-learn does, and return them as a table, ready for the estimator's metric.

    NaN and infinity are refused, at the latest when a row is first read; with ``missing="mask"``, rows with NaN are in
    the table as rows of weight zero that are not ``present``.

    Parameters
    ----------
    estimator : Method
        Gets ``n_features_in_``, and ``feature_names_in_`` if the columns have names.
    X : array-like, sparse matrix, or any source for :func:`~anchorgraph.as_table`
    sample_weight : array-like of shape (n_rows,), or str, optional
        Weights, or the name of the column of X that holds them.
    fitting : bool
        Whether a fit begins, or goes on with a further batch of rows.

    Returns
    -------
    RowTable
    """
    preparation = Preparation.of(estimator)
    X, sample_weight = split_columns(X, sample_weight=sample_weight)
    table = open_table(estimator, X, fitting=fitting)
    present: tuple[RowTable, ...] = ()
    if preparation.masks:
        present = (table.keep(preparation.are_present),)
        table = table.view(preparation.filled, table.names)
    table = preparation.view(with_checked_numbers(table, can_mask=preparation.can_mask, holds=preparation.holds))
    if sample_weight is not None or present:
        table = weighted(table, sample_weight, *present)
    if fitting and table.n_positive < 2:
        kind = "that can be used" if sample_weight is None else "with positive weight"
        raise ValueError(f"X has {count(table.n_positive, 'row')} {kind}, while a minimum of 2 is required.")
    if fitting:
        estimator._start_anew()
    return table


def weighted(table: RowTable, sample_weight: Any, *present: RowTable) -> RowTable:
    """A table with the weights of its rows; rows that are not present have the weight zero."""
    if sample_weight is None:
        weights = present[0].view(lambda own: own.astype(np.float64))
        return table.weighted(weights, *present)
    given = check_weights(sample_weight, table.n_rows)
    exponent = _exponent(given)
    weights = table.align(np.ldexp(given, -exponent))
    if present:
        weights = weights.keep(lambda own, is_present: own * is_present, *present)
    return table.weighted(weights, *present, unit=2.0**exponent)


def _exponent(weights: FloatArray) -> int:
    """The power of two that weights are divided by: 0, unless their mean is beyond :data:`LARGEST_MEAN`.

    A weight says how often a row counts, so that weights are not scaled in general. Extreme ones only compare rows, and
    what is learnt would not fit into float32.
    """
    mean = weights.sum() / np.count_nonzero(weights)
    return 0 if 1 / LARGEST_MEAN <= mean <= LARGEST_MEAN else int(np.frexp(mean)[1]) - 1


def check_unscaled(table: RowTable, what: str) -> None:
    """Refuse extreme weights where they are added to other numbers, or compared with them."""
    if table.weight_unit != 1:
        raise ValueError(
            f"sample_weight has a mean near {table.weight_unit:.0e}, but with {what} it must be from "
            f"{1 / LARGEST_MEAN:.0e} to {LARGEST_MEAN:.0e}; divide all weights by the same number."
        )


def check_weights(sample_weight: Any, n_rows: int) -> FloatArray:
    """Weights as an array of floats; refuses those that are negative, not finite, or all zero."""
    weights = np.asarray(computed_labels(sample_weight))
    if weights.dtype.kind not in "fiub" or weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight has shape {weights.shape} and dtype {weights.dtype}; pass one number for each of the "
            f"{count(n_rows, 'row')} of X."
        )
    weights = weights.astype(np.float64)
    if not (np.isfinite(weights) & (weights >= 0)).all():
        row = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise ValueError(f"sample_weight is {weights[row]} in row {row}; pass finite weights of at least 0.")
    if float(weights.max()) * n_rows == np.inf:
        raise ValueError(f"sample_weight has values as large as {weights.max():.2g}, whose sum overflows; scale it.")
    if not weights.any():
        raise ValueError("sample_weight is zero for all rows; pass a positive weight for at least two of them.")
    return weights


def open_table(estimator: Method, X: Any, *, fitting: bool) -> RowTable:
    """A source as a table, after a check of its columns; its values are not checked.

    Parameters
    ----------
    estimator : Method
    X : array-like, sparse matrix, or any source for :func:`~anchorgraph.as_table`
    fitting : bool
        Whether the estimator learns the columns, or the columns must be those of the fit.

    Returns
    -------
    RowTable
    """
    check_source(X)
    if not is_out_of_core(X):
        check_values(X)
        options = {"accept_sparse": "csr", "dtype": "numeric", "ensure_all_finite": False}
        array = validate_data(estimator, X, reset=fitting, ensure_min_samples=2 if fitting else 1, **options)
        names = getattr(estimator, "feature_names_in_", None)
        return MemoryTable(
            sparse.csr_array(array) if sparse.issparse(array) else np.asarray(array),
            names=None if names is None else list(names),
        )
    table = as_table(X, columns=None if fitting else _chosen_columns(estimator, X))
    if fitting and not estimator.card.streams and not table.in_memory:
        raise ValueError(
            f"{type(estimator).__name__} connects rows to rows and needs them in memory; load them into an array, or "
            f"use {_one_that_streams(estimator.card)}, which reads any source in blocks."
        )
    if fitting and table.n_rows < 2:
        raise ValueError(f"X has {count(table.n_rows, 'row')}, while a minimum of 2 is required.")
    _check_columns(estimator, table, fitting)
    return table


def _check_columns(estimator: Method, table: RowTable, fitting: bool) -> None:
    """scikit-learn's check of the columns, on an array that has only the shape of the table."""
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


def _chosen_columns(estimator: Method, X: Any) -> list[str] | None:
    """The names of the columns of the fit, for sources with names: other columns, such as labels, are not read."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None or is_table(X) or not has_names(X) else list(names)


def _one_that_streams(card: Card) -> str:
    return "FLRL" if card.supervised else {"clustering": "FSC", "graph": "AnchorGraph"}.get(card.task, "ULGE")


def map_new_rows(
    estimator: Method, X: Any, row_map: RowMap, out: OutputPath = None, names: list[str] | None = None
) -> Any:
    """Apply the row map of a fitted estimator to rows.

    Parameters
    ----------
    estimator : Method
    X : array-like, sparse matrix, or any source for :func:`~anchorgraph.as_table`
    row_map : RowMap
    out : path, optional
        A file, or a folder of shards, written block by block.
    names : list of str, optional
        Names of the columns in a file. By default they are the estimator's output features.

    Returns
    -------
    array, lazy Dask array, or the Path of ``out``
    """
    holds = Preparation.of(estimator).holds

    def checked(block: Block) -> Any:
        largest_number(block, holds)
        return finite(row_map(block))

    return map_checked_rows(estimator, X, checked, out, names)


def map_checked_rows(
    estimator: Method, X: Any, row_map: RowMap, out: OutputPath, names: list[str] | None = None
) -> Any:
    """:func:`map_new_rows` for a row map that checks the values itself."""
    table = open_table(estimator, X, fitting=False)
    row_map = Preparation.of(estimator).before(row_map)
    rows = table.map_rows(row_map) if out is None else None
    if names is None and not isinstance(rows, np.ndarray) and not sparse.issparse(rows):
        _check_output(estimator)
    if out is None:
        return rows
    return table.write_rows(row_map, out, names or _output_names(estimator))


def finite(rows: Any) -> Any:
    """The same rows, dense or sparse; refuses values that overflowed in the computation."""
    values = rows.data if sparse.issparse(rows) else rows
    if not np.isfinite(values).all():
        raise ValueError(
            "The result has values that are not finite, because values of X or of the model are too large for their "
            "dtype; scale X before fit, for example with sklearn.preprocessing.StandardScaler."
        )
    return rows


def _output_names(estimator: Any) -> list[str]:
    return list(estimator.get_feature_names_out())


def _check_output(estimator: Any) -> None:
    """Refuse ``set_output`` of data frames for results that scikit-learn cannot convert to one."""
    names = getattr(estimator, "feature_names_in_", None)
    any_row = MemoryTable(np.eye(1, estimator.n_features_in_), names=None if names is None else list(names))
    one_row = estimator.transform(any_row)
    if not isinstance(one_row, np.ndarray) and not sparse.issparse(one_row):
        kind = type(one_row).__module__.split(".")[0]
        raise ValueError(
            f"set_output(transform={kind!r}) is for rows in memory; use set_output(transform='default') with out and "
            "with Dask collections."
        )


def with_checked_numbers(table: RowTable, *, can_mask: bool = False, holds: str = "rows") -> RowTable:
    """The same table, whose numbers are checked as by :func:`check_numbers`.

    Rows in memory are checked at once, because trees read them in no order and many times. Others are checked when they
    are first read. One large enough value shows that not all are too small, and the first rows usually have one.
    """
    refuse = partial(check_numbers, table, can_mask=can_mask, holds=holds)
    if table.in_memory or not _is_large_enough(table.take(np.arange(min(table.n_rows, N_FIRST_ROWS)))):
        refuse()
        return table
    return table.checked(refuse)


def _is_large_enough(block: Block) -> bool:
    """Whether the numbers of a block can all be used, and one of them shows that not all are too small."""
    try:
        return bool(largest_number(block) > SIZES[block.dtype][0])
    except UNUSABLE:
        return False


def check_numbers(table: RowTable, *, can_mask: bool = False, holds: str = "rows") -> None:
    """Refuse NaN, infinity, and values whose products overflow or underflow the table's dtype.

    ``can_mask`` says whether the estimator has ``missing="mask"``, which the error then suggests, and ``holds`` what X
    holds, a key of :data:`~anchorgraph.numerics.finite.WAYS_OUT`.
    """
    smallest = SIZES[table.dtype][0]

    def step(block: Block) -> tuple[Any, ...]:
        largest = largest_number(block, holds)
        return (np.array([largest > 0, largest > smallest]),)

    try:
        ((n_filled, n_large_enough),) = table.sum_blocks(step)
    except NotFiniteError as error:
        (n_rows,) = table.sum_blocks(lambda block: (count_not_finite(block),))
        raise error.counted(int(n_rows), can_mask=can_mask) from None
    check_not_tiny(n_filled, n_large_enough, table.dtype, holds)


def resolve_n_anchors(n_anchors: int | None, table: RowTable, at_least: int = 1, name: str = "n_anchors") -> int:
    """The number of anchors of a table: 1024 for 4096 different rows, else the power of two nearest to a quarter.

    Equal rows count as one, and so does a row of any weight: more anchors than different rows would be equal, and tie
    each row to anchors of its own.

    Parameters
    ----------
    n_anchors : int or None
    table : RowTable
    at_least : int
        The minimum that is used for ``n_anchors=None``.
    name : str
        Name of the parameter.

    Returns
    -------
    int
    """
    if n_anchors is None:
        n_distinct = table.n_distinct
        quarter = min(2 ** round(np.log2(max(n_distinct / 4, 1))), MOST_ANCHORS)
        n_anchors = max(quarter, at_least)
    check_integer(name, n_anchors)
    if n_anchors > table.n_positive:
        rows = f"{count(table.n_positive, 'row')} of X{' with positive weight' if table.weights else ''}"
        raise ValueError(f"{name}={n_anchors} is more than the {rows}; use at most {table.n_positive}.")
    return int(n_anchors)


def check_components(n_components: int, n_features: int) -> None:
    """Refuse more components than columns."""
    check_integer("n_components", n_components)
    if n_components > n_features:
        raise ValueError(f"n_components={n_components} is more than n_features={n_features}; use at most {n_features}.")


def check_clusters(n_clusters: int, n_rows: int, n_spare: int = 0) -> None:
    """Refuse more clusters than rows; ``n_spare`` is the number of rows needed beyond one per cluster."""
    check_integer("n_clusters", n_clusters)
    most = n_rows - n_spare
    if n_clusters > most:
        raise ValueError(f"n_clusters={n_clusters} is too many for n_samples={n_rows}; use at most {most}.")


def check_enough_anchors(n_anchors: int, n_clusters: int, at_least: int) -> None:
    """Refuse a sample of too few rows for the clusters."""
    if n_anchors < at_least:
        raise ValueError(f"n_anchors={n_anchors} is too few for n_clusters={n_clusters}; use at least {at_least}.")


def check_bandwidth(sigma: float | str) -> float | str:
    """Refuse the bandwidth that only anchor graphs can have, and return any other one."""
    if isinstance(sigma, str) and sigma == "local":
        raise ValueError("sigma='local' is for anchor graphs; pass a positive number or 'mean'.")
    return sigma


def draw_seed(random_state: RandomState) -> int:
    """A seed drawn from ``random_state``: the same one each time for an integer."""
    if isinstance(random_state, Integral) and (isinstance(random_state, bool) or not 0 <= random_state < 2**32):
        raise ValueError(f"random_state must be an integer from 0 to 2**32 - 1; got {random_state}.")
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def bandwidth_rng(seed: int) -> np.random.Generator:
    """The generator for learning a bandwidth, independent of the one for selecting anchors."""
    return np.random.default_rng([seed, 1])
