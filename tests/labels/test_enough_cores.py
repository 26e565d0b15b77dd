"""Cores for as many clusters as are wanted."""

import numpy as np
import pytest
from scipy import sparse

from anchorgraph.labels.communities import _enough_cores


def test_too_few_communities_are_found_again_at_a_resolution_in_proportion():
    """Ten communities of three cliques each: enough for ten clusters, and clearly too few for fourteen."""
    triple = np.kron(np.eye(3), 1 - np.eye(8)) + 0.1 * np.kron(1 - np.eye(3), np.ones((8, 8)))
    graph = sparse.csr_array(np.kron(np.eye(10), triple))
    assert _enough_cores(graph, 10, 1.0, 0)[1] == 1
    cores, resolution = _enough_cores(graph, 14, 1.0, 0)
    assert resolution == pytest.approx(2.5 * 14 / 10)
    assert len(cores.sizes) >= 14
