"""Rows divided among the leaves of a given tree, node by node, by sorting."""

import numpy as np


def leaves_of(children, node):
    """The leaves below a child of a tree, which is a node or, if negative, a leaf itself."""
    return [~node] if node < 0 else [leaf for child in children[node] for leaf in leaves_of(children, child)]


def balance(X, children, directions, centre, weights):
    """The leaf of each row: a node with q leaves passes ⌊q/2⌋/q of its weight to the left, in the order of (x - c)·w.

    Of whole weights, it is the whole part of this share. Of rows with the same product, the first ones go left; the row
    at the border goes where the sizes are nearest to their shares.
    """
    leaf = np.zeros(len(X), dtype=int)
    if not len(children):
        return leaf
    waiting = [(0, np.arange(len(X)))]
    while waiting:
        node, rows = waiting.pop()
        left, right = children[node]
        n_left, n_all = len(leaves_of(children, left)), len(leaves_of(children, node))
        scores = (X[rows] - centre) @ directions[node]
        order = rows[np.argsort(scores, kind="stable")]
        reached = np.cumsum(weights[order])
        target = weights[rows].sum() * n_left / n_all
        if (weights == np.floor(weights)).all():
            target = np.floor(target)
        sizes = np.concatenate([[0], reached])
        cut = int(np.argmin(np.round(np.abs(sizes - target), 9)))
        for child, own in ((left, order[:cut]), (right, order[cut:])):
            if child < 0:
                leaf[own] = ~child
            else:
                waiting.append((child, own))
    return leaf
