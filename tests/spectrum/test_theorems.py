"""ulge's Lemmas 1 to 4, Corollary 1 and Theorem 1, and what they need, against the functions of the package.

Lemma 5 and Theorem 2, about the ridge, are in tests/estimators/test_ulge.py.
"""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import eigh, subspace_angles

from anchorgraph import ULGE
from anchorgraph.contracts import Anchors
from anchorgraph.graph import Adaptive, ExactSearch, connect, nearest_ties
from anchorgraph.projection import locality_preserving, ridge, ridge_solution
from anchorgraph.spectrum import anchor_gram, anchor_spectrum, embedding, laplacian_spectrum
from anchorgraph.table import as_table

P = 5
SAME, APART = 1e-6, 0.1
"""Angles between subspaces, in radians."""


@pytest.fixture(name="X", params=["random", "digits"])
def independent_columns(request, digits):
    """Rows whose columns are linearly independent."""
    if request.param == "random":
        rng = np.random.default_rng(0)
        return rng.standard_normal((200, 12)) @ rng.standard_normal((12, 12)) + 5
    varied = digits[:300, digits[:300].std(axis=0) > 1]
    assert np.linalg.matrix_rank(centred(varied)) == varied.shape[1]
    return varied


def anchor_rows(X, n_anchors, k=3):
    """Z as a table, with some rows for anchors."""
    anchors = Anchors(X[:: len(X) // n_anchors][:n_anchors])
    graph = connect(anchors, n_neighbors=k, weighting=Adaptive(), search=ExactSearch(), n_rows=len(X))
    return as_table(X).keep(graph)


def affinity(Z):
    """``A = Z Δ⁻¹ Zᵀ``."""
    z = Z.rows().toarray().astype(np.float64)
    return z @ np.diag(1 / z.sum(axis=0)) @ z.T


def vectors_of(Z, p):
    """The p leading non-trivial eigenvectors of A and their eigenvalues, from the singular vectors of B."""
    spectrum = anchor_spectrum(*anchor_gram(Z), p)
    return np.asarray(Z.map_rows(embedding(spectrum, np.float64))), spectrum.singular_values**2


def by_lpp(X, A, p=P, alpha=0.0):
    """W of LPP with the graph A."""
    return locality_preserving(X, sparse.csr_array(A), p, alpha).components.T


def by_sr(X, A, p=P, alpha=0.0):
    """W of SR with the graph A: a regression of its eigenmaps."""
    return ridge(as_table(X), as_table(laplacian_spectrum(sparse.csr_array(A), p)[1]), alpha).components.T


def usual_graph(X):
    """Rows tied to their nearest rows, as LPP and SR have them: not doubly stochastic, indefinite, of high rank."""
    return nearest_ties(X, 5).toarray()


def ratio_trace(Y, A):
    """``tr (YᵀDY)⁻¹ YᵀLY``: Eq. 1, and with Y = HXW Eq. 2."""
    D = np.diag(A.sum(axis=1))
    return np.trace(np.linalg.solve(Y.T @ D @ Y, Y.T @ (D - A) @ Y))


def mixtures(p=P):
    """Invertible matrices R, some of them far from orthogonal."""
    rng = np.random.default_rng(1)
    return [rng.standard_normal((p, p)), np.diag(np.geomspace(1e-3, 1e3, p)), np.triu(np.ones((p, p)))]


def centred(X):
    return X - X.mean(axis=0)


def same_space(V, W):
    return V.shape == W.shape and subspace_angles(V, W).max() < SAME


@pytest.mark.parametrize("graph", [usual_graph, lambda X: affinity(anchor_rows(X, 30))], ids=["usual", "anchors"])
def test_lemma_1_lpp_has_a_space_for_solution_not_a_basis(X, graph):
    """Any invertible mixture of the columns of an optimal W of LPP (Eq. 2) is optimal, too."""
    A = graph(X)
    W = by_lpp(X, A)
    least = ratio_trace(centred(X) @ W, A)
    D = np.diag(A.sum(axis=1))
    smallest = eigh(centred(X).T @ (D - A) @ centred(X), centred(X).T @ D @ centred(X), eigvals_only=True)[:P]
    assert least == pytest.approx(smallest.sum(), rel=1e-8)  # it is optimal
    for R in mixtures():
        assert ratio_trace(centred(X) @ W @ R, A) == pytest.approx(least, rel=1e-8)


def test_lemma_2_eigenmaps_have_a_space_for_solution_not_a_basis(X):
    """Any invertible mixture of the eigenmaps (Eq. 1) is optimal, among maps without the constant one."""
    A = usual_graph(X)
    D = np.diag(A.sum(axis=1))
    Y = laplacian_spectrum(sparse.csr_array(A), P)[1]
    np.testing.assert_allclose(D.diagonal() @ Y, 0, atol=1e-8)
    least = ratio_trace(Y, A)
    assert least == pytest.approx(eigh(D - A, D, eigvals_only=True)[1 : P + 1].sum(), rel=1e-8)  # it is optimal
    for R in mixtures():
        assert ratio_trace(Y @ R, A) == pytest.approx(least, rel=1e-8)


@pytest.mark.parametrize("alpha", [0.0, 0.01, 100.0])
def test_lemma_2_a_mixed_target_gives_the_mixed_regression(X, alpha):
    """If W is the solution of SR (Eq. 5) for the target F, then WR is that for FR; with a ridge (Eq. 6), too."""
    F = laplacian_spectrum(sparse.csr_array(usual_graph(X)), P)[1]
    W = ridge(as_table(X), as_table(F), alpha).components.T
    gradient = centred(X).T @ (centred(X) @ W - F) + alpha * W
    np.testing.assert_allclose(gradient, 0, atol=1e-8 * np.abs(centred(X).T @ F).max())
    for R in mixtures():
        mixed = ridge(as_table(X), as_table(F @ R), alpha).components.T
        np.testing.assert_allclose(mixed, W @ R, atol=1e-8 * np.abs(W @ R).max())
        assert same_space(mixed / np.linalg.norm(mixed, axis=0), W)


def scatter_and_cross(X, F):
    """``XᵀHX`` and ``XᵀHF``."""
    return centred(X).T @ centred(X), centred(X).T @ F


def solved(gram, cross):
    """``A⁻¹B``, which solves AW = B."""
    solution = ridge_solution(gram, cross, 0.0)
    np.testing.assert_allclose(gram @ solution, cross, atol=1e-8 * np.abs(cross).max())
    return solution


def column_space(matrix, rank):
    vectors, values, _ = np.linalg.svd(matrix)
    assert values[rank - 1] > 1e-8 * values[0]
    assert (values[rank:] < 1e-10 * values[0]).all()
    return vectors[:, :rank]


@pytest.mark.parametrize("weights", [None, "eigenvalues"], ids=["Lemma 3", "Corollary 1"])
def test_lemma_3_and_corollary_1_a_solution_times_its_target_spans_the_same_space(X, weights):
    """``A⁻¹BΛBᵀ`` has the column space of ``A⁻¹B``: Λ = I in Lemma 3, diagonal and positive in Corollary 1."""
    F, eigenvalues = vectors_of(anchor_rows(X, 30), P)
    gram, cross = scatter_and_cross(X, F)
    weighted = cross if weights is None else cross * eigenvalues
    short, long = solved(gram, cross), solved(gram, weighted @ cross.T)
    assert same_space(column_space(long, P), column_space(short, P))
    np.testing.assert_allclose(short, ridge(as_table(X), as_table(F), 0.0).components.T, atol=1e-8)


def test_corollary_1_needs_positive_weights(X):
    """With a zero in Λ a dimension is lost."""
    F, eigenvalues = vectors_of(anchor_rows(X, 30), P)
    gram, cross = scatter_and_cross(X, F)
    eigenvalues[-1] = 0
    lost = column_space(solved(gram, cross * eigenvalues @ cross.T), P - 1)
    assert subspace_angles(lost, solved(gram, cross)).max() < SAME  # within it, but smaller


def test_lemma_4_leading_eigenvectors_make_a_graph_with_unit_sums(X):
    """The rank-p approximation of A has rows and columns that sum to one, is symmetric, and has rank p."""
    Z = anchor_rows(X, 30)
    for p in (1, P, 20):
        A = of_rank(Z, p)
        np.testing.assert_allclose(A.sum(axis=0), 1)
        np.testing.assert_allclose(A, A.T, atol=1e-12)
        values = np.linalg.eigvalsh(A)[::-1]
        np.testing.assert_allclose(values[: p + 1], np.linalg.eigvalsh(affinity(Z))[::-1][: p + 1], atol=1e-8)
        np.testing.assert_allclose(values[p + 1 :], 0, atol=1e-10)


def of_rank(Z, p):
    """The best approximation of A by the trivial vector and p others (Eq. 20)."""
    F, eigenvalues = vectors_of(Z, p)
    return 1 / len(F) + F * eigenvalues @ F.T


def test_lemma_4_does_not_keep_weights_from_being_negative(X):
    """A doubly stochastic matrix has none by section 3; the theorem uses the sums only, and holds all the same."""
    A = affinity(anchor_rows(X, 30))
    assert A.min() >= 0
    assert of_rank(anchor_rows(X, 30), P).min() < -1e-4


@pytest.mark.parametrize("kind", ["few anchors", "approximation"])
def test_theorem_1_lpp_is_sr_on_a_doubly_stochastic_graph_of_rank_p(X, kind):
    """With as many anchors as dimensions A has rank p as it is; with more, its approximation has."""
    Z = anchor_rows(X, P + 1 if kind == "few anchors" else 30)
    A = affinity(Z) if kind == "few anchors" else of_rank(Z, P)
    assert np.linalg.matrix_rank(A, tol=1e-10) == P + 1  # and the trivial vector, which centred rows do not see
    np.testing.assert_allclose(A.sum(axis=1), 1)
    assert np.linalg.eigvalsh(A)[0] > -1e-10
    lpp, sr = by_lpp(X, A), by_sr(X, A)
    assert same_space(lpp, sr)
    assert same_space(ridge(as_table(X), as_table(vectors_of(Z, P)[0]), 0.0).components.T, lpp)


def test_theorem_1_makes_ulge_exact_with_as_many_anchors_as_dimensions(digits):
    """ULGE without a ridge against LPP on its own graph, in all columns of the digits: some of them are constant."""
    model = ULGE(P, n_anchors=P + 1, n_neighbors=3, alpha=0.0, random_state=0).fit(digits)
    graph = connect(
        Anchors(model.anchors_), n_neighbors=3, weighting=Adaptive(), search=ExactSearch(), n_rows=len(digits)
    )
    A = affinity(as_table(digits).keep(graph))
    assert same_space(model.components_.T, by_lpp(digits, A))


def test_theorem_1_needs_rank_p(X):
    """On the whole anchor graph LPP is not SR: its directions also serve the vectors that SR leaves out."""
    A = affinity(anchor_rows(X, 30))
    assert np.linalg.matrix_rank(A, tol=1e-10) > P + 1
    assert subspace_angles(by_lpp(X, A), by_sr(X, A)).max() > APART


def test_theorem_1_needs_unit_degrees(X):
    """Weights that multiply ties of a graph of rank p keep it symmetric, PSD and of rank p, but LPP is not SR."""
    A = affinity(anchor_rows(X, P + 1))
    weights = np.random.default_rng(0).uniform(0.2, 5, len(A))
    A = weights[:, np.newaxis] * A * weights
    assert np.linalg.matrix_rank(A, tol=1e-10) == P + 1
    assert subspace_angles(by_lpp(X, A), by_sr(X, A)).max() > APART
    assert subspace_angles(by_lpp(X, usual_graph(X)), by_sr(X, usual_graph(X))).max() > APART


def test_theorem_1_holds_for_dependent_columns_in_the_space_of_the_rows(X):
    """``XᵀHX`` has no inverse then, which the proof takes for granted: the solution of least norm stands for it."""
    A = affinity(anchor_rows(X, P + 1))
    mixed = np.hstack([X, X @ np.random.default_rng(0).standard_normal((X.shape[1], 4)), np.full((len(X), 2), 3.0)])
    assert same_space(by_lpp(mixed, A), by_sr(mixed, A))
    assert same_space(centred(mixed) @ by_sr(mixed, A), centred(X) @ by_sr(X, A))


def test_theorem_1_holds_for_more_columns_than_rows(digits):
    """Every target is met exactly there, so that both embed as eigenmaps do."""
    wide = np.random.default_rng(0).standard_normal((60, 90)) + np.repeat(digits[:60, :45], 2, axis=1)
    Z = anchor_rows(wide, P + 1)
    lpp, sr = by_lpp(wide, affinity(Z)), by_sr(wide, affinity(Z))
    assert same_space(lpp, sr)
    assert same_space(centred(wide) @ lpp, vectors_of(Z, P)[0])


def test_theorem_1_needs_rows_that_tell_the_targets_apart(X):
    """If ``XᵀHF`` has a smaller rank than p, SR has fewer directions, which is refused; LPP fills up with others."""
    F, eigenvalues = vectors_of(anchor_rows(X, P + 1), P)
    A = 1 / len(F) + F * eigenvalues @ F.T
    blind = centred(X) - np.outer(F[:, 2], F[:, 2] @ centred(X))  # no column has any of the third vector
    assert np.linalg.matrix_rank(blind) >= P
    with pytest.raises(ValueError, match=f"n_components={P} is more than the {P - 1} dimensions"):
        by_sr(blind, A)
    others = np.delete(F, 2, axis=1)
    sr = ridge(as_table(blind), as_table(others), 0.0).components.T
    assert subspace_angles(sr, by_lpp(blind, A)).max() < SAME
    for find in (by_lpp, by_sr):
        with pytest.raises(ValueError, match=f"n_components={P} is more than the 3 dimensions that the rows span"):
            find(X[:, :3], A)


def test_weights_of_eq_18_minimise_eq_17(X):
    """``Σ_j h_j z_j + γ z_j²`` over distributions z, with the γ that leaves k of them: no other has less."""
    anchors, k = X[::10], 4
    h = ((X[:, np.newaxis] - anchors) ** 2).sum(axis=2)
    z = anchor_rows(X, len(anchors), k).rows().toarray()
    nearest = np.sort(h, axis=1)[:, : k + 1]
    gamma = k / 2 * nearest[:, k] - nearest[:, :k].sum(axis=1) / 2
    off = gamma > 1e-9  # equal distances leave γ = 0
    assert off.mean() > 0.9
    h, z, gamma = h[off], z[off], gamma[off, np.newaxis]
    slopes = h + 2 * gamma * z  # equal where z > 0, and nowhere less: the conditions of a minimum of a convex function
    least = slopes.min(axis=1, keepdims=True)
    np.testing.assert_allclose(np.where(z > 1e-9, slopes - least, 0), 0, atol=1e-8 * h.max())
    objective = (h * z + gamma * z**2).sum(axis=1)
    rng = np.random.default_rng(0)
    for share in (0.01, 0.3, 1):
        other = (1 - share) * z + share * rng.dirichlet(np.full(z.shape[1], 0.3), len(z))
        assert ((h * other + gamma * other**2).sum(axis=1) >= objective - 1e-9 * h.max()).all()
