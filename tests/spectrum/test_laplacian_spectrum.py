import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles

from anchorgraph.numerics import eigen
from anchorgraph.spectrum import laplacian_spectrum, nystrom
from reference import neighbors as literal


def test_a_path_of_three_rows_by_hand():
    """Weights 1 and 1: D⁻¹W has eigenvalues 1, 0, -1; to 0 belongs (1, 0, -1), to -1 (1, -1, 1)."""
    W = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    values, Y = laplacian_spectrum(W, 2)
    np.testing.assert_allclose(values, [0, -1], atol=1e-12)
    np.testing.assert_allclose(np.abs(Y), [[2**-0.5, 0.5], [0, 0.5], [2**-0.5, 0.5]], atol=1e-12)


@pytest.mark.parametrize("dense_order", [512, 8])
@pytest.mark.parametrize("case", ["connected", "parts", "duplicates"])
def test_same_subspace_as_the_reference(digits, islands, case, dense_order, monkeypatch):
    monkeypatch.setattr(eigen, "DENSE_ORDER", dense_order)
    X = {"connected": digits[:150], "parts": islands, "duplicates": np.repeat(digits[:60], 2, axis=0)}[case]
    sigma = 1.0 if case == "parts" else 20.0
    W = literal.neighbor_graph(X, 5, sigma)
    values, Y = laplacian_spectrum(sparse.csr_array(W), 8)
    eigenvalues, expected = literal.laplacian_eigenmaps(W, 8)
    np.testing.assert_allclose(1 - values, eigenvalues, atol=1e-9)
    assert subspace_angles(Y, expected).max() < 1e-6
    D = np.diag(W.sum(axis=1))
    np.testing.assert_allclose(Y.T @ D @ Y, np.eye(8), atol=1e-8)
    np.testing.assert_allclose((D @ Y).sum(axis=0), 0, atol=1e-7)


def test_the_first_components_of_a_graph_in_parts_tell_them_apart(islands):
    W = sparse.csr_array(literal.neighbor_graph(islands, 5, 1.0))
    values, Y = laplacian_spectrum(W, 2)
    np.testing.assert_allclose(values, 1)
    assert len(np.unique(Y.round(6), axis=0)) == 3
    with pytest.warns(UserWarning, match="The neighbour graph falls into 3 unconnected parts, of which 1 component"):
        laplacian_spectrum(W, 1)


def test_fewer_components_than_parts_tell_the_largest_apart():
    sizes = (4, 12, 6, 9, 3)
    W = sparse.block_diag([np.ones((size, size)) - np.eye(size) for size in sizes], format="csr")
    with pytest.warns(UserWarning, match="5 unconnected parts"):
        _, Y = laplacian_spectrum(sparse.csr_array(W), 2)
    of_part = Y[np.r_[0, np.cumsum(sizes)[:-1]]]
    np.testing.assert_allclose(of_part[0], of_part[4])  # the small ones stay together
    assert len(np.unique(of_part.round(6), axis=0)) == 4


def test_new_rows_where_the_formula_divides_by_zero():
    """The path of three rows has μ = 0 for its first component."""
    values, Y = laplacian_spectrum(sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])), 2)
    columns, weights = np.array([[0], [1]]), np.ones((2, 1))
    with pytest.raises(ValueError, match=r"Component 0 has the eigenvalue 1, for which the Nyström formula .* is 0/0"):
        nystrom(values, Y, columns, weights, np.array([-1, 2]))
    np.testing.assert_array_equal(nystrom(values, Y, columns, weights, np.array([0, 2])), Y[[0, 2]])


def test_the_rows_of_a_graph_fulfil_the_nystrom_formula(digits):
    """With its row of the graph as ties, every row embeds where it is."""
    W = literal.neighbor_graph(digits[:100], 5, 20.0)
    values, Y = laplacian_spectrum(sparse.csr_array(W), 4)
    columns = np.tile(np.arange(100), (100, 1))
    weights = W / W.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(nystrom(values, Y, columns, weights, np.full(100, -1)), Y, atol=1e-9)
    own = np.arange(100)[::-1]
    np.testing.assert_array_equal(nystrom(values, Y, columns, weights, own), Y[::-1])


def test_ties_below_rounding_hold_nothing_together(islands):
    """Three parts and ties between them that the solver cannot see: the same components as without such ties."""
    W = sparse.csr_array(literal.neighbor_graph(islands, 5, 1.0))
    faint = W.tolil()
    faint[0, 60] = faint[60, 0] = faint[0, 120] = faint[120, 0] = 1e-15
    values, Y = laplacian_spectrum(faint.tocsr(), 4)
    expected_values, expected = laplacian_spectrum(W, 4)
    np.testing.assert_allclose(values, expected_values, atol=1e-12)
    np.testing.assert_allclose(Y, expected, atol=1e-9)
