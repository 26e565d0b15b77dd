"""Peak memory beyond the input grows with n·k and with the anchors, never with n·m."""

import tracemalloc

import numpy as np
import pytest

from anchorgraph import FSC, ONGR, AnchorGraph, NystromSC


@pytest.mark.parametrize("search", ["exact", "tree"])
@pytest.mark.parametrize("n_cols", [16, 160])
def test_no_matrix_of_all_rows_and_anchors(search, n_cols):
    X = np.random.default_rng(0).standard_normal((40_000, n_cols)).astype(np.float32)
    tracemalloc.start()
    try:
        AnchorGraph(1024, search=search, random_state=0, n_jobs=2).fit_transform(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    rows = 40_000 * (6 * 24 + 64 * 4)  # neighbours with their distances and weights; 64 coordinates
    anchors = 1024 * (1024 * 8 + 8 * n_cols * 8)
    threads = 2 * 2 * 2**24  # a stack of rows, and what is taken from it
    assert peak < rows + anchors + threads < 40_000 * 1024 * 4


@pytest.mark.parametrize("method", [FSC, ONGR, NystromSC])
def test_clusterers_form_no_matrix_of_all_rows_and_anchors(method):
    X = np.random.default_rng(0).standard_normal((60_000, 4)).astype(np.float32)
    model = method(3, n_anchors=1024, random_state=0, n_jobs=1)
    tracemalloc.start()
    try:
        model.fit(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60_000 * 1024 * 4 * 0.9
