import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph import OULGE, ULGE, AnchorGraph
from reference import graph as literal_graph
from reference import spectrum as literal_spectrum
from reference import ulge as literal
from sparse_rows import random_rows

CASES = ["connected", "parts", "duplicates"]


@pytest.fixture(params=CASES)
def case(request, digits):
    """Rows whose anchor graph is connected, in three parts, or holds every row twice."""
    noise = np.random.default_rng(0).standard_normal((180, 64))
    groups = 20 * np.repeat(np.eye(3, 6), 60, axis=0)
    return {
        "connected": digits[:300],
        "parts": groups + noise[:, :6],
        "duplicates": np.repeat(digits[:120] + noise[:120], 2, axis=0),
    }[request.param]


def literal_target(X, model, p):
    Z = literal_graph.anchor_graph(X, model.anchors_, model.n_neighbors, literal_graph.adaptive)
    return literal_spectrum.spectrum(Z, p)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_reference(case, dtype):
    model = ULGE(4, n_anchors=24, n_neighbors=3, random_state=0).fit(case.astype(dtype))
    sigma, F = literal_target(case, model, 4)
    expected = literal.ridge_regression(case, F, 0.01)
    tight = dtype == np.float64
    np.testing.assert_allclose(model.singular_values_, sigma, rtol=1e-8 if tight else 1e-3)
    angle = subspace_angles(case @ model.components_.T, case @ expected).max()
    assert angle < (1e-6 if tight else 2e-2)
    assert subspace_angles(model.components_.T.astype(np.float64), expected).max() < (1e-6 if tight else 5e-2)
    assert model.components_.dtype == dtype
    assert model.mean_.dtype == np.float64


def test_theorem_2_ridge_lpp_on_the_rank_p_graph_has_the_same_solution(case):
    """ulge Eq. 22, solved directly with the n×n graph, against the regression of Eq. 23."""
    for method in (ULGE, OULGE):
        model = method(4, n_anchors=24, n_neighbors=3, random_state=0).fit(case)
        sigma, F = literal_target(case, model, 4)
        constant = np.ones((len(case), 1)) / np.sqrt(len(case))
        A = constant @ constant.T + F @ np.diag(sigma**2) @ F.T  # doubly stochastic: its rows sum to one
        np.testing.assert_allclose(A.sum(axis=1), 1)
        directly = literal.ridge_lpp(case, A, 0.01, 4)
        assert subspace_angles(directly, model.components_.T).max() < 1e-6


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_directions_of_oulge_are_orthonormal_and_ulges_space(digits, dtype):
    X = digits.astype(dtype)
    orthogonal, plain = (method(10, random_state=0).fit(X) for method in (OULGE, ULGE))
    tolerance = 1e-12 if dtype == np.float64 else 1e-5
    np.testing.assert_allclose(orthogonal.components_ @ orthogonal.components_.T, np.eye(10), atol=tolerance)
    assert subspace_angles(orthogonal.components_.T, plain.components_.T).max() < (
        1e-7 if dtype == np.float64 else 1e-2
    )


def test_the_way_back_leads_to_the_nearest_row(digits):
    model = OULGE(10, random_state=0).fit(digits)
    Y = model.transform(digits)
    back = model.inverse_transform(Y)
    np.testing.assert_allclose(model.transform(back), Y, atol=1e-9)
    residual = digits - back
    np.testing.assert_allclose(residual @ model.components_.T, 0, atol=1e-9)  # orthogonal to the space
    complete = OULGE(8, n_anchors=30, random_state=0).fit(digits[:, 20:28])
    np.testing.assert_allclose(
        complete.inverse_transform(complete.transform(digits[:, 20:28])), digits[:, 20:28], atol=1e-9
    )
    assert model.inverse_transform(Y.astype(np.float32)).dtype == np.float32
    with pytest.raises(ValueError, match="X has 9 columns, but the embedding has 10"):
        model.inverse_transform(Y[:, :9])
    assert not hasattr(ULGE(), "inverse_transform")


def test_transform_is_one_product(digits):
    model = ULGE(3, random_state=0).fit(digits)
    np.testing.assert_allclose(model.transform(digits), (digits - model.mean_) @ model.components_.T, atol=1e-12)
    np.testing.assert_allclose(model.transform(digits).mean(axis=0), 0, atol=1e-10)


def test_wide_sparse_rows_stay_sparse():
    """50,000 columns: filled in, the rows would take 400 MB, their d×d scatter 20 GB."""
    X = random_rows((1000, 50_000), 1e-3, np.random.default_rng(0))
    tracemalloc.start()
    try:
        model = ULGE(2, n_anchors=8, random_state=0).fit(X)
        Y = model.transform(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6  # a few times the anchors, the components and the 32 axes of a sketch
    dense = ULGE(2, anchors=model.anchors_).fit(X.toarray())
    np.testing.assert_allclose(dense.transform(X[:20].toarray()), Y[:20], atol=1e-8)


def test_hk_anchors_make_hkulge(digits):
    model = ULGE(10, anchors="hk", n_anchors=100, random_state=0).fit(digits)
    same = ULGE(10, anchors=model.anchors_).fit(digits)
    np.testing.assert_allclose(model.components_, same.components_, atol=1e-8)


def test_an_embedding_is_worth_more_than_its_dimensions():
    """Nine directions, learnt without labels, tell ten digits apart."""
    X, y = load_digits(return_X_y=True)
    model = ULGE(9, random_state=0).fit(X[:1000])
    near = KNeighborsClassifier().fit(model.transform(X[:1000]), y[:1000])
    assert near.score(model.transform(X[1000:]), y[1000:]) > 0.85


def test_a_graph_that_offers_too_few_components(blobs):
    with pytest.raises(ValueError, match="n_components=7 is more than the 5 non-trivial components"):
        ULGE(7, n_anchors=6, n_neighbors=2, random_state=0).fit(blobs)
    with pytest.raises(ValueError, match="n_components=9 is more than n_features=8; use at most 8"):
        ULGE(9, random_state=0).fit(blobs)


def test_nan_in_new_rows_is_placed_although_only_the_product_is_checked(digits):
    model = ULGE(2, random_state=0).fit(digits)
    for value, word in ((np.nan, "NaN"), (np.inf, "infinity")):
        for store in (np.array, sparse.csr_array):
            X = digits[:50].copy()
            X[33, 7] = value
            with pytest.raises(ValueError, match=f"X contains {word}.* in row 33, column 7"):
                model.transform(store(X))


def test_the_target_is_the_spectrum_of_the_same_graph(digits):
    """One fit takes the graph that AnchorGraph with the same seed gives."""
    model = ULGE(3, n_anchors=50, random_state=3).fit(digits)
    graph = AnchorGraph(50, random_state=3).fit(digits)
    np.testing.assert_array_equal(model.anchors_, graph.anchors_)
