"""Rows of unit length, between which Euclidean distances are those of cosine: ``‖u - v‖² = 2 - 2 cos(x, y)``."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Block, Floats
from anchorgraph.numerics.blocks import chunks, row_bytes, stack, weigh
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.finite import RowError


class ZeroRowError(RowError):
    """A row of zeros, which has no direction."""

    def __str__(self) -> str:
        return (
            f"X has only zeros in {self.where or f'row {self.row}'}, which metric='cosine' cannot compare; remove such "
            "rows, or use missing='mask', which leaves them out."
        )


def unit_rows(block: Block) -> Block:
    """The row map ``x / ‖x‖``, dense or sparse, in the dtype of the rows; a row of zeros raises an error.

    Parameters
    ----------
    block : (n, d) Block

    Returns
    -------
    (n, d) Block
    """
    norms = lengths(block)
    if not norms.all():
        raise ZeroRowError(int(np.flatnonzero(norms == 0)[0]))
    inverse = (1 / norms).astype(block.dtype)
    parts = chunks(block.shape[0], row_bytes(block))
    return stack(run(lambda part: weigh(block[part], inverse[part]), parts)) if parts else block


def lengths(block: Block) -> Floats:
    """(n,) lengths of rows, in float64."""

    def length(part: slice) -> Any:
        return row_norms(block[part].astype(np.float64))

    parts = chunks(block.shape[0], 2 * row_bytes(block))
    return np.concatenate(run(length, parts)) if parts else np.zeros(0)
