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


def _regression(Z: Any, X: np.ndarray, n_components: int) -> None:
    table = as_table(Z)
    spectrum = anchor_spectrum(*anchor_gram(table), n_components)
    ridge(as_table(X), table.view(embedding(spectrum, X.dtype)), RIDGE)


def _compressed(Z: Any, X: np.ndarray, n_components: int) -> None:
    gram, degrees = anchor_gram(as_table(Z))
    spectrum = anchor_spectrum(gram, degrees, n_components)
    ridge_solution(gram, gram @ spectrum.anchor_map, RIDGE)


def _eigenproblem(Z: Any, X: np.ndarray, n_components: int) -> None:
    """``XᵀLX w = μ (XᵀHX + αI) w``; the graph's degrees are one, so that ``XᵀLX = XᵀX - (XᵀZ) Δ⁻¹ (ZᵀX)``."""
    X = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)  # the error of float32 sums would exceed the ridge
    scatter, ties = X.T @ X, Z.T @ X
    degrees = np.maximum(np.asarray(Z.sum(axis=0), dtype=np.float64).ravel(), 1e-12)
    local = scatter - ties.T @ (ties / degrees[:, None])
    eigh(local, scatter + RIDGE * np.eye(len(scatter)), subset_by_index=[0, n_components - 1])


WAYS: dict[str, Callable[[Any, np.ndarray, int], None]] = {
    "regression": _regression,
    "compressed": _compressed,
    "eigenproblem": _eigenproblem,
}
