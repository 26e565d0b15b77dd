"""Find the leaf of any row."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from anchorgraph.contracts import BinaryTree, Block, Floats, Integers, RowMap
from anchorgraph.numerics.blocks import chunks, row_bytes
from anchorgraph.numerics.execution import run

LEVELS_PER_PRODUCT = 5
"""Number of levels of the tree that rows descend with one matrix product."""

CHUNK_BYTES = 2**24
"""Larger chunks than elsewhere, so that more rows share a matrix product."""


def route(tree: BinaryTree) -> RowMap:
    """The row map from data to leaves, which takes O(d log m) operations per row.

    Parameters
    ----------
    tree : BinaryTree

    Returns
    -------
    RowMap
    """
    return partial(_leaves, tree, tree.directions.astype(np.float64) @ tree.centre)  # unlike a closure, can be pickled


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


def _leaves(tree: BinaryTree, shift: Floats, block: Block) -> Integers:
    parts = chunks(block.shape[0], row_bytes(block), CHUNK_BYTES)
    return np.concatenate(run(lambda part: _descend(tree, shift, block[part]), parts))


def _descend(tree: BinaryTree, shift: Floats, block: Block) -> Integers:
    """The leaf of each row of a block."""
    at: Integers = np.zeros(block.shape[0], dtype=np.intp) if len(tree.children) else np.full(block.shape[0], ~0)
    is_sparse = sparse.issparse(block)
    rows = block.astype(np.float64) if is_sparse else block - tree.centre
    while (at >= 0).any():
        for top in np.unique(at[at >= 0]):
            here = np.flatnonzero(at == top)
            subtree = _subtree(tree, top)
            thresholds = tree.thresholds[subtree] + (shift[subtree] if is_sparse else 0)
            goes_right = rows[here] @ tree.directions[subtree].T > thresholds
            position = np.full(len(tree.children), -1)
            position[subtree] = np.arange(len(subtree))
            at[here] = _descend_subtree(tree, goes_right, position, at[here])
    return ~at


def _subtree(tree: BinaryTree, top: int) -> Integers:
    """The inner nodes of the next :data:`LEVELS_PER_PRODUCT` levels from ``top`` on."""
    level: Integers = np.array([top])
    levels = []
    for _ in range(LEVELS_PER_PRODUCT):
        levels.append(level)
        level = tree.children[level].ravel()
        level = level[level >= 0]
    return np.concatenate(levels)


def _descend_subtree(tree: BinaryTree, goes_right: NDArray[np.bool_], position: Integers, at: Integers) -> Integers:
    """The node or leaf that each row reaches below a subtree.

    Parameters
    ----------
    tree : BinaryTree
    goes_right : (n, s) booleans
        For each row and each node of the subtree, whether the row would go right.
    position : integers
        The column of ``goes_right`` for each inner node of the tree.
    at : (n,) integers
        The node that each row is at.
    """
    rows = np.arange(len(at))
    for _ in range(LEVELS_PER_PRODUCT):
        inside = rows[at >= 0]
        at = at.copy()
        at[inside] = tree.children[at[inside], goes_right[inside, position[at[inside]]].astype(int)]
    return at
