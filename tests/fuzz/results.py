"""What is wrong with the results of a fit that was not refused.

Labels and embeddings have the right shape and are finite, the same seed gives the same result, a pickled copy too, rows
one by one get what they get together, the rows of the fit get their labels back, and on ordinary data dense and sparse
rows agree.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from anchorgraph import BKHK, WithOutliers
from anchorgraph.numerics.selection import ROUNDING
from fuzz.clear import is_clear
from fuzz.fitting import Fitting, clusterer_of, n_rows_of, rows_of

VERBS = ("predict", "transform", "predict_proba", "score_samples")


def whats_wrong(fitting: Fitting, others: Any, numbers: Any, rng: Any) -> str | None:
    """What is silently wrong with the results of a fit, or None.

    ``others`` are new rows of any kind, and ``numbers`` rows to be fitted as sparse ones, or None.
    """
    fitted = fitting.fit()
    together = _outputs(fitted, fitting.X)
    absent = _absent(clusterer_of(fitted), fitting.X)
    return (
        _wrong_results(together, absent)
        or _wrong_labels(fitting, fitted, absent)
        or _wrong_sizes(fitting, fitted)
        or _wrong_shares(together, absent)
        or _unlike_again(fitting, fitted, together)
        or _unlike_pickled(fitting, fitted, together)
        or _unlike_one_by_one(fitting, fitted, together, rng)
        or _unlike_of_the_fit(fitting, fitted, together, rng)
        or _wrong_of_others(fitted, others)
        or _unlike_sparse(fitting, fitted, numbers, rng)
    )


def _outputs(fitted: Any, X: Any) -> dict[str, Any]:
    found = {verb: getattr(fitted, verb)(X) for verb in VERBS if _can(fitted, verb)}
    return {verb: rows.toarray() if sparse.issparse(rows) else np.asarray(rows) for verb, rows in found.items()}


def _can(fitted: Any, verb: str) -> bool:
    """Without distances to anchors, there are no scores."""
    is_given = getattr(clusterer_of(fitted), "metric", None) == "precomputed"
    return hasattr(fitted, verb) and not (verb == "score_samples" and is_given)


def _learnt(fitted: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(fitted).items() if isinstance(value, np.ndarray)}


def _absent(model: Any, X: Any) -> Any:
    """(n,) which rows ``missing="mask"`` leaves out."""
    rows = _dense(X)
    if getattr(model, "missing", None) != "mask":
        return np.zeros(len(rows), dtype=bool)
    return np.isnan(rows).any(axis=1) | ((rows == 0).all(axis=1) & (getattr(model, "metric", None) == "cosine"))


def _dense(X: Any) -> Any:
    if isinstance(X, pd.DataFrame):
        return X.to_numpy(dtype=float, na_value=np.nan)
    rows = X.toarray() if sparse.issparse(X) else np.asarray(X)
    return rows.astype(float) if rows.dtype.kind == "O" else rows


def _wrong_results(together: dict[str, Any], absent: Any) -> str | None:
    for verb, rows in together.items():
        if len(rows) != len(absent):
            return f"{verb} has {len(rows)} rows for {len(absent)}"
        if not np.isfinite(rows[~absent]).all():
            return f"{verb} is not finite"
        if not (rows[absent] == -1 if rows.dtype.kind == "i" else _is_nan_somewhere(rows[absent])).all():
            return f"{verb} has results for rows that are left out"
    return None


def _wrong_of_others(fitted: Any, others: Any) -> str | None:
    try:
        return _wrong_results(_outputs(fitted, others), _absent(clusterer_of(fitted), others))
    except (TypeError, ValueError) as error:
        if is_clear(error):
            return None
        raise


def _is_nan_somewhere(rows: Any) -> Any:
    return np.isnan(rows).any(axis=tuple(range(1, rows.ndim)))  # sparse ones have no NaN where there was no value


def _wrong_labels(fitting: Fitting, fitted: Any, absent: Any) -> str | None:
    last = fitting.last
    for name, value in _learnt(fitted).items():
        checked = value[~absent[last]] if absent.any() and value.shape[:1] == last.shape else value
        if value.dtype.kind == "f" and not np.isfinite(checked).all():
            return f"{name} is not finite"
    labels = getattr(fitted, "labels_", None)
    if labels is None:
        return None
    least = -1 if isinstance(fitted, WithOutliers) else 0
    counted = labels[~absent[last]] if labels.shape == last.shape else []
    if labels.shape != last.shape or labels.dtype.kind != "i" or counted.min(initial=0) < least:
        return "labels_ are no labels"
    limit = getattr(fitted, "n_clusters_", None) or fitted.n_clusters
    return None if counted.max(initial=0) < limit else f"labels_ are up to {counted.max()}"


def _wrong_sizes(fitting: Fitting, fitted: Any) -> str | None:
    if not isinstance(fitted, BKHK) or fitting.ends or fitting.weights is not None or fitted.sizes is None:
        return None
    sizes = np.bincount(fitted.labels_[fitted.labels_ >= 0], minlength=fitted.n_clusters_)
    if isinstance(fitted.sizes, str):
        return f"sizes from {sizes.min()} to {sizes.max()} are not equal" if np.ptp(sizes) > 1 else None
    least, most = fitted.sizes
    return None if least <= sizes.min() <= sizes.max() <= most else f"sizes are from {sizes.min()} to {sizes.max()}"


def _wrong_shares(together: dict[str, Any], absent: Any) -> str | None:
    if "predict_proba" not in together:
        return None
    shares, labels = together["predict_proba"][~absent], together["predict"][~absent]
    if shares.min(initial=0) < 0 or np.abs(shares.sum(axis=1) - 1).max(initial=0) > 1e-5:
        return "predict_proba are no shares"
    own = np.take_along_axis(shares, np.maximum(labels, 0)[:, np.newaxis], axis=1)[:, 0]
    is_largest = own >= shares.max(axis=1, initial=0) - 1e-5
    return None if (is_largest | (labels < 0)).all() else "predict is not the largest share of predict_proba"


def _unlike_again(fitting: Fitting, fitted: Any, together: dict[str, Any]) -> str | None:
    if not _has_seed(fitted):
        return None
    again = fitting.fit()
    learnt = _learnt(again)
    for name, value in _learnt(fitted).items():
        if not _are_equal(value, learnt[name]):
            return f"{name} differs from fit to fit"
    return _unlike(_outputs(again, fitting.X), together, "from fit to fit")


def _has_seed(fitted: Any) -> bool:
    clusterer = clusterer_of(fitted)  # None is an FSC without a seed
    return clusterer is not None and getattr(clusterer, "random_state", 0) is not None


def _unlike_pickled(fitting: Fitting, fitted: Any, together: dict[str, Any]) -> str | None:
    return _unlike(_outputs(pickle.loads(pickle.dumps(fitted)), fitting.X), together, "of a pickled copy")


def _unlike(found: dict[str, Any], together: dict[str, Any], when: str) -> str | None:
    return next((f"{verb} differs {when}" for verb in together if not _are_equal(found[verb], together[verb])), None)


def _are_equal(one: Any, other: Any) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def _unlike_one_by_one(fitting: Fitting, fitted: Any, together: dict[str, Any], rng: Any) -> str | None:
    X = fitting.X
    for number in range(min(n_rows_of(X), 5)):
        row = rows_of(X, [number])
        for verb, rows in _outputs(fitted, row).items():
            change = _change(rows[0], together[verb][number])
            if change > _tolerance(verb, together[verb], X) and not _is_undecided(fitted, verb, row, X, change, rng):
                return f"{verb} of row {number} differs from batch to batch by {change:.2g}"
    return None


def _change(one: Any, other: Any) -> float:
    """The largest difference; NaN is as NaN, and infinitely far from any number."""
    if one.shape != other.shape or not np.array_equal(np.isnan(one), np.isnan(other)):
        return np.inf
    return float(np.nan_to_num(np.abs(one - other)).max(initial=0))


def _unlike_of_the_fit(fitting: Fitting, fitted: Any, together: dict[str, Any], rng: Any) -> str | None:
    if not hasattr(fitted, "labels_") or "predict" not in together:
        return None
    last, clusterer = fitting.last, clusterer_of(fitted)
    for number in last[together["predict"][last] != fitted.labels_]:
        if isinstance(clusterer, BKHK) and (
            clusterer.assignment_ == "nearest" or fitting.weights is not None or _has_equals(fitting.X, number)
        ):
            continue  # rows without room at the nearest centre, and equal rows, are shared out, and the docs say so
        if not _is_undecided(fitted, "predict", rows_of(fitting.X, [number]), fitting.X, 0, rng):
            return f"predict of row {number} differs from labels_"
    return None


def _has_equals(X: Any, number: int) -> bool:
    rows = _dense(X)
    return np.count_nonzero((rows == rows[number]).all(axis=1)) > 1


def _tolerance(verb: str, whole: Any, X: Any) -> float:
    return 0.0 if verb == "predict" else (1e-3 if _is_single(X) else 1e-6) * float(np.nan_to_num(np.abs(whole)).max())


def _is_single(X: Any) -> bool:
    return hasattr(X, "dtype") and X.dtype in (np.float32, np.float16, np.bool_)


def _is_undecided(fitted: Any, verb: str, row: Any, X: Any, change: float, rng: Any) -> bool:
    """Whether rounding decides: the result of a row changes as much when the last digits of numbers of X's size do.

    Which of several equal anchors a row is tied to is decided by rounding too, and which of several rows that are equal
    up to rounding is the nearest, as the docs say.
    """
    clusterer = clusterer_of(fitted)
    anchors = clusterer.cluster_centers_ if isinstance(clusterer, BKHK) else getattr(clusterer, "anchors_", None)
    if anchors is not None and len(np.unique(anchors, axis=0)) < len(anchors):
        return True
    if _are_nearly_equal(clusterer, X, row).any():
        return True
    values = _dense(row).astype(np.float32 if _is_single(row) else float)
    eps, size = np.finfo(values.dtype).eps, float(np.nan_to_num(np.abs(_dense(X).astype(float))).max())
    size *= 2 * ROUNDING if isinstance(clusterer, BKHK) else 1  # so near to a plane, rows are tied
    moved = values * (1 + 8 * eps * rng.choice([-1, 1], (32, values.shape[1]))) + eps * size * (
        rng.standard_normal((32, values.shape[1]))
    )
    if getattr(clusterer, "metric", None) == "precomputed":
        moved = np.abs(moved)
    results = _outputs(fitted, np.vstack([values, moved]).astype(values.dtype))[verb]
    return bool(np.ptp(results, axis=0).max() >= max(change / 8, 1e-300))


def _are_nearly_equal(clusterer: Any, X: Any, row: Any) -> Any:
    """(n,) which rows are equal to a row up to rounding, but not exactly."""
    rows, own = (_dense(some).astype(float) for some in (X, row))
    if getattr(clusterer, "metric", None) == "cosine":
        with np.errstate(all="ignore"):
            rows, own = (some * (1 / np.linalg.norm(some, axis=1, keepdims=True)) for some in (rows, own))
    gaps = np.abs(rows - own).max(axis=1)
    return (gaps > 0) & (gaps <= 8 * np.finfo(np.float32 if _is_single(X) else float).eps * np.abs(own).max())


def _weigh_nothing(weights: Any) -> bool:
    """Whether some rows count no more than the rounding of others."""
    if weights is None:
        return False
    positive = np.asarray(weights, dtype=float)
    positive = positive[positive > 0]
    return bool(positive.min() < 1e-12 * positive.max())


def _unlike_sparse(fitting: Fitting, fitted: Any, numbers: Any, rng: Any) -> str | None:
    """Whether dense and sparse rows get other labels, though those of rows with other last digits are the same."""
    if numbers is None or not _has_seed(fitted) or not hasattr(fitted, "labels_"):
        return None
    if np.array_equal(fitted.labels_, fitting.fit(sparse.csr_array(numbers)).labels_):
        return None
    if _weigh_nothing(fitting.weights) or any(
        _are_nearly_equal(clusterer_of(fitted), numbers, row[np.newaxis]).any() for row in numbers
    ):
        return None
    for _ in range(8):
        moved = numbers * (1 + 4 * np.finfo(float).eps * rng.choice([-1, 1], numbers.shape))
        if not np.array_equal(fitting.fit(moved).labels_, fitted.labels_):
            return None
    return "labels of dense and sparse rows differ"
