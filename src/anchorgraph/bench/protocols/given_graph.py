"""Ways from a graph to an embedding, timed without the graph (ulge, Tables 6 and 7)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import eigh

from anchorgraph.bench.forms import Rows
from anchorgraph.numerics.execution import execution
from anchorgraph.projection import ridge, ridge_solution
from anchorgraph.spectrum import anchor_gram, anchor_spectrum, embedding
from anchorgraph.table import as_table

RIDGE = 0.01


def given_graph(data: Rows, model: Any, seed: int, *, way: str = "regression") -> dict[str, Any]:
    """Seconds from the rows Z of a fitted :class:`~anchorgraph.AnchorGraph` to an embedding.

    The way is "regression" on the columns of the rows (ULGE), "compressed" regression on Z (CSR), or the
    "eigenproblem" that the former avoids (LPP).
    """
    Z, X = model.fit_transform(data.X), np.asarray(data.X)
    start = time.perf_counter()
    with execution():
        WAYS[way](Z, X, data.n_classes)
    return {"seconds": time.perf_counter() - start}


def _regression(Z: Any, X: np.ndarray, n_components: int) -> np.ndarray:
    table = as_table(Z)
    spectrum = anchor_spectrum(*anchor_gram(table), n_components)
    return ridge(as_table(X), table.view(embedding(spectrum, X.dtype)), RIDGE).components


def _compressed(Z: Any, X: np.ndarray, n_components: int) -> np.ndarray:
    gram, degrees = anchor_gram(as_table(Z))
    spectrum = anchor_spectrum(gram, degrees, n_components)
    return ridge_solution(gram, gram @ spectrum.anchor_map, RIDGE).T


def _eigenproblem(Z: Any, X: np.ndarray, n_components: int) -> np.ndarray:
    """``XᵀLX w = μ (XᵀHX + αI) w``; the graph's degrees are one, so that ``XᵀLX = XᵀX - (XᵀZ) Δ⁻¹ (ZᵀX)``."""
    X = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)  # the error of float32 sums would exceed the ridge
    scatter, ties = X.T @ X, Z.T @ X
    degrees = np.maximum(np.asarray(Z.sum(axis=0), dtype=np.float64).ravel(), 1e-12)
    local = scatter - ties.T @ (ties / degrees[:, None])
    _, directions = eigh(local, scatter + RIDGE * np.eye(len(scatter)), subset_by_index=[0, n_components - 1])
    return np.asarray(directions.T)


WAYS: dict[str, Callable[[Any, np.ndarray, int], np.ndarray]] = {
    "regression": _regression,
    "compressed": _compressed,
    "eigenproblem": _eigenproblem,
}
"""Directions, or coefficients, one per row."""
