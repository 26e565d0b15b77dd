"""The input graph of ONGR and its reconstruction as matrices (ongr, Figures 2 and 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.scores import scores
from anchorgraph.bench.protocols.timed import timed
from anchorgraph.catalogue import CATALOGUE

SIDE = 90
"""Maximum side of a picture in pixels; larger matrices are averaged over groups of rows and columns."""


def reconstruction(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Eq. 7 and ``‖F - G‖²`` for the final G and the F that follows from it, and pictures of the matrices.

    The rows of W are sorted by class, those of the others by cluster. Matrices are n×n: for small data only.
    """
    labels, seconds = timed(lambda: model.fit_predict(data.X))
    params = {"anchors": model.anchors_, "n_neighbors": model.n_neighbors, "weighting": model.weighting_}
    graph: Any = CATALOGUE["anchor_graph"](**params)
    Z = graph.fit_transform(data.X).toarray().astype(np.float64)
    W = Z @ (Z / np.maximum(Z.sum(axis=0), 1e-12)).T  # ZΔ⁻¹Zᵀ
    G, lam = model.memberships_.astype(np.float64), model.lam
    U, _, Vt = np.linalg.svd(W @ G + lam * G, full_matrices=False)
    F = U @ Vt  # Eq. 11
    apart = float(np.sum((F - G) ** 2))
    found, true = np.argsort(labels, kind="stable"), np.argsort(data.y, kind="stable")
    pictures = {"W": W[np.ix_(true, true)], "FGᵀ": (F @ G.T)[np.ix_(found, found)], "F": F[found], "G": G[found]}
    return {
        "objective": float(np.sum((W - F @ G.T) ** 2)) + lam * apart,
        "‖F - G‖²": apart,
        **{f"picture of {name}": _shrunk(matrix) for name, matrix in pictures.items()},
        **scores(data.y, labels),
        **seconds,
    }


def _shrunk(matrix: np.ndarray) -> list[list[float]]:
    """Means over blocks, divided by the largest value."""
    for axis in (0, 1):
        if matrix.shape[axis] > SIDE:
            parts = np.array_split(np.arange(matrix.shape[axis]), SIDE)
            matrix = np.stack([matrix.take(part, axis=axis).mean(axis=axis) for part in parts], axis=axis)
    rows: list[list[float]] = np.round(np.clip(matrix / matrix.max(), 0, 1), 2).tolist()
    return rows
