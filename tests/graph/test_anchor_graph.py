import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorgraph.contracts import Anchors
from anchorgraph.graph import WEIGHTINGS, Adaptive, ExactSearch, Gaussian, SelfTuning, connect
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table
from reference import graph as literal
from reference import ongr as literal_ongr


def rows_of_z(X, U, k=5, weighting=None, block_rows=None, n_jobs=1):
    weighting = weighting or Adaptive()
    graph = connect(Anchors(U), n_neighbors=k, weighting=weighting, search=ExactSearch(), n_rows=X.shape[0])
    with execution(n_jobs):
        return as_table(X, block_rows=block_rows).map_rows(graph)


def test_three_anchors_on_a_line_by_hand():
    Z = rows_of_z(np.array([[0.0], [2.0]]), np.array([[1.0], [2.0], [4.0]]), k=2)
    np.testing.assert_allclose(Z.toarray(), [[15 / 27, 12 / 27, 0], [3 / 7, 4 / 7, 0]])


def test_same_as_the_reference(blobs, form):
    U = blobs[:30]
    Z = rows_of_z(form(blobs), U.astype(np.float32) if form(blobs).dtype == np.float32 else U)
    expected = literal.anchor_graph(blobs, U, 5, literal.adaptive)
    assert Z.format == "csr"
    assert Z.has_sorted_indices
    assert Z.dtype == form(blobs).dtype
    np.testing.assert_allclose(Z.toarray(), expected, atol=2e-5 if Z.dtype == np.float32 else 1e-10)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from(sorted(WEIGHTINGS)), st.integers(1, 6))
def test_rows_are_distributions_over_k_anchors_and_the_graph_is_doubly_stochastic(seed, name, k):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (25, 3)).astype(float)
    weighting = WEIGHTINGS[name].resolve(as_table(X), Anchors(X[:8]), k, rng)
    Z = rows_of_z(X, X[:8], k, weighting).toarray()
    assert (Z >= 0).all()
    np.testing.assert_allclose(Z.sum(axis=1), 1)
    assert (np.count_nonzero(Z, axis=1) <= k).all()
    A = literal.similarity(Z)
    np.testing.assert_allclose(A, A.T)
    np.testing.assert_allclose(A.sum(axis=0), 1)


def test_block_size_threads_and_storage_change_nothing(blobs, memmap):
    expected = rows_of_z(blobs, blobs[:40]).toarray()
    for block_rows in (1, 33, 200):
        for source in (blobs, memmap(blobs)):
            Z = rows_of_z(source, blobs[:40], block_rows=block_rows, n_jobs=2)
            np.testing.assert_allclose(Z.toarray(), expected, atol=1e-13)


def test_permuting_rows_permutes_z_and_scaling_changes_nothing(blobs):
    Z = rows_of_z(blobs, blobs[:20]).toarray()
    order = np.random.default_rng(0).permutation(200)
    np.testing.assert_allclose(rows_of_z(blobs[order], blobs[:20]).toarray(), Z[order], atol=1e-13)
    np.testing.assert_allclose(rows_of_z(blobs * 1000, blobs[:20] * 1000).toarray(), Z, atol=1e-11)


def test_float32_with_a_large_offset(blobs):
    """Trap 3: the graph of shifted float32 rows is the graph of the same numbers in float64."""
    X = (blobs / blobs.std() + 1000).astype(np.float32)
    expected = rows_of_z(X.astype(np.float64), X[:40].astype(np.float64)).toarray()
    np.testing.assert_allclose(rows_of_z(X, X[:40]).toarray(), expected, atol=1e-3)


def test_duplicate_anchors_share_their_weight():
    U = np.zeros((6, 2))
    Z = rows_of_z(np.zeros((3, 2)), U, k=4).toarray()
    np.testing.assert_allclose(Z, np.tile([0.25] * 4 + [0, 0], (3, 1)))


def test_gaussian_graph_by_its_reference(blobs):
    U = blobs[:30]
    Z = rows_of_z(blobs, U, weighting=Gaussian(sigma=3.0)).toarray()
    expected = literal.anchor_graph(blobs, U, 5, lambda h, k: literal.gaussian(h, k, 3.0))
    np.testing.assert_allclose(Z, expected, atol=1e-10)


@pytest.mark.parametrize("scale", [1, 1e3, 1e-3])
def test_self_tuning_graph_by_its_reference_at_any_scale(blobs, scale):
    U = blobs[:30]
    weighting = SelfTuning().resolve(as_table(blobs), Anchors(scale * U), 5, np.random.default_rng(0))
    Z = rows_of_z(scale * blobs, scale * U, weighting=weighting).toarray()
    np.testing.assert_allclose(Z, literal_ongr.self_tuning(blobs, U, 5), atol=1e-7)


@pytest.mark.parametrize("k", [1, 7])
def test_every_row_has_k_entries(blobs, k):
    assert (np.diff(rows_of_z(blobs, blobs[:20], k).indptr) == k).all()
