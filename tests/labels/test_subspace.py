import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.linear_model import Lasso
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import normalize

from anchorgraph import SSSC
from anchorgraph.graph import code_graph, sparse_codes
from anchorgraph.graph.codes import _small_steps
from anchorgraph.labels import SubspaceClasses
from anchorgraph.numerics.execution import execution
from anchorgraph.spectrum import laplacian_spectrum
from anchorgraph.table import as_table
from reference import sssc as literal


def lines(n=40, seed=0):
    """Rows along two planes in six dimensions."""
    rng = np.random.default_rng(seed)
    planes = [rng.standard_normal((2, 6)) for _ in range(2)]
    rows = np.vstack([rng.standard_normal((n // 2, 2)) @ plane for plane in planes])
    return normalize(rows), np.repeat([0, 1], n // 2)


def noisy(n=50, d=12, seed=0):
    """Rows near three subspaces, none of which contains a row exactly."""
    rng = np.random.default_rng(seed)
    bases = rng.standard_normal((3, 3, d))
    rows = np.einsum("np,npd->nd", rng.standard_normal((n, 3)), bases[np.arange(n) % 3])
    return normalize(rows + 0.1 * rng.standard_normal((n, d)))


@pytest.mark.parametrize("tol", [0, 1e-3, 1e-2, 0.1, 0.9])
@pytest.mark.parametrize(("penalty", "d"), [(1e-6, 12), (1e-6, 40), (0.05, 12)])
def test_codes_are_the_references(penalty, tol, d):
    rows = noisy(30, d)
    np.testing.assert_allclose(sparse_codes(rows, penalty, tol).toarray(), literal.codes(rows, penalty, tol), atol=1e-6)


@pytest.mark.parametrize("d", [12, 80])
def test_codes_of_rows_however_they_are_stored(form, d):
    rows = noisy(30, d)
    stored = as_table(form(rows)).map_rows(lambda block: block)
    codes = sparse_codes(stored, 1e-6, 0.01).toarray()
    tight = stored.dtype == np.float64
    np.testing.assert_allclose(codes, sparse_codes(rows, 1e-6, 0.01).toarray(), atol=1e-9 if tight else 1e-3)


def test_codes_are_the_lassos_if_no_step_is_too_small():
    rows, _ = lines()
    codes = sparse_codes(rows, 0.05, 0).toarray()
    np.testing.assert_array_equal(np.diag(codes), 0)
    for i in (0, 17, 39):
        others = np.delete(np.arange(40), i)
        theirs = Lasso(alpha=0.05 / 6, fit_intercept=False, tol=1e-10, max_iter=100_000).fit(rows[others].T, rows[i])
        objective = [
            np.sum((rows[i] - rows[others].T @ c) ** 2) / 2 + 0.05 * np.abs(c).sum()
            for c in (codes[i, others], theirs.coef_)
        ]
        np.testing.assert_allclose(objective[0], objective[1], rtol=1e-6)


def test_a_larger_tolerance_makes_sparser_codes():
    sizes = [sparse_codes(noisy(50, 30), 1e-6, tol).nnz for tol in (0.2, 0.05, 1e-2, 1e-3)]
    assert sizes == sorted(sizes)
    assert 50 <= sizes[0] < sizes[-1] / 4


def test_the_length_of_the_first_piece_of_a_path_does_not_matter(monkeypatch):
    rows = noisy(40, 40)
    in_pieces = sparse_codes(rows, 1e-6, 1e-3)
    monkeypatch.setattr("anchorgraph.graph.codes.PATH_LENGTHS", (100,))
    np.testing.assert_array_equal(sparse_codes(rows, 1e-6, 1e-3).toarray(), in_pieces.toarray())


def test_paths_are_bounded(monkeypatch):
    monkeypatch.setattr("anchorgraph.graph.codes.PATH_LENGTHS", (3, 8))
    rows = noisy(20)
    codes = sparse_codes(rows, 1e-6, 0).toarray()
    np.testing.assert_allclose(codes, literal.codes(rows, 1e-6, 0, max_steps=8), atol=1e-9)
    assert np.count_nonzero(codes, axis=1).max() <= 8


def test_small_steps_by_hand():
    """Steps that lower the objective by a tenth, by nothing, along no way at all, and by a half."""
    penalties, objectives = np.array([5.0, 4, 3, 3, 2]), np.array([10.0, 9, 9, 9, 4.5])
    assert _small_steps(penalties, objectives, 0).tolist() == [1]
    assert _small_steps(penalties, objectives, 0.1).tolist() == [0, 1]
    assert _small_steps(penalties, objectives, 0.5).tolist() == [0, 1, 3]


def test_threads_change_nothing():
    found = []
    for n_jobs in (1, 2):
        with execution(n_jobs):
            found.append(sparse_codes(noisy(40), 1e-6, 1e-2).toarray())
    np.testing.assert_array_equal(*found)


def test_rows_that_are_nearly_equal_do_not_warn():
    """scikit-learn leaves a column out that others span, and warns, which would be an error here."""
    rows = noisy(20)
    codes = sparse_codes(normalize(np.vstack([rows, rows + 1e-9, rows + 2e-9])), 1e-6, 0)
    assert np.isfinite(codes.data).all()
    assert (np.diff(codes.indptr) > 0).all()


def test_a_row_is_coded_by_its_own_plane():
    rows, planes = lines()
    graph = code_graph(sparse_codes(rows, 1e-6, 0.01)).toarray()
    within = graph[planes[:, np.newaxis] == planes].sum()
    assert within > 0.9 * graph.sum()


def test_a_row_without_code_keeps_a_faint_tie():
    rows = np.vstack([lines()[0][:5], np.zeros((1, 6))])
    graph = code_graph(sparse_codes(rows, 0.5, 0))
    assert (graph.sum(axis=1) > 0).all()
    assert abs(graph - graph.T).max() == 0


def test_residuals_are_the_references():
    rows, planes = lines()
    new = lines(12, seed=3)[0]
    classes = SubspaceClasses.of(rows, planes, 0.1)
    np.testing.assert_allclose(np.sqrt(classes.residuals(new)), literal.residuals(new, rows, planes, 0.1), rtol=1e-6)


def test_dependent_rows_need_a_ridge():
    rows, planes = lines()
    with pytest.raises(ValueError, match=r"ridge=1e-30 is too small for anchors that are linearly dependent; use a"):
        SubspaceClasses.of(rows, planes, 1e-30)


def test_the_ridge_is_that_of_the_regression_on_the_sample():
    """The codes of the sample, and so its clusters, do not depend on it; the residuals do."""
    X = np.random.default_rng(0).standard_normal((200, 8))
    models = [SSSC(3, n_anchors=60, ridge=ridge, random_state=0).fit(X) for ridge in (1e-6, 0.5)]
    np.testing.assert_array_equal(models[0].anchor_labels_, models[1].anchor_labels_)
    for model in models:
        left = literal.residuals(normalize(X), model.anchors_, model.anchor_labels_, model.ridge)
        inverse = left**-2
        np.testing.assert_allclose(model.transform(X), inverse / inverse.sum(axis=1, keepdims=True), atol=1e-6)
    assert np.abs(models[0].transform(X) - models[1].transform(X)).max() > 0.01


def test_the_tolerance_is_that_of_the_codes_of_the_sample():
    X = np.random.default_rng(0).standard_normal((200, 8))
    for tol in (1e-3, 0.1):
        model = SSSC(3, n_anchors=60, tol=tol, random_state=0).fit(X)
        embedding = laplacian_spectrum(code_graph(sparse.csr_array(literal.codes(model.anchors_, 1e-6, tol))), 3)[1]
        theirs = KMeans(3, n_init=10, random_state=0).fit_predict(normalize(embedding))
        assert adjusted_rand_score(theirs, model.anchor_labels_) > 0.9
