"""An anchor graph that was computed elsewhere, as a row map: its rows are the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block
from anchorgraph.graph.anchor_graph import ROUNDING
from anchorgraph.numerics.finite import RowError


class NoGraphRowError(RowError):
    """A row that is not one of an anchor graph.

    Parameters
    ----------
    row : int
        Its number within its block.
    wrong : str
        What is wrong with it, such as "the sum 2".
    """

    args: tuple[Any, ...]
    wrong: str

    def __init__(self, row: int, wrong: str) -> None:
        super().__init__(row)
        self.args = (row, wrong)
        self.wrong = wrong

    def __str__(self) -> str:
        return (
            f"X has {self.wrong} in {self.where or f'row {self.row}'}, but with metric='precomputed' the rows of X are "
            "those of an anchor graph, which are not negative and sum to one; pass the output of AnchorGraph, or use "
            "metric='euclidean'."
        )


@dataclass(frozen=True)
class GivenGraph:
    """The row map from rows of Z to the same rows as a CSR array, after a check that they are such.

    Attributes
    ----------
    n_anchors : int
        m, the number of columns of Z.
    """

    n_anchors: int

    def __call__(self, block: Block) -> sparse.csr_array:
        """The rows of Z: refuses those that are negative or do not sum to one."""
        Z = sparse.csr_array(block)
        negative = np.flatnonzero(Z.data < 0)
        if len(negative):
            row = int(np.searchsorted(Z.indptr, negative[0], side="right")) - 1
            raise NoGraphRowError(row, f"the negative value {Z.data[negative[0]]:.3g}")
        sums = np.asarray(Z.sum(axis=1, dtype=np.float64))
        other = np.flatnonzero(~(np.abs(sums - 1) < ROUNDING))
        if len(other):
            raise NoGraphRowError(int(other[0]), f"the sum {sums[other[0]]:.6g}")
        return Z
