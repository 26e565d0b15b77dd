"""Modularity of a partition of a graph."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers


def modularity(graph: sparse.csr_array, labels: Integers, resolution: float = 1.0) -> float:
    r"""How many more ties lie within communities than chance would put there.

    .. math:: Q = \sum_c \left[ \frac{w_c}{t} - \gamma \left(\frac{v_c}{t}\right)^2 \right]

    with :math:`w_c` the weight of the ties within community c, :math:`v_c` the sum of its degrees, and :math:`t` the
    sum of all degrees.

    Parameters
    ----------
    graph : (n, n) CSR array
        Symmetric weights.
    labels : (n,) integers
        Community of each node.
    resolution : float
        γ.

    Returns
    -------
    float
    """
    starts = np.repeat(labels, np.diff(graph.indptr))
    within = graph.data[starts == labels[graph.indices]].sum(dtype=np.float64)
    volumes = np.bincount(labels, degrees(graph))
    total = volumes.sum()
    return float(within / total - resolution * np.sum((volumes / total) ** 2)) if total else 0.0


def degrees(graph: sparse.csr_array) -> Floats:
    """(n,) sums of the weights of each node."""
    sums: Floats = graph.sum(axis=1, dtype=np.float64)
    return sums


def numbered(labels: Integers) -> Integers:
    """The same partition with labels from 0 without gaps, in the order that the labels had."""
    found: Integers = np.unique(labels, return_inverse=True)[1]
    return found


def largest_first(labels: Integers, counted: Integers, weights: Floats | None = None) -> Integers:
    """The same partition with labels in the order of how often, or with which weight, they are counted."""
    order = np.argsort(-np.bincount(counted, weights), kind="stable")
    found: Integers = np.argsort(order)[labels]
    return found
