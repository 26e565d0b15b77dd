"""Starting points of ONGR's iterations: rotations of the leading singular vectors, equivalent as spectral solutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, RowTable
from anchorgraph.labels.rotation import QRRounding, RotationRounding
from anchorgraph.numerics.progress import stage


@stage("clusters")
def sign_rotation(rows: RowTable, seed: int) -> Floats:
    """Give each vector the sign for which its positive part is larger: clipping would set a negative vector to zero."""

    def squares(block: Floats) -> tuple[Any, ...]:
        return np.sum(np.maximum(block, 0) ** 2, axis=0), np.sum(np.maximum(-block, 0) ** 2, axis=0)

    positive, negative = rows.sum_blocks(squares)
    return np.diag(np.where(negative > positive, -1.0, 1.0))


def qr_rotation(rows: RowTable, seed: int) -> Floats:
    """The rotation that takes the most different rows to the axes."""
    return QRRounding().round(rows, rows.n_cols, seed).directions


def indicator_rotation(rows: RowTable, seed: int) -> Floats:
    """The rotation nearest to indicators of clusters."""
    return RotationRounding().round(rows, rows.n_cols, seed).directions


STARTS: dict[str, Callable[[RowTable, int], Floats]] = {
    "singular": sign_rotation,
    "qr": qr_rotation,
    "rotation": indicator_rotation,
}
