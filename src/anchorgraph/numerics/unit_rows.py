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

LARGEST_EXPONENT = 1000
"""Very short rows are multiplied by up to this power of two first: the inverse of their length may be too large too."""

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
    return _scaled(block, norms)


def to_unit_length(block: Block) -> Block:
    """:func:`unit_rows`, but rows of zeros stay."""
    return _scaled(block, lengths(block))


def _scaled(block: Block, norms: Floats) -> Block:
    """The rows divided by their lengths, where these are not zero."""
    is_short = norms.min(initial=1, where=norms > 0) <= SHORTEST
    if is_short:
        exact = weigh(block.astype(np.float64), _lift(norms))
        norms = lengths(exact)
    inverse = 1 / np.where(norms > 0, norms, 1)

    def scaled(part: slice) -> Any:
        rows = exact[part] if is_short else block[part]
        return weigh(rows, inverse[part].astype(rows.dtype)).astype(block.dtype, copy=False)

    parts = chunks(block.shape[0], row_bytes(block))
    return stack(run(scaled, parts)) if parts else block


def _lift(sizes: Floats) -> Floats:
    """Powers of two that make numbers below :data:`SHORTEST` larger than that; 1 for others."""
    lifts: Floats = np.ldexp(1.0, np.where(sizes > SHORTEST, 0, np.minimum(-np.frexp(sizes)[1], LARGEST_EXPONENT)))
    return lifts


def lengths(block: Block) -> Floats:
    """(n,) lengths of rows, in float64; those of very short rows, whose squares underflow, after scaling."""

    def length(part: slice) -> Any:
        rows = block[part].astype(np.float64)
        norms = row_norms(rows)
        short = np.flatnonzero(norms < SHORTEST_SQUARES)
        if len(short):
            lift = _lift(dense(abs(rows[short]).max(axis=1)).ravel())
            norms[short] = row_norms(weigh(rows[short], lift)) / lift
        return norms

    parts = chunks(block.shape[0], 2 * row_bytes(block))
    return np.concatenate(run(length, parts)) if parts else np.zeros(0)
