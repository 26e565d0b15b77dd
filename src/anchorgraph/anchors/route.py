"""The leaf of a new row."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.numerics.chunks import chunks, row_bytes
from anchorgraph.numerics.execution import run

STOREY = 5
"""Levels of the tree that rows cross with one matrix product."""

CHUNK_BYTES = 2**24
"""Longer chunks than elsewhere: more rows cross the same storey together."""


def route(tree):
    """The row map from data to leaves: O(d log m) a row.

    Parameters
    ----------
    tree : BinaryTree

    Returns
    -------
    RowMap
    """
    shift = tree.directions.astype(np.float64) @ tree.centre

    def leaves(block):
        parts = chunks(block.shape[0], row_bytes(block), CHUNK_BYTES)
        return np.concatenate(run(lambda part: _descend(tree, shift, block[part]), parts))

    return leaves


def unroutable(tree):
    """Why rows would not find their leaf in a balanced tree from elsewhere, as the end of a sentence; else ``None``.

    Its inner nodes must be numbered in breadth-first order, so that every step leads down, each node and leaf be there
    once, and no leaf be deeper than halving makes it.
    """
    children, n_leaves = tree.children, len(tree.children) + 1
    inner, leaves = children[children >= 0], ~children[children < 0]
    if len(children) and not np.array_equal(np.sort(leaves), np.arange(n_leaves)):
        return "does not have each leaf once"
    if not np.array_equal(inner, np.arange(1, len(children))):
        return "has nodes out of order"
    level, most_levels = np.arange(min(len(children), 1)), (n_leaves - 1).bit_length()
    for _ in range(most_levels):
        level = children[level].ravel()
        level = level[level >= 0]
    return f"is deeper than {most_levels} levels" if len(level) else None


def _descend(tree, shift, block):
    at = np.zeros(block.shape[0], dtype=np.intp) if len(tree.children) else np.full(block.shape[0], ~0)
    is_sparse = sparse.issparse(block)
    rows = block.astype(np.float64) if is_sparse else block - tree.centre
    while (at >= 0).any():
        for top in np.unique(at[at >= 0]):
            here = np.flatnonzero(at == top)
            storey = _below(tree, top)
            thresholds = tree.thresholds[storey] + (shift[storey] if is_sparse else 0)
            goes_right = rows[here] @ tree.directions[storey].T > thresholds
            place = np.full(len(tree.children), -1)
            place[storey] = np.arange(len(storey))
            at[here] = _walk(tree, goes_right, place, at[here])
    return ~at


def _below(tree, top):
    """The inner nodes of the storey that begins at ``top``."""
    level, storey = np.array([top]), []
    for _ in range(STOREY):
        storey.append(level)
        level = tree.children[level].ravel()
        level = level[level >= 0]
    return np.concatenate(storey)


def _walk(tree, goes_right, place, at):
    """Where rows stand after a storey, or the leaf that they reach in it."""
    rows = np.arange(len(at))
    for _ in range(STOREY):
        inside = rows[at >= 0]
        at = at.copy()
        at[inside] = tree.children[at[inside], goes_right[inside, place[at[inside]]].astype(int)]
    return at
