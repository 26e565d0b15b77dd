"""LPP on an anchor graph, solved as the generalised eigenproblem that ulge avoids (Tables 6 and 7)."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy.linalg import eigh

from anchorgraph.bench.forms import Rows

RIDGE = 0.01


def direct_lpp(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Seconds for ``XᵀLX w = μ (XᵀHX + αI) w`` with L of the graph of a fitted :class:`~anchorgraph.AnchorGraph`.

    The graph's degrees are one, so that ``XᵀLX = XᵀX - (XᵀZ) Δ⁻¹ (ZᵀX)``.
    """
    Z = model.fit_transform(data.X)
    X = np.asarray(data.X)
    start = time.perf_counter()
    X = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)  # the error of float32 sums would exceed the ridge
    scatter, ties = X.T @ X, Z.T @ X
    degrees = np.maximum(np.asarray(Z.sum(axis=0), dtype=np.float64).ravel(), 1e-12)
    local = scatter - ties.T @ (ties / degrees[:, None])
    eigh(local, scatter + RIDGE * np.eye(len(scatter)), subset_by_index=[0, data.n_classes - 1])
    return {"seconds": time.perf_counter() - start}
