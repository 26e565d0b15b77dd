"""Divide the rows of any table equally among the leaves of a given tree, in passes over its blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from anchorgraph.anchors.cut_tree import leaves_below
from anchorgraph.anchors.route import Stages, centre_scores
from anchorgraph.contracts import BinaryTree, Block, Floats, Integers, RowTable
from anchorgraph.numerics.blocks import take_rows
from anchorgraph.numerics.chunked import in_chunks
from anchorgraph.numerics.groups import equal_runs
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.ranks import Keys, Ranks, as_keys, find_ranks, from_keys
from anchorgraph.numerics.selection import ROUNDING

LEVELS_PER_PASS = 4
"""Number of levels of the tree that a pass over the rows is made for; 15 scores of each row are kept meanwhile."""

UNITS = 2.0**50
"""Weights that are not whole numbers are rounded to as many units in total, so that their sums are exact."""

_Entries: TypeAlias = tuple[Integers, Keys, Floats | None]


@dataclass(frozen=True)
class _Level:
    """The inner nodes of one level of a tree.

    Attributes
    ----------
    first : int
        Number of the first node; they are numbered from left to right.
    n_nodes : int
    place : (n_nodes,) integers
        The column of the kept scores with those of each node.
    """

    first: int
    n_nodes: int
    place: Integers

    def keys(self, scores: Floats, at: Integers) -> tuple[Integers, Integers, Keys]:
        """Positions, nodes (from 0 on) and keys of the rows that are in one of the nodes."""
        inside = np.flatnonzero((at >= self.first) & (at < self.first + self.n_nodes))
        nodes = at.take(inside) - self.first
        return inside, nodes, as_keys(scores[inside, self.place.take(nodes)])


@dataclass(frozen=True)
class _Cuts:
    """The last row that goes left in each node of a level: its key and its number."""

    keys: Keys
    numbers: Integers


@stage("anchors")
def balance(table: RowTable, tree: BinaryTree) -> tuple[BinaryTree, RowTable]:
    """Divide all rows equally among the leaves of a tree whose directions may come from other rows.

    As in ulge Algorithm 1, a node with q leaves passes ⌊q/2⌋ of them and the same share of its rows to its left child:
    those with the smallest ``(x - centre)·direction``, of equal ones the first in the table. The last of them is found
    by counting, so that rows are read once for every four levels. Sizes differ by at most one; with weights, the row
    at the cut goes where both children are nearest to their shares.

    Parameters
    ----------
    table : RowTable
    tree : BinaryTree

    Returns
    -------
    tree : BinaryTree
        With the thresholds of these rows.
    leaves : RowTable
        The leaf of each row.
    """
    stages = Stages.of(tree, LEVELS_PER_PASS, LEVELS_PER_PASS)
    n_leaves, depth = leaves_below(tree), _depths(tree)
    numbers, units = table.numbers(), _units(table)
    totals = np.zeros(len(tree.children))
    totals[:1] = _total(table, *units)
    thresholds = np.zeros(len(tree.children))
    at = numbers.keep(partial(_at_root, 0 if len(tree.children) else ~0))
    for number, subtrees in enumerate(stages.subtrees):
        scores = table.keep(_PlaneScores.of(tree, subtrees), at)
        own = np.flatnonzero(stages.stage == number)
        for _, group in groupby(own.tolist(), key=depth.__getitem__):
            nodes = np.array(list(group))
            level = _Level(int(nodes[0]), len(nodes), stages.place[nodes])
            targets = totals[nodes] * n_leaves[tree.children[nodes, 0]] / n_leaves[nodes]
            cuts, sizes, thresholds[nodes] = _cut(scores, level, targets, totals[nodes], at, numbers, *units)
            at = scores.keep(partial(_descend, level, cuts, tree.children[nodes]), at, numbers)
            for side, own_sizes in enumerate((sizes, totals[nodes] - sizes)):
                inner = tree.children[nodes, side] >= 0
                totals[tree.children[nodes, side][inner]] = own_sizes[inner]
    leaves = at.view(np.invert)
    leaves = leaves.weighted(*table.weights, *table.present) if table.weights else leaves
    return replace(tree, thresholds=thresholds), leaves


def _at_root(root: int, numbers: Integers) -> Integers:
    return np.full(len(numbers), root, dtype=np.int32)


def _depths(tree: BinaryTree) -> Integers:
    """The level of each inner node."""
    depths = np.zeros(len(tree.children), dtype=np.intp)
    for node, children in enumerate(tree.children):
        inner = children[children >= 0]
        depths[inner] = depths[node] + 1
    return depths


def _units(table: RowTable) -> tuple[RowTable, ...]:
    """The weights of rows as whole numbers, where they have weights."""
    if not table.weights:
        return ()
    (n_fractions,) = table.weights[0].sum_blocks(lambda own: (np.count_nonzero(own % 1),))
    total = table.total_weight
    if not n_fractions and total <= UNITS:
        return table.weights
    return (table.weights[0].keep(lambda own: np.round(own / total * UNITS)),)


def _total(table: RowTable, *units: RowTable) -> float:
    if not units:
        return float(table.n_rows)
    (total,) = units[0].sum_blocks(lambda own: (own.sum(),))
    return float(total)


@dataclass(frozen=True)
class _PlaneScores:
    """The row map from rows and their nodes to their scores ``(x - centre)·w`` along all planes of the next levels.

    Attributes
    ----------
    tree : BinaryTree
    subtrees : dict
        The nodes of the subtree below each node that rows are in.
    shift : (m-1,) floats
        For sparse rows.
    """

    tree: BinaryTree
    subtrees: dict[int, Integers]
    shift: Floats

    @classmethod
    def of(cls, tree: BinaryTree, subtrees: dict[int, Integers]) -> _PlaneScores:
        return cls(tree, subtrees, centre_scores(tree))

    def __call__(self, block: Block, at: Integers) -> Floats:
        scores: Floats = in_chunks(self._scores)(block, at)
        return scores

    def _scores(self, block: Block, at: Integers) -> Floats:
        is_sparse = sparse.issparse(block)
        scores = np.zeros((block.shape[0], max(map(len, self.subtrees.values()))), dtype=block.dtype)
        order = np.argsort(at, kind="stable")[np.count_nonzero(at < 0) :]
        rows = take_rows(block.astype(np.float64) if is_sparse else block - self.tree.centre, order)
        for top, part in equal_runs(at.take(order)):
            nodes = self.subtrees[top]
            products = rows[part] @ self.tree.directions.take(nodes, axis=0).T
            scores[order[part], : len(nodes)] = products - self.shift.take(nodes) if is_sparse else products
        return scores


def _cut(
    scores: RowTable,
    level: _Level,
    targets: Floats,
    totals: Floats,
    at: RowTable,
    numbers: RowTable,
    *units: RowTable,
) -> tuple[_Cuts, Floats, Floats]:
    """The cuts of the nodes of a level, the totals of their left children, and the thresholds between the children."""
    n_bits = 8 * scores.dtype.itemsize
    targets = np.floor(targets)

    def find(*wanted: Floats) -> Ranks:
        return find_ranks(scores, partial(_by_key, level), np.array(wanted), n_bits, at, *units)

    last = find(targets)
    keys, sizes = last.values[0], targets
    last_numbers = np.full(len(targets), np.iinfo(np.int64).max)
    if ((last.below + last.own)[0] != targets).any():  # rows of one score, or a row of several units, are divided
        by_number = partial(_by_number, level, keys)
        remaining = (targets - last.below[0])[np.newaxis]
        width = max(1, (scores.n_rows - 1).bit_length())
        found = find_ranks(scores, by_number, remaining, width, at, numbers, *units)
        before, reached = found.below[0], (found.below + found.own)[0]
        is_left = reached - remaining[0] < remaining[0] - before
        last_numbers = found.values[0].astype(np.int64) - np.where(is_left, 0, 1)
        sizes = last.below[0] + np.where(is_left, reached, before)
    left, right, lowest, highest = find(sizes, sizes + 0.5, np.full_like(sizes, 0.5), totals).values
    before, after, low, high = (
        from_keys(own, scores.dtype).astype(np.float64) for own in (left, right, lowest, highest)
    )
    rounding = ROUNDING * np.finfo(scores.dtype).eps * np.maximum(np.abs(low), np.abs(high))
    return _Cuts(keys, last_numbers), sizes, _between(before, after, rounding, sizes > 0, sizes < totals)


def _between(
    last: Floats, following: Floats, rounding: Floats, has_left: NDArray[np.bool_], has_right: NDArray[np.bool_]
) -> Floats:
    """Thresholds halfway between the last row on the left and the first one on the right, or just above equal ones.

    Where one of them does not exist, the threshold is on the other side of the other one.
    """
    halfway = np.where(following - last <= rounding, last + 2 * rounding, (last + following) / 2)
    beyond = np.where(has_left, last + 2 * rounding, np.where(has_right, following - 2 * rounding, 0.0))
    found: Floats = np.where(has_left & has_right, halfway, beyond)
    return found


def _by_key(level: _Level, scores: Floats, at: Integers, *units: Floats) -> _Entries:
    inside, nodes, keys = level.keys(scores, at)
    return nodes, keys, units[0][inside] if units else None


def _by_number(level: _Level, keys: Keys, scores: Floats, at: Integers, numbers: Integers, *units: Floats) -> _Entries:
    inside, nodes, own = level.keys(scores, at)
    same = own == keys.take(nodes)
    inside = inside[same]
    return nodes[same], numbers[inside].astype(np.uint64), units[0][inside] if units else None


def _descend(
    level: _Level, cuts: _Cuts, children: Integers, scores: Floats, at: Integers, numbers: Integers
) -> Integers:
    """The nodes of rows one level further down."""
    inside, nodes, keys = level.keys(scores, at)
    last = cuts.keys.take(nodes)
    goes_right = (keys > last) | ((keys == last) & (numbers[inside] > cuts.numbers.take(nodes)))
    found = at.copy()
    found[inside] = children[nodes, goes_right.astype(np.intp)]
    return found
