import numpy as np
import pytest
from scipy.linalg import subspace_angles

from anchorgraph.contracts import Anchors
from anchorgraph.graph import Adaptive, ExactSearch, connect
from anchorgraph.spectrum import anchor_gram, anchor_spectrum, embedding, spectrum_of_groups
from anchorgraph.table import as_table
from islands import far_pairs

X, y = far_pairs(0)
U = np.vstack([X[::8], np.full((2, 2), 1e6)])  # no row is tied to the last two


@pytest.fixture(scope="module")
def table():
    graph = connect(Anchors(U), n_neighbors=5, weighting=Adaptive(), search=ExactSearch(), n_rows=len(X))
    return as_table(as_table(X).map_rows(graph))


@pytest.mark.parametrize("n_groups", [1, 2, 3, 4, 5, 6])
def test_components_are_singular_vectors_that_are_constant_on_groups(table, n_groups):
    gram, degrees = anchor_gram(table)
    spectrum = spectrum_of_groups(gram, degrees, U, n_groups, n_groups)
    F = table.map_rows(embedding(spectrum, np.dtype(float)))
    assert F.shape == (len(X), n_groups - 1)
    assert spectrum.n_parts == n_groups
    np.testing.assert_array_equal(spectrum.singular_values, np.ones(n_groups - 1))
    np.testing.assert_allclose(F.T @ F, np.eye(n_groups - 1), atol=1e-10)
    np.testing.assert_allclose(F.sum(axis=0), 0, atol=1e-10)
    Z = table.rows()
    np.testing.assert_allclose(Z @ ((Z.T @ F) / np.maximum(degrees, 1e-300)[:, np.newaxis]), F, atol=1e-10)  # A F = F
    assert len(np.unique(F.round(8), axis=0)) == n_groups
    np.testing.assert_array_equal(spectrum.anchor_map[-2:], 0)


def test_groups_are_a_choice_among_what_separates_the_parts(table):
    gram, degrees = anchor_gram(table)
    of_groups, of_parts = spectrum_of_groups(gram, degrees, U, 3, 3), anchor_spectrum(gram, degrees, 5)
    assert subspace_angles(of_groups.anchor_map, of_parts.anchor_map).max() < 1e-8
    F = table.map_rows(embedding(of_groups, np.dtype(float)))
    for group in range(3):
        np.testing.assert_allclose(F[y == group], np.tile(F[y == group][0], (400, 1)), atol=1e-10)


@pytest.mark.parametrize("n_groups", [7, 8])
def test_fewer_parts_than_groups(table, n_groups):
    assert spectrum_of_groups(*anchor_gram(table), U, n_groups, n_groups) is None


def test_parts_count_by_their_rows_and_not_by_their_anchors():
    """The third part has as many anchors as the others, but few rows, and joins its neighbour although it is far."""
    rng = np.random.default_rng(0)
    X = np.repeat([0.0, 10.0, 40.0], [600, 600, 20])[:, np.newaxis] + rng.random((1220, 1))
    U = np.vstack([X[:600:30], X[600:1200:30], X[1200:]])
    graph = connect(Anchors(U), n_neighbors=5, weighting=Adaptive(), search=ExactSearch(), n_rows=len(X))
    table = as_table(as_table(X).map_rows(graph))
    spectrum = spectrum_of_groups(*anchor_gram(table), U, 2, 2)
    F = table.map_rows(embedding(spectrum, np.dtype(float))).round(8)
    assert len(np.unique(F[:600])) == len(np.unique(F[600:])) == 1


@pytest.mark.parametrize("n_groups", [2, 3])
def test_specks_leave_components_to_what_is_within_the_parts(n_groups):
    """A part of all rows but six, which are two specks: the clusters divide the large part."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.uniform(size=(900, 2)) * [3, 1], 40 + rng.random((3, 2)), -40 - rng.random((3, 2))])
    U = np.vstack([X[:900:9], X[900:]])
    graph = connect(Anchors(U), n_neighbors=2, weighting=Adaptive(), search=ExactSearch(), n_rows=len(X))
    gram, degrees = anchor_gram(as_table(as_table(X).map_rows(graph)))
    spectrum = spectrum_of_groups(gram, degrees, U, n_groups, n_groups)
    assert spectrum.n_parts == 1
    assert spectrum.anchor_map.shape == (106, n_groups)
    assert (np.abs(spectrum.singular_values) < 1).all()
    np.testing.assert_allclose(spectrum.anchor_map[100:], 0, atol=1e-8)  # specks have no share in them
    np.testing.assert_allclose(degrees @ spectrum.anchor_map, 0, atol=1e-8)
