"""What passes between the rooms: blocks of rows, tables, trees, anchors, spectra and projections.

Nothing here computes. A stage receives some of these objects, returns one of them, and knows no other stage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.integer[Any]]

Block: TypeAlias = Floats | Any
"""Some consecutive rows of a table, in its dtype: an array, or a ``scipy.sparse.csr_array``, which has no types."""

RowMap = Callable[..., Any]
"""``row_map(block, *aligned)`` returns one output row, dense or sparse, for each row of the block."""

SumStep = Callable[..., tuple[Any, ...]]
"""``step(block, *aligned)`` returns small arrays that are added up over the blocks."""


class RowTable(Protocol):
    """Rows of numbers that are read in blocks, wherever they are stored: a few facts and a few verbs.

    Verbs that go over all blocks take further tables of as many rows, ``aligned`` with the first: a step or a row map
    gets the same rows of these with its block.
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

    @property
    def is_sparse(self) -> bool:
        """Whether blocks are CSR arrays."""

    @property
    def weights(self) -> tuple[RowTable, ...]:
        """The weights of the rows as a table to go beside this one, where rows have weights; otherwise nothing."""

    @property
    def total_weight(self) -> float:
        """The sum of the weights; the number of rows without weights."""

    @property
    def n_counted(self) -> int:
        """How many rows :meth:`draw` takes to have each as often as its weight says: the sum of whole weights.

        With other weights it is the number of positive ones, and without weights the number of rows. It is for sizes
        of samples alone: how many clusters or anchors rows can have, the other numbers say.
        """

    @property
    def n_positive(self) -> int:
        """Number of rows of a positive weight; of all rows without weights. There are no more clusters or anchors."""

    @property
    def n_distinct(self) -> int:
        """Number of different rows of a positive weight, which numbers of anchors follow; of many rows, in a sample."""

    @property
    def weight_unit(self) -> float:
        """What the weight one was before weights were scaled: 1, unless they were extremely large or small."""

    @property
    def present(self) -> tuple[RowTable, ...]:
        """Whether each row has all values, as a table to go beside this one, where some have not; otherwise nothing.

        Rows that are not present have the weight zero.
        """

    def weight_of_each(self) -> Floats:
        """(n_rows,) weights in the memory of this process: ones, if the rows have none."""

    def weighted(self, weights: RowTable, *present: RowTable, unit: float = 1.0) -> RowTable:
        """The same table with these weights, which the tables that are made of it have too."""

    def take(self, rows: Integers) -> Block:
        """The rows with these numbers, in this order, as a copy that the caller may change."""

    def sample(self, n: int, rng: np.random.Generator) -> Block:
        """``n`` different rows, chosen in proportion to their weights."""

    def positive_rows(self) -> Integers:
        """Numbers of the rows of a positive weight: all rows without weights."""

    def row_counts(self, per_row: int, at_least: int = 1) -> Integers:
        """(n_rows,) how often each row counts: its weight, rounded where ``per_row`` on average would not do."""

    def draw(self, n: int, rng: np.random.Generator) -> Block:
        """``n`` rows that represent the table: each as often as its weight says."""

    def rows(self) -> Any:
        """All rows: an array, or a lazy Dask array."""

    def view(self, row_map: RowMap, names: list[str] | None = None) -> RowTable:
        """A table of what ``row_map`` makes of these rows, each time that they are read: nothing is copied."""

    def sum_blocks(self, step: SumStep, *aligned: RowTable) -> tuple[Any, ...]:
        """The sum over all blocks of what ``step`` returns, accumulated in float64."""

    def map_rows(self, row_map: RowMap, *aligned: RowTable) -> Any:
        """What ``row_map`` returns for each block, stacked in the order of the rows."""

    def write_rows(self, row_map: RowMap, target: Any, names: list[str]) -> Path | str:
        """What ``row_map`` returns for each block, written to a file or folder block by block."""

    def keep(self, row_map: RowMap, *aligned: RowTable) -> RowTable:
        """What ``row_map`` returns, computed once and kept near the rows for several passes."""

    def keep_and_sum(self, row_map: RowMap, step: SumStep, *aligned: RowTable) -> tuple[RowTable, tuple[Any, ...]]:
        """Both :meth:`keep` and :meth:`sum_blocks` in one pass.

        The sum is over what ``step(rows, block, *aligned)`` returns for each block and its ``rows = row_map(block)``.
        """

    def checked(self, refuse: Callable[[], None]) -> RowTable:
        """The same table, whose numbers are checked when they are first read.

        ``refuse`` is called if one cannot be used, and raises the error.
        """

    def align(self, array: Any) -> RowTable:
        """An array with an entry for each row as a table of the same blocks, to go beside this one."""

    def numbers(self) -> RowTable:
        """The number of each row, from 0 on, as a table of the same blocks, to go beside this one."""


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
        How many connected parts the graph is seen to have, or groups of them: one more than the non-trivial singular
        values equal to one.
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


class AnchorSelector(Protocol):
    """How anchors are found: a frozen dataclass of its options."""

    def select(self, table: RowTable, n_anchors: int, seed: int) -> Anchors:
        """About ``n_anchors`` anchors of a table; the same seed gives the same ones."""


class Weighting(Protocol):
    """Weights of a row's nearest anchors from the squared distances h to them: a frozen dataclass of its options.

    ``n_extra`` says how many neighbours beyond the k kept it needs to see.
    """

    n_extra: ClassVar[int]

    def resolve(self, table: RowTable, anchors: Anchors, n_neighbors: int, rng: np.random.Generator) -> Weighting:
        """The same with what it learns from the data and their anchors; k is ``n_neighbors``."""

    def weights(self, h: Floats, columns: Integers) -> Floats:
        """(n, k) weights that sum to one, from (n, k + n_extra) squared distances, nearest first.

        ``columns``, of the same shape, are the numbers of the anchors.
        """


class NearestAnchors(Protocol):
    """A search that is prepared for some anchors, with the name that ``search_`` shows."""

    name: ClassVar[str]

    def nearest(self, block: Block, k: int) -> tuple[Integers, Floats]:
        """Each row's ``k`` nearest anchors, nearest first, and the squared distances to them, both (n, k)."""


class Search(Protocol):
    """How a row's nearest anchors are found: a frozen dataclass of its options."""

    def prepare(self, anchors: Anchors, k: int, n_rows: int) -> NearestAnchors:
        """The search for up to ``k`` of these anchors, for about ``n_rows`` rows."""


class Rounding(Protocol):
    """How rows of an embedding become clusters: a frozen dataclass of its options."""

    def round(self, rows: RowTable, n_clusters: int, seed: int) -> Assignment:
        """The assignment of any row of the embedding to one of ``n_clusters`` clusters."""
