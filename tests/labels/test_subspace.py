import numpy as np
from sklearn.linear_model import Lasso
from sklearn.preprocessing import normalize

from anchorgraph.graph import code_graph, sparse_codes
from anchorgraph.labels import SubspaceClasses
from reference import sssc as literal


def lines(n=40, seed=0):
    """Rows along two planes in six dimensions."""
    rng = np.random.default_rng(seed)
    planes = [rng.standard_normal((2, 6)) for _ in range(2)]
    rows = np.vstack([rng.standard_normal((n // 2, 2)) @ plane for plane in planes])
    return normalize(rows), np.repeat([0, 1], n // 2)


def test_codes_are_the_lassos():
    rows, _ = lines()
    codes = sparse_codes(rows, 0.05).toarray()
    np.testing.assert_array_equal(np.diag(codes), 0)
    for i in (0, 17, 39):
        others = np.delete(np.arange(40), i)
        theirs = Lasso(alpha=0.05 / 6, fit_intercept=False, tol=1e-10, max_iter=100_000).fit(rows[others].T, rows[i])
        objective = [
            np.sum((rows[i] - rows[others].T @ c) ** 2) / 2 + 0.05 * np.abs(c).sum()
            for c in (codes[i, others], theirs.coef_)
        ]
        np.testing.assert_allclose(objective[0], objective[1], rtol=1e-6)


def test_a_row_is_coded_by_its_own_plane():
    rows, planes = lines()
    graph = code_graph(sparse_codes(rows, 0.01)).toarray()
    within = graph[planes[:, np.newaxis] == planes].sum()
    assert within > 0.9 * graph.sum()


def test_a_row_without_code_keeps_a_faint_tie():
    rows = np.vstack([lines()[0][:5], np.zeros((1, 6))])
    graph = code_graph(sparse_codes(rows, 0.5))
    assert (graph.sum(axis=1) > 0).all()
    assert abs(graph - graph.T).max() == 0


def test_residuals_are_the_references():
    rows, planes = lines()
    new = lines(12, seed=3)[0]
    classes = SubspaceClasses.of(rows, planes, 0.1)
    np.testing.assert_allclose(np.sqrt(classes.residuals(new)), literal.residuals(new, rows, planes, 0.1), rtol=1e-6)
