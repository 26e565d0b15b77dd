"""Rows of unit length, between which Euclidean distances are those of cosine: ``‖u - v‖² = 2 - 2 cos(x, y)``."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Block, Floats
from anchorgraph.numerics.blocks import chunks, dense, row_bytes, stack, weigh
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.finite import RowError

SHORTEST = 1e-30
"""Rows that are shorter are scaled in float64: the inverse of their length may be too large for float32."""

SHORTEST_SQUARES = 1e-140
"""Lengths below this may have lost digits, because the squares of numbers of this size underflow."""


class ZeroRowError(RowError):
    """A row of zeros, which has no direction.

    Parameters
    ----------
    row : int
        Its number within its block.
    can_mask : bool
        Whether the estimator has ``missing="mask"``.
    """

    can_mask: bool

    def __init__(self, row: int, can_mask: bool = False) -> None:
        super().__init__(row)
        self.can_mask = can_mask

    def __str__(self) -> str:
        mask = ", or use missing='mask', which leaves them out" if self.can_mask else ""
        return (
            f"X has only zeros in {self.where or f'row {self.row}'}, which metric='cosine' cannot compare; remove such "
            f"rows{mask}."
        )


def unit_rows(block: Block, *, can_mask: bool = False) -> Block:
    """The row map ``x / ‖x‖``, dense or sparse, in the dtype of the rows; a row of zeros raises an error.

    Parameters
    ----------
    block : (n, d) Block
    can_mask : bool
        Whether the estimator has ``missing="mask"``, which the error then suggests.

    Returns
    -------
    (n, d) Block
    """
    norms = lengths(block)
    if not norms.all():
        raise ZeroRowError(int(np.flatnonzero(norms == 0)[0]), can_mask)
    inverse = 1 / norms
    dtype = block.dtype if norms.min(initial=1) > SHORTEST else np.dtype(np.float64)

    def scaled(part: slice) -> Any:
        return weigh(block[part].astype(dtype, copy=False), inverse[part].astype(dtype)).astype(block.dtype, copy=False)

    parts = chunks(block.shape[0], row_bytes(block))
    return stack(run(scaled, parts)) if parts else block


def lengths(block: Block) -> Floats:
    """(n,) lengths of rows, in float64; those of very short rows, whose squares underflow, after scaling."""

    def length(part: slice) -> Any:
        rows = block[part].astype(np.float64)
        norms = row_norms(rows)
        if (norms < SHORTEST_SQUARES).any():
            largest = dense(abs(rows).max(axis=1)).ravel()
            norms = largest * row_norms(weigh(rows, 1 / np.where(largest > 0, largest, 1)))
        return norms

    parts = chunks(block.shape[0], 2 * row_bytes(block))
    return np.concatenate(run(length, parts)) if parts else np.zeros(0)
