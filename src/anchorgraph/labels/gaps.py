"""Gaps around clusters: nodes at the border of a cluster lie farther apart than those inside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.cores import sums_between
from anchorgraph.labels.modularity import degrees
from anchorgraph.numerics.groups import one_hot

OF_DEGREES = 2.5
"""Factor of the logarithms of degrees: gaps are of the size of those of distances, about half as large or more."""

LEAST_DISTANCE = 1e-12
"""Smaller distances count as this share of the mean distance: different nodes can be at the same place."""


def sparseness(distances: Floats) -> Floats:
    r"""How sparse the rows are around each row: minus the logarithm of their density, up to a constant.

    .. math:: \ell_i = q \log \frac1k \sum_j h_{ij}, \qquad
              \frac1q = \frac{1}{n (k-2)} \sum_i \sum_{j<k} \log \frac{h_{ik}}{h_{ij}}

    with :math:`h_{ij}` the distance of a row to its j-th nearest one, and q the intrinsic dimension of the rows (Levina
    and Bickel 2005).

    Parameters
    ----------
    distances : (n, k) floats
        Nearest first.

    Returns
    -------
    (n,) floats
    """
    n, k = distances.shape
    means = distances.mean(axis=1, dtype=np.float64)
    overall = means.mean()
    if k == 0 or overall == 0:
        return np.zeros(n)
    logarithms = np.log(np.maximum(distances, LEAST_DISTANCE * overall, dtype=np.float64))
    ratios = (logarithms[:, -1:] - logarithms[:, :-1]).sum()
    dimension = n * (k - 2) / ratios if k > 2 and ratios > 0 else 1.0
    found: Floats = dimension * np.log(np.maximum(means, LEAST_DISTANCE * overall))
    return found


def sparseness_of_degrees(graph: sparse.csr_array) -> Floats:
    """The same for a graph whose distances are not known: nodes with a small degree are far from others."""
    return -OF_DEGREES * np.log(degrees(graph))


@dataclass(frozen=True)
class Gaps:
    """How often a step of a random walk leads from one core to another, and how sparse the nodes are where it begins.

    Attributes
    ----------
    steps : (k, k) floats
        Sums of ``w_ij / d_i`` over the nodes i of one core and j of another; a row sums to the size of its core.
    sparse_steps : (k, k) floats
        Sums of ``l_i w_ij / d_i``, with the :func:`sparseness` l.
    """

    steps: Floats
    sparse_steps: Floats

    @classmethod
    def of(cls, graph: sparse.csr_array, core_of: Integers, sparse_at: Floats) -> Gaps:
        """The sums over the nodes of each core.

        Parameters
        ----------
        graph : (n, n) CSR array
            Symmetric weights; every node has edges.
        core_of : (n,) integers
        sparse_at : (n,) floats
            Sparseness at each node.

        Returns
        -------
        Gaps
        """
        n_cores = int(core_of.max()) + 1
        edges = (graph @ one_hot(core_of, n_cores, graph.dtype)).astype(np.float64)
        members = one_hot(core_of, n_cores, np.float64)

        def sums(values: Floats) -> Floats:
            members.data = values / degrees(graph)
            found: Floats = (members.T @ edges).toarray()
            return found

        return cls(sums(np.ones(len(core_of))), sums(sparse_at - sparse_at.mean()))

    def around(self, labels: Integers) -> Floats:
        r"""The gap around each cluster of cores: how much sparser its nodes are at its border than inside.

        .. math:: g_c = \frac{\sum_{i \in c} x_i \ell_i}{\sum_{i \in c} x_i}
                      - \frac{\sum_{i \in c} (1 - x_i) \ell_i}{\sum_{i \in c} (1 - x_i)}

        with :math:`x_i` the share of the edges of a node, by weight, that leave its cluster. It is the logarithm of the
        ratio of the densities inside and at the border: about 0 where a cloud of rows without structure is cut, and
        infinite if no edge leaves the cluster.

        Parameters
        ----------
        labels : (k,) integers
            Cluster of each core, from 0 without gaps.

        Returns
        -------
        (c,) floats
        """
        steps, sparse_steps = sums_between(self.steps, labels), sums_between(self.sparse_steps, labels)
        inside, sparse_inside = np.diag(steps), np.diag(sparse_steps)
        leaving = steps.sum(axis=1) - inside
        is_open = leaving > np.finfo(np.float64).eps * steps.sum(axis=1)
        border = (sparse_steps.sum(axis=1) - sparse_inside) / np.where(is_open, leaving, 1)
        gaps: Floats = np.where(is_open, border - sparse_inside / np.where(inside > 0, inside, 1), np.inf)
        return gaps
