"""Values of parameters, ordinary and odd, and estimators with some of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from anchorgraph import Adaptive, Gaussian, Inverse

PARAMETERS: dict[str, tuple[list[Any], list[Any]]] = {
    "n_clusters": ([2, 3, 5], [1, None, 0, -1, 40, 1000, 2.5, "x", np.int64(3), True]),
    "min_cluster_size": ([None, 3, 8], [1, 0, 1000, 2.5, "x", True]),
    "n_components": ([1, 2, 3], [0, 7, 12, 50, 2.0, None]),
    "n_anchors": ([None, 8, 16], [1, 2, 3, 40, 1000, 0, "x", np.int32(8)]),
    "n_neighbors": ([2, 3, 5], [1, 8, 30, 0, -2, 1000, None]),
    "anchors": (
        ["bkhk", "kmeans", "random", "hk"],
        ["x", 3, None, KMeans(6, n_init=1, random_state=0), np.zeros((6, 4)), 1e200 * np.eye(4)],
    ),
    "weighting": (
        ["adaptive", "gaussian", "inverse", "self-tuning", Gaussian(1.0), Gaussian("local"), Inverse(1.5)],
        [Adaptive(), Gaussian(1e-100), Gaussian(1e100), Gaussian(1e-8), Inverse(1.0001), Inverse(1e6), "x", None],
    ),
    "search": (["auto", "exact", "tree"], ["x", None]),
    "parts": (["join", "literal"], ["x", None]),
    "metric": (["euclidean", "cosine"], ["precomputed", "affinity", "x", None]),
    "missing": (["error", "mask"], ["x", None]),
    "rounding": (["kmeans", "rotation", "qr"], ["x"]),
    "normalisation": (["rows", "none"], [None]),
    "trivial": (["auto", "drop", "keep"], ["x"]),
    "n_init": ([1, 3], [0, "auto"]),
    "init": (["best", "singular", "qr", "rotation", "random"], ["x"]),
    "plus": (["clip", "abs"], ["x", None]),
    "loss": (["squared", "l21"], ["x", None]),
    "sparsity": ([0.0, 1e-3], [1e300, 1e-300, -1, np.nan, "x", 10**400, True]),
    "scale": (["total", "within"], ["x", None]),
    "kmeans_rounds": ([5, 1], [0, -1, "x", None]),
    "lam": ([1e-3, 0.1, 0], [10, 1e6, 1e300, 1e-300, -1, np.nan, "x", 10**400, True]),
    "alpha": ([0.01, 1e-6, 0.1], [0, 1, 1e-300, 1e300, -1, np.nan, None, 10**400, np.ones(2), np.float32(0.1)]),
    "sigma": (["mean", 1.0], [1e-300, 1e300, 1e-8, 1e8, 0, -1, np.nan, "local", "x", 10**400, np.ones(2), True]),
    "kernel": ([None, "rbf", "linear"], ["poly", "sigmoid", "cosine", "laplacian", "chi2", "additive_chi2", "x"]),
    "gamma": ([None, 0.5], [1e-300, 1e300, 0, -1, 10**400, "x"]),
    "degree": ([3, 2], [0, 50, 1e6, 0.5, -1]),
    "coef0": ([1, 0], [1e300, -1e300, -5]),
    "max_iter": ([100, 5], [1, 0, "x"]),
    "tol": ([1e-3, 0.05], [0, 0.999, 1, -1, False, np.ones(2)]),
    "max_samples": ([None, 20], [2, 1, 0]),
    "resolution": ([None, 1.0, 0.5, 2.0], [1e-100, 1e100, 0, -1, 1e300, np.nan, "x", True]),
    "sizes": (["equal", None, (1, 1000), (3, 9)], ["x", (5, 2), (0, 1), (3,), 7, (np.nan, 9), (8, 12)]),
    "n_rounds": ([1, 2], [0, 2.5, "x", None]),
    "assignment": (["auto", "routed", "nearest"], ["x", None]),
    "mode": (["distance", "connectivity"], ["x", None]),
    "graph": (["auto", "rows", "anchors"], ["x", None]),
    "kind": (["directed", "mutual", "union", "fuzzy"], ["x", None]),
    "penalty": ([1e-6, 0.1], [1e-300, 1e300, 0]),
    "ridge": ([0.01, 0.1], [1e-300, 1e300, 0]),
    "delta": ([1.0, 10.0], [1e-300, 1e300, 0]),
    "r": ([2.0, 1.5], [1.0001, 1e6, 1, np.nan]),
    "anchors_per_class": ([5, 3], ["auto", 1, 100, 0, "x"]),
    "max_subclasses": ([10, 2], [1, 0]),
    "random_state": (
        [0, 1],
        [None, -1, 2**32, 2**70, True, "x", 1.5, np.random.RandomState(0), np.random.default_rng(0)],
    ),
    "contamination": ([0.05, 0.2, 0.5], [1e-300, 0.6, 0, np.nan, "x", True, None]),
    "estimator": ([], [KMeans(3), None, 3, "x"]),
    "numbers": ([(2, 3), (5, 2), range(2, 8)], [(), (1, 2), (2.5,), (2, 1000), 3, "x", None]),
    "n_resamples": ([1, 3], [0, 2.5, "x", None]),
    "n_jobs": ([1], [None, 2, -1, 0, "x", 1.5]),
}
"""Values of each parameter: ordinary ones, and odd ones."""


def with_parameters(rng: Any, model: Any) -> Any:
    """A model with some of its parameters changed; half of all models have only ordinary values."""
    chosen = {}
    share = 0.58 if rng.random() < 0.5 else 0.5
    for name in model.get_params(deep=False):
        ordinary, odd = PARAMETERS[name]
        draw = rng.random()
        values = ordinary if draw < 0.5 else odd if draw < share else []
        if values:
            chosen[name] = values[int(rng.integers(len(values)))]
    if "random_state" in model.get_params(deep=False) and "random_state" not in chosen:
        chosen["random_state"] = 0
    return model.set_params(**chosen)
