import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles

from anchorgraph.contracts import Anchors
from anchorgraph.graph import Adaptive, ExactSearch, connect
from anchorgraph.numerics import eigen
from anchorgraph.spectrum import anchor_gram, anchor_spectrum, embedding
from anchorgraph.table import as_table
from reference import spectrum as literal


def graph_of(U, k=3):
    return connect(Anchors(U), n_neighbors=k, weighting=Adaptive(), search=ExactSearch(), n_rows=len(U))


def spectrum_of(X, U, p, block_rows=None, k=3):
    graph = graph_of(U, k)
    table = as_table(X, block_rows=block_rows)
    spectrum = anchor_spectrum(*anchor_gram(table.view(graph)), p)
    return spectrum, table.keep(graph).map_rows(embedding(spectrum, table.dtype))


def test_two_anchors_by_hand():
    """Rows tied to anchors 0, 0, 1 and half-half: the one non-trivial pair of a 2x2 matrix."""
    Z = sparse.csr_array(np.array([[1, 0], [1, 0], [0, 1], [0.5, 0.5]]))
    spectrum = anchor_spectrum(*anchor_gram(as_table(Z)), 1)
    # trace of the Gram: 2.25/2.5 + 1.25/1.5; its other eigenvalue is the trivial one
    np.testing.assert_allclose(spectrum.singular_values**2, [2.25 / 2.5 + 1.25 / 1.5 - 1])
    F = Z @ spectrum.anchor_map
    np.testing.assert_allclose(F.sum(), 0, atol=1e-12)
    np.testing.assert_allclose(F.T @ F, [[1]])


@pytest.mark.parametrize("dense_order", [512, 8])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_same_subspace_as_the_reference(digits, dtype, dense_order, monkeypatch):
    monkeypatch.setattr(eigen, "DENSE_ORDER", dense_order)
    X, U = digits[:600].astype(dtype), digits[600:700].astype(dtype)
    spectrum, F = spectrum_of(X, U, 5, k=5)
    Z = as_table(X).map_rows(graph_of(U, 5)).toarray().astype(np.float64)
    sigma, reference = literal.spectrum(Z, 5)
    tight = dtype == np.float64
    np.testing.assert_allclose(spectrum.singular_values, sigma, rtol=1e-9 if tight else 1e-5)
    assert subspace_angles(F, reference).max() < (1e-7 if tight else 1e-3)
    np.testing.assert_allclose(F.T @ F, np.eye(5), atol=1e-8 if tight else 1e-4)
    np.testing.assert_allclose(F.sum(axis=0), 0, atol=1e-8 if tight else 1e-3)
    assert F.dtype == dtype


@pytest.mark.parametrize("block_rows", [1, 33, None])
def test_block_size_changes_nothing_not_even_a_sign(blobs, block_rows):
    _, expected = spectrum_of(blobs, blobs[:30], 4)
    _, F = spectrum_of(blobs, blobs[:30], 4, block_rows)
    np.testing.assert_allclose(F, expected, atol=1e-8)


def test_a_disconnected_graph_keeps_what_tells_its_parts_apart(islands):
    """Trap 2: dropping 'the first' of three equal singular values would keep the trivial vector."""
    spectrum, F = spectrum_of(islands, islands[::6], 4)
    assert spectrum.n_parts == 3
    np.testing.assert_allclose(spectrum.singular_values[:2], 1)
    assert (spectrum.singular_values[2:] < 1 - 1e-6).all()
    np.testing.assert_allclose(F.sum(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(F.T @ F, np.eye(4), atol=1e-8)
    for part in (slice(0, 60), slice(60, 120), slice(120, 180)):
        np.testing.assert_allclose(F[part, :2], np.tile(F[part.start, :2], (60, 1)), atol=1e-8)
    assert len(np.unique(F[:, :2].round(6), axis=0)) == 3
    Z = as_table(islands).map_rows(graph_of(islands[::6])).toarray()
    assert subspace_angles(F, literal.spectrum(Z, 4)[1]).max() < 1e-7


def test_too_few_components_for_the_parts_are_warned_of(islands):
    with pytest.warns(UserWarning, match="3 unconnected parts, of which 1 component"):
        spectrum_of(islands, islands[::6], 1)


def test_anchors_that_no_row_uses_have_no_column(blobs):
    U = np.vstack([blobs[:20], np.full((2, 8), 1e6)])
    spectrum, F = spectrum_of(blobs, U, 4)
    _, without = spectrum_of(blobs, blobs[:20], 4)
    np.testing.assert_array_equal(spectrum.anchor_map[20:], 0)
    np.testing.assert_allclose(F, without, atol=1e-5)


def test_duplicate_rows_embed_alike(blobs):
    X = np.vstack([blobs, blobs])
    _, F = spectrum_of(X, blobs[:25], 3)
    np.testing.assert_allclose(F[:200], F[200:], atol=1e-12)


def test_new_rows_embed_where_the_same_rows_of_the_fit_do(blobs):
    graph = graph_of(blobs[:30])
    spectrum, F = spectrum_of(blobs, blobs[:30], 3)
    np.testing.assert_allclose(embedding(spectrum, float)(graph(blobs[50:60])), F[50:60], atol=1e-12)


@pytest.mark.parametrize("asked", [10, 9])
def test_more_components_than_the_graph_offers_are_refused(asked):
    """Ten anchors with equal columns in pairs: of the nine non-trivial components only four exist."""
    Z = sparse.csr_array(np.kron(np.random.default_rng(0).dirichlet(np.ones(5), 40), [[0.5, 0.5]]))
    gram, degrees = anchor_gram(as_table(Z))
    assert anchor_spectrum(gram, degrees, 4).singular_values.shape == (4,)
    with pytest.raises(ValueError, match=f"n_components={asked} is more than the 4 non-trivial"):
        anchor_spectrum(gram, degrees, asked)
