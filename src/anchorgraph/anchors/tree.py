"""Growing a binary tree over a table, level by level.

A tree is grown by a *split rule* with methods for nodes that have as many rows and leaves each:
``start(sketch, n_leaves, rngs)`` finds halves in a few coordinates, where that costs little, unless
``needs_start(n_rows)`` says no; ``split(nodes, is_left, n_leaves, rngs)`` turns them into :class:`Splits`. ``bkhk`` and
``hk`` differ in their rule only.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from anchorgraph.anchors.nodes import STACK_BYTES, is_large, nodes_of
from anchorgraph.contracts import Anchors, BinaryTree
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.chunks import chunks, row_bytes
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.progress import portion, stage
from anchorgraph.table import as_table

SKETCH_AXES = 32
"""Coordinates in which a split starts."""

SKETCH_ROWS = 2048
"""Rows that the axes of these coordinates are found from."""


@dataclass(frozen=True)
class Splits:
    """How each of b nodes divides: the rows and leaves that go left, the plane between the sides, the rounds it took.

    No leaf goes left from a node whose rows cannot be told apart.
    """

    is_left: np.ndarray
    n_left_leaves: np.ndarray
    directions: np.ndarray
    thresholds: np.ndarray
    n_iter: int


@dataclass(frozen=True)
class GrownTree:
    """The anchors with their tree, the leaf of each row if known, and the rounds that the slowest split took."""

    anchors: Anchors
    labels: np.ndarray | None
    n_iter: int


@dataclass(frozen=True)
class _Node:
    """Rows that are to become ``n_leaves`` leaves; ``number`` counts the nodes of the whole tree depth first."""

    number: int
    index: np.ndarray
    n_leaves: int

    @property
    def shape(self):
        return len(self.index), self.n_leaves


@dataclass(frozen=True)
class _Plane:
    """What remains of a node that was split."""

    direction: np.ndarray
    threshold: float
    children: tuple[int, int]


@stage("anchors")
def grow(table, n_leaves, rule, *, seed):
    """Split all rows of a table by ``rule`` until each node owns one leaf.

    A node draws its random numbers from ``(seed, its number)``, so the tree does not depend on the order in which nodes
    are split.

    Parameters
    ----------
    table : RowTable
    n_leaves : int
    rule : BalancedRule or UnbalancedRule
    seed : int

    Returns
    -------
    GrownTree
    """
    with one_blas_thread:
        return _grow(table, n_leaves, rule, seed)


def _grow(table, n_leaves, rule, seed):
    centre = _centre(table)
    sketch = _sketch(table, centre, np.random.default_rng(seed))

    def rngs(batch):  # made when asked for, because they cost more than the start of a small node
        return (np.random.default_rng([seed, node.number]) for node in batch)

    def begin(batch):
        nodes = nodes_of(sketch, _index(batch), centre if sketch is table else 0)
        return rule.start(nodes, batch[0].n_leaves, rngs(batch))

    def split(batch):
        is_left = np.stack([starts[node.number] for node in batch]) if batch[0].number in starts else None
        nodes = nodes_of(table, _index(batch), centre)
        return rule.split(nodes, is_left, batch[0].n_leaves, rngs(batch))

    planes, leaves, n_iter = {}, [], 0
    level = [_Node(0, np.arange(table.n_rows), n_leaves)]
    while level:
        leaves += [node for node in level if node.n_leaves == 1]
        inner = [node for node in level if node.n_leaves > 1]
        starts = {
            node.number: is_left
            for batch, halves in _over_batches(begin, [n for n in inner if rule.needs_start(len(n.index))], sketch)
            for node, is_left in zip(batch, halves, strict=True)
        }
        with portion(len(planes), n_leaves):
            outcomes = list(_over_batches(split, inner, table))
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
    return GrownTree(
        Anchors(_leaf_means(table, leaves), _tree(planes, leaves, centre)),
        _labels(table, leaves),
        n_iter,
    )


def _centre(table):
    """What is subtracted from rows before they are projected: their mean, if it is far from the origin.

    Within ten times the spread of the rows float32 keeps the digits that decide, and nothing need be subtracted. Sparse
    rows stay sparse.
    """
    if table.is_sparse:
        return np.zeros(table.n_cols, dtype=table.dtype)

    def moments(part, block):
        rows = block[part]
        return np.append(np.ones(len(rows), dtype=rows.dtype) @ rows, np.vdot(rows, rows)).astype(np.float64)

    def step(block):
        parts = chunks(len(block), row_bytes(block))
        return (np.sum(run(lambda part: moments(part, block), parts), axis=0),)

    (sums,) = table.sum_blocks(step)
    mean, square = sums[:-1] / table.n_rows, sums[-1] / table.n_rows
    is_far = mean @ mean > 100 * max(square - mean @ mean, 0)
    return (mean if is_far else np.zeros_like(mean)).astype(table.dtype)


def _sketch(table, centre, rng):
    """The rows in coordinates along the axes in which they spread most, where that makes them much shorter.

    The axes are roughly the first principal ones: the range of a random projection of a sample.
    """
    if table.n_cols < 4 * SKETCH_AXES:
        return table
    some = rng.choice(table.n_rows, min(SKETCH_ROWS, table.n_rows), replace=False)
    sample = minus_centre(table.take(some), centre)
    axes = rng.standard_normal((table.n_cols, SKETCH_AXES)).astype(table.dtype)
    for _ in range(2):
        axes, _ = np.linalg.qr(sample.T @ (sample @ axes))

    shift = centre @ axes  # a start may do with the digits that are left

    def project(block):
        parts = chunks(block.shape[0], row_bytes(block))
        return np.concatenate(run(lambda part: block[part] @ axes, parts)) - shift

    return as_table(table.map_rows(project))


def _over_batches(work, nodes, table):
    """Batches of nodes with what ``work`` returns for them: small ones side by side, large ones by all threads each."""
    batches = _batches(nodes, table)
    large = [batch for batch in batches if is_large(table, len(batch[0].index))]
    small = [batch for batch in batches if not is_large(table, len(batch[0].index))]
    return zip([*large, *small], [*map(work, large), *run(work, small)], strict=True)


def _batches(nodes, table):
    """Nodes of equal shape together, as many as fit into a stack; sparse ones and large ones alone."""
    stack_rows = 0 if table.is_sparse else STACK_BYTES // table.row_bytes
    batches = []
    for (n_rows, _), same in groupby(sorted(nodes, key=lambda node: node.shape), key=lambda node: node.shape):
        same = list(same)
        step = max(1, stack_rows // n_rows)
        batches += [same[start : start + step] for start in range(0, len(same), step)]
    return batches


def _index(batch):
    return np.stack([node.index for node in batch])


def _children(node, is_left, n_left_leaves):
    """Numbers leave room for the left child's whole subtree."""
    left = _Node(node.number + 1, node.index[is_left], n_left_leaves)
    right = _Node(node.number + 2 * n_left_leaves, node.index[~is_left], node.n_leaves - n_left_leaves)
    return left, right


def _leaf_means(table, leaves):
    """(m, d) means of the rows of each leaf, summed in float64."""
    index = np.concatenate([node.index for node in leaves])
    sizes = np.array([len(node.index) for node in leaves])
    ends = np.cumsum(sizes)

    def sums(part):
        """Sums over the leaves that a chunk of rows touches."""
        rows = table.take(index[part])
        touched, starts = np.unique(np.searchsorted(ends, np.arange(part.start, part.stop), "right"), return_index=True)
        pieces = zip(starts, [*starts[1:], rows.shape[0]], strict=True)
        return touched, [rows[start:stop].sum(axis=0, dtype=np.float64) for start, stop in pieces]

    points = np.zeros((len(leaves), table.n_cols))
    for touched, total in run(sums, chunks(table.n_rows, table.row_bytes)):
        points[touched] += np.reshape(total, (len(touched), -1))
    return (points / sizes[:, np.newaxis]).astype(table.dtype)


def _labels(table, leaves):
    labels = np.empty(table.n_rows, dtype=np.intp)
    for leaf, node in enumerate(leaves):
        labels[node.index] = leaf
    return labels


def _tree(planes, leaves, centre):
    """Planes as arrays in breadth-first order."""
    order = [0] if planes else []
    for number in order:
        order += [child for child in planes[number].children if child in planes]
    place = {number: i for i, number in enumerate(order)} | {node.number: ~leaf for leaf, node in enumerate(leaves)}
    children = [[place[child] for child in planes[number].children] for number in order]
    return BinaryTree(
        children=np.array(children, dtype=np.intp).reshape(-1, 2),
        directions=np.array([planes[number].direction for number in order]).reshape(-1, len(centre)),
        thresholds=np.array([planes[number].threshold for number in order], dtype=np.float64),
        centre=centre,
    )
