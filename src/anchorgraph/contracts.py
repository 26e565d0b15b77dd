"""What passes between the rooms: blocks of rows, tables, trees, anchors, spectra and projections.

Nothing here computes. A stage receives some of these objects, returns one of them, and knows no other stage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.integer[Any]]

Block: TypeAlias = Floats | sparse.csr_array
"""Some consecutive rows of a table, in its dtype: dense, or sparse by rows."""

Span = slice
"""Which rows of the table a block holds."""

RowMap = Callable[..., Any]
"""``row_map(block, span, *beside)`` returns one output row, dense or sparse, for each row of the block."""

SumStep = Callable[..., tuple[Any, ...]]
"""``step(block, span, *beside)`` returns small arrays that are added up over the blocks."""


class RowTable(Protocol):
    """Rows of numbers that are read in blocks, wherever they are stored: a few facts and five verbs.

    Verbs that go over all blocks take further tables of as many rows; a step or a row map gets the same rows of these
    ``beside`` its block.
    """

    @property
    def n_rows(self) -> int: ...

    @property
    def n_cols(self) -> int: ...

    @property
    def dtype(self) -> np.dtype[Any]: ...

    @property
    def row_bytes(self) -> int:
        """Memory that a row takes on average, for stages that cut their work to size."""

    @property
    def names(self) -> list[str] | None:
        """Names of the columns, where the source has them."""

    @property
    def in_memory(self) -> bool:
        """Whether all rows are in this process's memory."""

    def place(self, row: int) -> str:
        """Where a row is, in words, for errors."""

    def take(self, rows: Integers) -> Block:
        """The rows with these numbers, in this order, as a copy that the caller may change."""

    def sum_blocks(self, step: SumStep, *beside: RowTable) -> tuple[Any, ...]:
        """The sum over all blocks of what ``step`` returns, accumulated in float64."""

    def map_rows(self, row_map: RowMap, *beside: RowTable) -> Any:
        """What ``row_map`` returns for each block, stacked in the order of the rows."""

    def write_rows(self, row_map: RowMap, target: Any, names: list[str]) -> Path:
        """What ``row_map`` returns for each block, written to a file or folder as it comes."""

    def keep(self, row_map: RowMap, *beside: RowTable) -> RowTable:
        """What ``row_map`` returns, computed once and kept near the rows for several passes."""


@dataclass(frozen=True)
class BinaryTree:
    """A tree of hyperplanes whose leaves are the anchors, numbered from left to right.

    Attributes
    ----------
    children : (m-1, 2) integers
        Left and right child of each inner node; ``~j`` stands for leaf ``j``. Nodes are in breadth-first order,
        so the first ones are the top of the tree. A tree of one leaf has no inner node.
    directions : (m-1, d) floats
        Normal ``w`` of each node's hyperplane.
    thresholds : (m-1,) floats
        A row ``x`` goes left where ``(x - centre) @ w <= threshold``.
    centre : (d,) floats
        Subtracted first, because float32 products of rows far from the origin lose the digits that decide.
    """

    children: Integers
    directions: Floats
    thresholds: Floats
    centre: Floats


@dataclass(frozen=True)
class Anchors:
    """The points that stand for the data (m, d), and the tree that found them where there is one."""

    points: Floats
    tree: BinaryTree | None = None


@dataclass(frozen=True)
class Spectrum:
    """The leading non-trivial singular triplets of ``B = Z diag(degrees)^-1/2``.

    Attributes
    ----------
    singular_values : (p,) floats
        Largest first, the trivial one left out.
    anchor_map : (m, p) floats
        ``diag(degrees)^-1/2 V diag(singular_values)^-1``: a row of Z times this is that row's embedding, for rows seen
        in ``fit`` and for new ones.
    n_parts : int
        How many connected parts the graph is seen to have: one more than the non-trivial singular values equal to one.
    """

    singular_values: Floats
    anchor_map: Floats
    n_parts: int


@dataclass(frozen=True)
class LinearMap:
    """``x ↦ (x - mean) @ components.T``: what a projection method learns.

    Attributes
    ----------
    components : (p, d) floats
        Wᵀ: one direction a row.
    mean : (d,) floats
        Subtracted from a row first.
    """

    components: Floats
    mean: Floats


@dataclass(frozen=True)
class Assignment:
    """Clusters as the largest of linear scores, ``argmax_c f·directions[:, c] + offsets[c]``, of an embedding's rows f.

    The nearest of several means is of this form, and so is the nearest axis after a rotation.

    Attributes
    ----------
    directions : (p, c) floats
    offsets : (c,) floats
    """

    directions: Floats
    offsets: Floats


@dataclass(frozen=True)
class Reconstruction:
    """What ONGR's rounds leave behind: enough to take any row z of Z through them.

    Attributes
    ----------
    start : (m, c) floats
        ``f = z @ start`` before the first round.
    of_f, of_g : (t, m, c) floats
        ``Δ⁻¹ZᵀF`` and ``Δ⁻¹ZᵀG`` of each round.
    polars, completions : (t, c, c) floats
        Of each round: the next ``f = m @ polar + (z @ start) @ completion``, for the row m of ``M = AG + λG``.
    votes : (m, c) floats
        ``Δ⁻¹Zᵀ`` of the labels: the clusters of a row's neighbours, for rows whose memberships are all zero.
    lam : float
        λ.
    """

    start: Floats
    of_f: Floats
    of_g: Floats
    polars: Floats
    completions: Floats
    votes: Floats
    lam: float
