"""Coarser clusters from a tree: groups of neighbouring leaves."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import BinaryTree, Integers


def leaves_below(tree: BinaryTree) -> Integers:
    """Number of leaves below each inner node, and one for each leaf, so that ``leaves_below(tree)[~leaf]`` is one."""
    n_nodes = len(tree.children)
    counts = np.ones(2 * n_nodes + 1, dtype=np.intp)
    for node in reversed(range(n_nodes)):  # children have larger numbers
        counts[node] = counts[tree.children[node]].sum()
    return counts


def cut_tree(tree: BinaryTree, n_groups: int) -> Integers:
    """(m,) the group of each leaf if only ``n_groups - 1`` nodes are split, those with most leaves first.

    Groups are numbered from left to right, and nested: each group for a larger number is a part of one for a smaller.
    Every node divides the leaves between two neighbouring ones, so that a group ends where a node is split.

    Parameters
    ----------
    tree : BinaryTree
    n_groups : int
        From 1 to the number of leaves.

    Returns
    -------
    (m,) integers
    """
    n_nodes, counts = len(tree.children), leaves_below(tree)
    first_leaf, border = np.zeros(2 * n_nodes + 1, dtype=np.intp), np.zeros(n_nodes, dtype=np.intp)
    for node, (left, right) in enumerate(tree.children):
        border[node] = first_leaf[node] + counts[left]
        first_leaf[left], first_leaf[right] = first_leaf[node], border[node]
    split = np.argsort(-counts[:n_nodes], kind="stable")[: n_groups - 1]  # a node has more leaves than its children
    groups: Integers = np.searchsorted(np.sort(border[split]), np.arange(n_nodes + 1), "right")
    return groups
