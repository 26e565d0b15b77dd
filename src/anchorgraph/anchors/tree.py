"""Grow a binary tree over a table, level by level.

A :class:`SplitRule` says how nodes are split; ``bkhk`` and ``hk`` differ only in their rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from anchorgraph.anchors.coordinates import FAR, few_coordinates
from anchorgraph.anchors.nodes import STACK_BYTES, Nodes, is_large, nodes_of
from anchorgraph.contracts import Anchors, BinaryTree, Floats, Integers, RowTable
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.blocks import chunks, row_bytes, weigh
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import sums_by_group
from anchorgraph.numerics.progress import portion, stage

COUNTS_A_ROW = 8
"""Weights are rounded so that they stand for at most this number of rows for each row, on average."""

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Splits:
    """How each of b nodes is split.

    Attributes
    ----------
    is_left : (b, n) booleans
        Whether a row goes to the left child.
    n_left_leaves : (b,) integers
        Number of leaves that the left child gets; 0 if all rows of a node are equal, so that it becomes a leaf.
    directions : (b, d) floats
        Normals of the hyperplanes between the children.
    thresholds : (b,) floats
    n_iter : int
        Number of iterations, of the node that took most.
    """

    is_left: NDArray[np.bool_]
    n_left_leaves: Integers
    directions: Floats
    thresholds: Floats
    n_iter: int


class SplitRule(Protocol):
    """How nodes with the same numbers of rows and of leaves are split."""

    @property
    def in_all_columns(self) -> bool:
        """Whether nodes are split in all columns, and not only in the few coordinates of a table with many columns."""

    def needs_start(self, n_rows: int) -> bool:
        """Whether nodes of ``n_rows`` rows, if they are split in all columns, start in the few coordinates."""

    def start(self, nodes: Nodes, n_leaves: int, rngs: Iterable[np.random.Generator]) -> NDArray[np.bool_]:
        """(b, n) booleans: which rows of nodes are left at the start, if the split goes on in more coordinates."""

    def split(
        self, nodes: Nodes, is_left: NDArray[np.bool_] | None, n_leaves: int, rngs: Iterable[np.random.Generator]
    ) -> Splits:
        """The splits of nodes, from the halves of a start or without."""


@dataclass(frozen=True)
class GrownTree:
    """The anchors with their tree.

    Attributes
    ----------
    anchors : Anchors
    labels : (n,) integers, or None
        The leaf of each row, if known: a row with a weight can be in several.
    n_iter : int
        Number of iterations, of the split that took most.
    is_of_all : bool
        Whether it was grown on all rows, and not on a sample.
    """

    anchors: Anchors
    labels: Integers | None
    n_iter: int
    is_of_all: bool = True


@dataclass(frozen=True)
class _Node:
    """Rows that are to become ``n_leaves`` leaves; ``number`` is the depth-first number of the node in the tree."""

    number: int
    index: Integers
    n_leaves: int

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.index), self.n_leaves


@dataclass(frozen=True)
class _Plane:
    """The hyperplane of a node that was split, and the numbers of its children."""

    direction: Floats
    threshold: float
    children: tuple[int, int]


@stage("anchors")
def grow(table: RowTable, n_leaves: int, rule: SplitRule, *, seed: int) -> GrownTree:
    """Split all rows of a table by ``rule`` until each node has one leaf.

    The random numbers of a node are generated from ``(seed, number of the node)``, so the tree does not depend on the
    order in which nodes are split.

    Parameters
    ----------
    table : RowTable
    n_leaves : int
    rule : SplitRule
    seed : int

    Returns
    -------
    GrownTree
    """
    with one_blas_thread:
        return _grow(table, n_leaves, rule, seed)


def _grow(table: RowTable, n_leaves: int, rule: SplitRule, seed: int) -> GrownTree:
    few = few_coordinates(table, np.random.default_rng(seed))
    rows = table if few is None or rule.in_all_columns else few.rows
    centre = _centre(rows)
    counts = table.row_counts(COUNTS_A_ROW, n_leaves)  # a row of weight 2 can be divided

    def rngs(batch: list[_Node]) -> Iterator[np.random.Generator]:
        # lazily, because creating a generator takes longer than the start of a small node
        return (np.random.default_rng([seed, node.number]) for node in batch)

    def starts_in(sketch: RowTable, nodes: list[_Node]) -> dict[int, NDArray[np.bool_]]:
        def start(batch: list[_Node]) -> NDArray[np.bool_]:
            return rule.start(nodes_of(sketch, _index(batch), 0), batch[0].n_leaves, rngs(batch))

        started = [node for node in nodes if rule.needs_start(len(node.index))]
        outcomes = _over_batches(start, started, sketch)
        return {node.number: left for batch, halves in outcomes for node, left in zip(batch, halves, strict=True)}

    def split(batch: list[_Node]) -> Splits:
        is_left = np.stack([starts[node.number] for node in batch]) if batch[0].number in starts else None
        return rule.split(nodes_of(rows, _index(batch), centre), is_left, batch[0].n_leaves, rngs(batch))

    planes: dict[int, _Plane] = {}
    leaves: list[_Node] = []
    n_iter = 0
    level = [_Node(0, np.repeat(np.arange(table.n_rows), counts), n_leaves)]
    while level:
        leaves += [node for node in level if node.n_leaves == 1]
        inner = [node for node in level if node.n_leaves > 1]
        starts = starts_in(few.rows, inner) if few is not None and rule.in_all_columns else {}
        with portion(len(planes), n_leaves):
            outcomes = list(_over_batches(split, inner, rows))
        level = []
        for batch, splits in outcomes:
            n_iter = max(n_iter, splits.n_iter)
            for i, node in enumerate(batch):
                if splits.n_left_leaves[i] == 0:
                    leaves.append(node)
                    continue
                left, right = _children(node, splits.is_left[i], int(splits.n_left_leaves[i]))
                planes[node.number] = _Plane(splits.directions[i], splits.thresholds[i], (left.number, right.number))
                level += [left, right]
    leaves.sort(key=lambda node: node.number)
    tree = _tree(planes, leaves, centre)
    return GrownTree(
        Anchors(_leaf_means(table, leaves), tree if few is None or rows is table else few.in_all_columns(tree)),
        None if table.weights else _labels(table, leaves),
        n_iter,
    )


def _shares(table: RowTable, index: Integers) -> Floats | None:
    """The weight of each entry of an index: that of its row, shared between the entries of this row."""
    if not table.weights:
        return None
    weights = table.weight_of_each()
    shares: Floats = (weights / np.maximum(np.bincount(index, minlength=len(weights)), 1))[index]
    return shares


def _centre(table: RowTable) -> Floats:
    """What is subtracted from rows before they are projected: their mean if it is far from the origin, else zeros.

    Up to a distance of ten times the spread of the rows, float32 is accurate enough without a shift. Sparse rows are
    never shifted, so that they stay sparse.
    """
    if table.is_sparse:
        return np.zeros(table.n_cols, dtype=table.dtype)

    def shares(weights: Floats) -> Floats:
        return (weights / table.total_weight).astype(table.dtype)  # weights may be too large for float32

    def moments(part: slice, block: Floats, *weights: Floats) -> Floats:
        rows = block[part]
        of_rows = shares(weights[0][part]) if weights else np.ones(len(rows), dtype=rows.dtype)
        squares = np.vdot(rows, weigh(rows, of_rows) if weights else rows)
        return np.append(of_rows @ rows, squares).astype(np.float64)

    def step(block: Floats, *weights: Floats) -> tuple[Any, ...]:
        parts = chunks(len(block), row_bytes(block))
        return (np.sum(run(lambda part: moments(part, block, *weights), parts), axis=0),)

    (sums,) = table.sum_blocks(step, *table.weights)
    mean, square = np.split(sums if table.weights else sums / table.n_rows, [-1])
    is_far = mean @ mean > FAR * max(square[0] - mean @ mean, 0)
    centre: Floats = (mean if is_far else np.zeros_like(mean)).astype(table.dtype)
    return centre


def _over_batches(
    work: Callable[[list[_Node]], _Result], nodes: list[_Node], table: RowTable
) -> Iterator[tuple[list[_Node], _Result]]:
    """Batches of nodes with what ``work`` returns for them.

    Batches of small nodes are distributed over the threads; a large node is handled by all threads together.
    """
    batches = _batches(nodes, table)
    large = [batch for batch in batches if is_large(table, len(batch[0].index))]
    small = [batch for batch in batches if not is_large(table, len(batch[0].index))]
    return zip([*large, *small], [*map(work, large), *run(work, small)], strict=True)


def _batches(nodes: list[_Node], table: RowTable) -> list[list[_Node]]:
    """Nodes of the same shape together, as many as fit into a stack; sparse nodes and large ones alone."""
    stack_rows = 0 if table.is_sparse else STACK_BYTES // table.row_bytes
    batches = []
    for (n_rows, _), group in groupby(sorted(nodes, key=lambda node: node.shape), key=lambda node: node.shape):
        same = list(group)
        step = max(1, stack_rows // n_rows)
        batches += [same[start : start + step] for start in range(0, len(same), step)]
    return batches


def _index(batch: list[_Node]) -> Integers:
    return np.stack([node.index for node in batch])


def _children(node: _Node, is_left: NDArray[np.bool_], n_left_leaves: int) -> tuple[_Node, _Node]:
    """The children of a node; a subtree of q leaves takes 2q - 1 numbers."""
    left = _Node(node.number + 1, node.index[is_left], n_left_leaves)
    right = _Node(node.number + 2 * n_left_leaves, node.index[~is_left], node.n_leaves - n_left_leaves)
    return left, right


def _leaf_means(table: RowTable, leaves: list[_Node]) -> Floats:
    """(m, d) means of the rows of each leaf, summed in float64."""
    index = np.concatenate([node.index for node in leaves])
    ends = np.cumsum([len(node.index) for node in leaves])
    shares = _shares(table, index)

    def sums(part: slice) -> tuple[Integers, Floats]:
        """The leaves that a chunk of rows belongs to, and the sums over their rows."""
        leaf_of = np.searchsorted(ends, np.arange(part.start, part.stop), "right")
        touched, groups = np.unique(leaf_of, return_inverse=True)
        own = None if shares is None else shares[part]
        return touched, sums_by_group(table.take(index[part]), groups, len(touched), own)[0]

    points = np.zeros((len(leaves), table.n_cols))
    for touched, total in run(sums, chunks(len(index), table.row_bytes)):
        points[touched] += total
    starts = np.concatenate([[0], ends[:-1]])
    sizes = np.diff(ends, prepend=0) if shares is None else np.add.reduceat(shares, starts)
    points /= sizes[:, np.newaxis]
    return points.astype(table.dtype, copy=False)


def _labels(table: RowTable, leaves: list[_Node]) -> Integers:
    """(n,) leaf of each row."""
    labels = np.empty(table.n_rows, dtype=np.intp)
    for leaf, node in enumerate(leaves):
        labels[node.index] = leaf
    return labels


def _tree(planes: dict[int, _Plane], leaves: list[_Node], centre: Floats) -> BinaryTree:
    """The hyperplanes as arrays in breadth-first order."""
    order = [0] if planes else []
    for number in order:
        order += [child for child in planes[number].children if child in planes]
    position = {number: i for i, number in enumerate(order)} | {node.number: ~leaf for leaf, node in enumerate(leaves)}
    children = [[position[child] for child in planes[number].children] for number in order]
    return BinaryTree(
        children=np.array(children, dtype=np.intp).reshape(-1, 2),
        directions=np.array([planes[number].direction for number in order]).reshape(-1, len(centre)),
        thresholds=np.array([planes[number].threshold for number in order], dtype=np.float64),
        centre=centre,
    )
