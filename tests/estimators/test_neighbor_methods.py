"""LE, LPP and SR, and their kernel forms."""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_moons
from sklearn.kernel_ridge import KernelRidge

from anchorgraph import LE, LPP, SR
from anchorgraph.metrics import clustering_accuracy, nmi
from reference import neighbors as literal
from reference.ulge import centring, ridge_regression


@pytest.fixture(params=["connected", "parts", "duplicates"])
def case(request, digits, islands):
    noise = 0.1 * np.random.default_rng(0).standard_normal((120, 64))
    return {
        "connected": digits[:120] + noise,
        "parts": islands[::2],
        "duplicates": np.repeat(digits[:60] + noise[:60], 2, axis=0),
    }[request.param]


SIGMA = 15.0
P = 3
pytestmark = pytest.mark.filterwarnings("ignore:The neighbour graph falls into")


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_le_is_the_reference(case, dtype):
    p = 10
    model = LE(p, sigma=SIGMA).fit(case.astype(dtype))
    eigenvalues, Y = literal.laplacian_eigenmaps(literal.neighbor_graph(case, 5, SIGMA), p)
    tight = dtype == np.float64
    np.testing.assert_allclose(model.eigenvalues_, eigenvalues, atol=1e-8 if tight else 1e-4)
    assert subspace_angles(model.embedding_, Y).max() < (1e-5 if tight else 1e-2)
    assert model.embedding_.dtype == dtype


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_lpp_is_the_reference(case, dtype):
    model = LPP(P, alpha=0.5, sigma=SIGMA).fit(case.astype(dtype))
    expected = literal.locality_preserving(case, literal.neighbor_graph(case, 5, SIGMA), 0.5, P)
    assert subspace_angles(model.components_.T, expected).max() < (1e-6 if dtype == np.float64 else 1e-2)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sr_is_the_reference(case, dtype):
    p = 10 if case.shape[1] > 10 else P
    model = SR(p, alpha=0.5, sigma=SIGMA).fit(case.astype(dtype))
    _, Y = literal.laplacian_eigenmaps(literal.neighbor_graph(case, 5, SIGMA), p)
    expected = ridge_regression(case, Y, 0.5)
    assert subspace_angles(model.components_.T, expected).max() < (1e-5 if dtype == np.float64 else 5e-2)


def test_klpp_is_lpp_of_the_kernel_matrix(digits):
    X = digits[:100] + 0.1 * np.random.default_rng(0).standard_normal((100, 64))
    model = LPP(P, alpha=0.5, kernel="rbf", sigma=SIGMA).fit(X)
    K = literal.gaussian_kernels(X, X, SIGMA)
    expected = literal.locality_preserving(K, literal.neighbor_graph(X, 5, SIGMA), 0.5, P)
    assert subspace_angles(model.components_.T, expected).max() < 1e-5
    new = digits[100:110]
    by_hand = (literal.gaussian_kernels(new, X, SIGMA) - K.mean(axis=0)) @ model.components_.T
    np.testing.assert_allclose(model.transform(new), by_hand, atol=1e-10)


def test_ksr_is_kernel_ridge_regression_of_the_eigenmaps(digits):
    X = digits[:100] + 0.1 * np.random.default_rng(0).standard_normal((100, 64))
    model = SR(P, alpha=0.5, kernel="rbf", sigma=SIGMA).fit(X)
    Y = LE(P, sigma=SIGMA).fit(X).embedding_
    theirs = KernelRidge(alpha=0.5, kernel="rbf", gamma=1 / (2 * SIGMA**2)).fit(X, Y)
    np.testing.assert_allclose(model.components_.T, theirs.dual_coef_, atol=1e-9)
    np.testing.assert_allclose(model.transform(digits[100:150]), theirs.predict(digits[100:150]), atol=1e-9)


@pytest.mark.parametrize("method", [LPP, SR])
@pytest.mark.parametrize(
    ("kernel", "parameters"),
    [("rbf", {"gamma": 1e-3}), ("poly", {"degree": 2, "coef0": 2, "gamma": 1e-3}), ("linear", {})],
)
def test_kernels_take_sparse_rows_and_any_number_of_new_ones(digits, method, kernel, parameters, monkeypatch):
    X = digits[:150] + 0.1 * np.random.default_rng(0).standard_normal((150, 64))
    model = method(2, kernel=kernel, random_state=0, **parameters)
    dense = model.fit(X).transform(digits[150:200])
    monkeypatch.setattr("anchorgraph.numerics.kernels.CHUNK_BYTES", 20_000)
    from_sparse = model.fit(sparse.csr_array(X)).transform(sparse.csr_array(digits[150:200]))
    np.testing.assert_allclose(from_sparse, dense, atol=1e-6 * np.abs(dense).max())


def test_kernel_lpp_with_the_linear_kernel_embeds_in_the_space_of_the_rows(digits):
    """K = XXᵀ: what is linear in the kernels is linear in the rows."""
    X = digits[:100]
    Y = LPP(2, kernel="linear", sigma=SIGMA).fit_transform(X)
    H = centring(100)
    basis = np.linalg.svd(H @ X, full_matrices=False)[0][:, : np.linalg.matrix_rank(H @ X)]
    np.testing.assert_allclose(basis @ (basis.T @ Y), Y, atol=1e-8)


def test_rows_of_the_fit_come_out_as_they_were_and_others_near_their_neighbours(digits):
    model = LE(5, random_state=0).fit(digits[:800])
    np.testing.assert_array_equal(model.transform(digits[:800]), model.embedding_)
    np.testing.assert_array_equal(LE(5, random_state=0).fit_transform(digits[:800]), model.embedding_)
    moved = model.transform(digits[:800] + 1e-3)
    correlation = [np.corrcoef(moved[:, j], model.embedding_[:, j])[0, 1] for j in range(5)]
    assert min(correlation) > 0.99


def test_new_rows_of_le_by_hand(digits):
    X, new = digits[:150], digits[150:155]
    model = LE(3, sigma=SIGMA).fit(X)
    weights = literal.gaussian_kernels(new, X, SIGMA)
    for row, found in zip(weights, model.transform(new), strict=True):
        near = np.argsort(-row)[:5]
        mean = row[near] @ model.embedding_[near] / row[near].sum()
        np.testing.assert_allclose(found, mean / (1 - model.eigenvalues_), rtol=1e-8)


@pytest.mark.parametrize("sigma", ["mean", 0.3, 0.05])
def test_rows_with_faint_ties_have_exact_eigenmaps(sigma):
    """Bandwidths far below the distances, and an outlier: degrees differ by eight orders, not by three hundred."""
    X = np.random.default_rng(1).standard_normal((300, 5))
    X[0] = 1e4
    model = LE(2, sigma=sigma, random_state=0).fit(X)
    graph = model._tie(model._neighbors)
    averaged = graph @ model.embedding_ / graph.sum(axis=1)[:, np.newaxis]
    expected = (1 - model.eigenvalues_) * model.embedding_
    np.testing.assert_allclose(averaged, expected, atol=1e-6 * np.abs(expected).max())


def test_what_the_fit_learnt_is_not_changed_by_parameters_or_data(digits):
    X = digits[:150].copy()
    for model in (LE(2), SR(2, kernel="rbf"), LPP(2, kernel="rbf")):
        model.set_params(random_state=0).fit(X)
        before = model.transform(digits[150:160])
        if "gamma" in model.get_params():
            model.set_params(gamma=1.0, kernel="linear")
        X[:] = 0
        np.testing.assert_array_equal(model.transform(digits[150:160]), before)
        X[:] = digits[:150]


def test_new_rows_of_le_fall_where_a_fit_with_them_puts_them(digits):
    together = LE(3, sigma=SIGMA).fit_transform(digits)
    alone = LE(3, sigma=SIGMA).fit(digits[:1700]).transform(digits[1700:])
    assert np.degrees(subspace_angles(together[1700:], alone)).max() < 10


def test_le_tells_moons_apart_where_linear_methods_cannot():
    X, y = make_moons(600, noise=0.06, random_state=0)

    def accuracy(Y):
        return clustering_accuracy(y, KMeans(2, n_init=10, random_state=0).fit_predict(Y))

    assert accuracy(LE(1, sigma=0.1).fit_transform(X)) > 0.98
    assert accuracy(SR(1, sigma=0.1, kernel="rbf", gamma=10, alpha=1e-3).fit_transform(X)) > 0.98
    assert accuracy(LPP(1, sigma=0.1).fit_transform(X)) < 0.95


def test_digits_cluster_better_in_eigenmaps_than_in_pixels():
    X, y = load_digits(return_X_y=True)
    scores = [
        nmi(y, KMeans(10, n_init=10, random_state=0).fit_predict(rows))
        for rows in (LE(10, random_state=0).fit_transform(X), SR(10, random_state=0).fit_transform(X), X)
    ]
    assert scores[0] > scores[2] + 0.05
    assert scores[1] > scores[2]


@pytest.mark.parametrize("method", [LE, LPP, SR])
def test_they_say_that_they_do_not_stream(method):
    assert not method.card.streams


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (LE(sigma="local"), "sigma='local' is for anchor graphs; pass a positive number or 'mean'"),
        (LE(sigma=-1), "sigma=-1 is not a bandwidth"),
        (LPP(kernel="cubic"), "kernel must be one of"),
        (SR(kernel="cubic"), "kernel must be one of"),
        (SR(kernel="rbf", gamma="scale"), r"gamma must be a number in \[1e-100, 1e100\]; got 'scale'."),
        (SR(kernel="rbf", gamma=-1), r"gamma must be a number in \[1e-100, 1e100\]; got -1."),
        (LPP(kernel="poly", degree="two"), r"degree must be a number in \[-1e100, 1e100\]; got 'two'."),
        (LPP(kernel="poly", coef0=None), r"coef0 must be a number in \[-1e100, 1e100\]; got None."),
        (LPP(kernel=["rbf"]), r"kernel must be one of"),
        (SR(kernel="chi2"), "kernel='chi2' cannot be taken of these rows: .*negative"),
        (SR(kernel="sigmoid", gamma=5.0, coef0=-3, alpha=0), "kernel='sigmoid' is not positive semi-definite"),
        (SR(kernel="sigmoid", gamma=5.0, coef0=-3), "kernel='sigmoid' is not positive semi-definite on these rows"),
        (LE(n_components=40), "n_components=40 is too many for n_samples=40; use at most 39"),
        (LPP(n_components=5), "n_components=5 is more than n_features=4; use at most 4"),
        (LPP(n_components=40, kernel="rbf"), "n_components=40 is too many for n_samples=40"),
    ],
)
def test_impossible_parameters(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(np.random.default_rng(0).standard_normal((40, 4)))
