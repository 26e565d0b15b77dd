"""Find the leaf of any row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import sparse

from anchorgraph.contracts import BinaryTree, Block, Floats, Integers, RowMap
from anchorgraph.numerics.blocks import chunks, row_bytes, take_rows
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import equal_runs

LEVELS_PER_PRODUCT = 5
"""Number of levels of the tree that rows descend with one matrix product."""

LAST_LEVELS = 7
"""If no more levels are left below the top, rows descend all of them: further products would have very few rows."""

CHUNK_BYTES = 2**22
"""Larger chunks than elsewhere, so that more rows share a matrix product."""


@dataclass(frozen=True)
class Stages:
    """The inner nodes of a tree, divided into small subtrees that rows descend one after the other.

    Attributes
    ----------
    subtrees : list of dicts
        For each stage, the nodes of its subtrees by the top node of each.
    stage : (m-1,) integers
        The stage that each node belongs to.
    place : (m-1,) integers
        The place of each node in its subtree.
    """

    subtrees: list[dict[int, Integers]]
    stage: Integers
    place: Integers

    @classmethod
    def of(cls, tree: BinaryTree, n_levels: int, n_last: int) -> Stages:
        """Subtrees of ``n_levels`` levels, or of all that are left if these are at most ``n_last`` below the top."""
        n_nodes = len(tree.children)
        subtrees, stage, place = [], np.zeros(n_nodes, dtype=np.intp), np.zeros(n_nodes, dtype=np.intp)
        tops = list(range(min(n_nodes, 1)))
        while tops:
            subtrees.append({top: _subtree(tree, top, n_levels, n_last) for top in tops})
            for nodes in subtrees[-1].values():
                stage[nodes], place[nodes] = len(subtrees), np.arange(len(nodes))
            inner = tree.children[np.concatenate(list(subtrees[-1].values()))].ravel()
            inner = inner[inner >= 0]
            tops = inner[stage[inner] == 0].tolist()
        return cls(subtrees, stage - 1, place)


def route(tree: BinaryTree) -> RowMap:
    """The row map from data to leaves, which takes O(d log m) operations per row.

    Parameters
    ----------
    tree : BinaryTree

    Returns
    -------
    RowMap
    """
    shift = centre_scores(tree)
    stages = Stages.of(tree, LEVELS_PER_PRODUCT, LAST_LEVELS)
    return partial(_leaves, tree, stages, shift)  # unlike a closure, can be pickled


def unroutable(tree: BinaryTree) -> str | None:
    """Why a tree is not a valid balanced tree, as the end of a sentence, or None if it is valid.

    Its inner nodes must be numbered in breadth-first order, so that every step leads downwards. Each node and leaf must
    occur exactly once, and no leaf may be deeper than in a balanced tree.
    """
    children, n_leaves = tree.children, len(tree.children) + 1
    inner, leaves = children[children >= 0], ~children[children < 0]
    if len(children) and not np.array_equal(np.sort(leaves), np.arange(n_leaves)):
        return "does not have each leaf once"
    if not np.array_equal(inner, np.arange(1, len(children))):
        return "has nodes out of order"
    level: Integers = np.arange(min(len(children), 1))
    most_levels = (n_leaves - 1).bit_length()
    for _ in range(most_levels):
        level = children[level].ravel()
        level = level[level >= 0]
    return f"is deeper than {most_levels} levels" if len(level) else None


def _leaves(tree: BinaryTree, stages: Stages, shift: Floats, block: Block) -> Integers:
    parts = chunks(block.shape[0], row_bytes(block), CHUNK_BYTES)
    return np.concatenate(run(lambda part: _descend(tree, stages, shift, block[part]), parts))


def _descend(tree: BinaryTree, stages: Stages, shift: Floats, block: Block) -> Integers:
    """The leaf of each row of a block."""
    is_sparse = sparse.issparse(block)
    rows = block.astype(np.float64) if is_sparse else block - tree.centre
    thresholds = tree.thresholds + (shift if is_sparse else 0)
    at: Integers = np.zeros(block.shape[0], dtype=np.intp) if len(tree.children) else np.full(block.shape[0], ~0)
    for number, subtrees in enumerate(stages.subtrees):
        order = np.argsort(at, kind="stable")[np.count_nonzero(at < 0) :]
        here, own = at.take(order), take_rows(rows, order)
        goes_right = np.empty((len(order), max(map(len, subtrees.values()))), dtype=bool)
        for top, part in equal_runs(here):
            nodes = subtrees[top]
            products = own[part] @ tree.directions.take(nodes, axis=0).T
            goes_right[part, : len(nodes)] = products > thresholds.take(nodes)
        inside: Integers = np.arange(len(here))
        while len(inside):
            nodes = here.take(inside)
            here[inside] = tree.children[nodes, goes_right[inside, stages.place.take(nodes)].astype(np.intp)]
            inside = inside[here.take(inside) >= 0]
            inside = inside[stages.stage.take(here.take(inside)) == number]
        at[order] = here
    return ~at


def centre_scores(tree: BinaryTree) -> Floats:
    """(m-1,) products of the centre with the directions, for sparse rows, from which it cannot be subtracted."""
    scores: Floats = tree.directions.astype(np.float64) @ tree.centre
    return scores


def _subtree(tree: BinaryTree, top: int, n_levels: int, n_last: int) -> Integers:
    """The inner nodes of the next levels from ``top`` on."""
    level: Integers = np.array([top])
    levels: list[Integers] = []
    while len(level) and len(levels) < n_last:
        levels.append(level)
        level = tree.children[level].ravel()
        level = level[level >= 0]
    are_last = len(level) == 0 and top > 0
    return np.concatenate(levels if are_last else levels[:n_levels])
