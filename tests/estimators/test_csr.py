import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_moons
from sklearn.metrics import pairwise_distances

from anchorgraph import CSR, Gaussian
from anchorgraph.anchors import KMeansAnchors, RandomAnchors
from anchorgraph.metrics import clustering_accuracy, nmi
from anchorgraph.table import as_table
from reference import csr as literal
from reference import graph as literal_graph
from reference import spectrum as literal_spectrum


@pytest.mark.parametrize("alpha", [0, 0.01, 5.0])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_reference(digits, alpha, dtype):
    X = digits[:250]
    model = CSR(4, alpha=alpha, n_anchors=30, random_state=0).fit(X.astype(dtype))
    Z, _, P = literal.compressed_spectral_regression(X, model.anchors_, model.weighting_.sigma, 5, 4, alpha)
    tight = dtype == np.float64
    assert subspace_angles(model.coefficients_.astype(np.float64), P).max() < (1e-6 if tight else 1e-2)
    for column in range(4):
        assert subspace_angles(model.transform(X)[:, [column]], (Z @ P)[:, [column]]).max() < (1e-6 if tight else 1e-2)
    assert model.transform(X.astype(dtype)).dtype == dtype


@pytest.mark.parametrize("case", ["parts", "duplicates"])
def test_the_reference_in_parts_and_with_duplicates(islands, digits, case):
    noise = 0.1 * np.random.default_rng(0).standard_normal((100, 64))  # no two distances are the same
    X = islands if case == "parts" else np.repeat(digits[:100] + noise, 2, axis=0)
    model = CSR(4, alpha=0, n_anchors=24, n_neighbors=3, random_state=0).fit(X)
    sigma = model.weighting_.sigma
    Z = literal_graph.anchor_graph(X, model.anchors_, 3, lambda h, k: literal_graph.gaussian(h, k, sigma))
    values, F = literal_spectrum.spectrum(Z, 4)
    np.testing.assert_allclose(model.singular_values_, values, rtol=1e-8)
    assert subspace_angles(model.transform(X), F).max() < 1e-6  # without a ridge, F itself is linear in Z


def test_defaults_are_the_papers(digits):
    """Centres of five iterations from random rows, five neighbours, the mean distance as bandwidth, α = 0.01."""
    model = CSR(random_state=0).fit(digits)
    seed = np.random.RandomState(0).randint(np.iinfo(np.int32).max)
    centres = KMeansAnchors(max_iter=5).select(as_table(digits), 512, seed).points
    sigma = pairwise_distances(digits).sum() / (len(digits) * (len(digits) - 1))
    explicitly = CSR(2, alpha=0.01, anchors=centres, n_neighbors=5, weighting=Gaussian(sigma)).fit(digits)
    np.testing.assert_allclose(model.coefficients_, explicitly.coefficients_, atol=1e-8)


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_rounds_of_kmeans_are_those_of_the_selector(digits, rounds):
    model = CSR(kmeans_rounds=rounds, n_anchors=40, random_state=0).fit(digits)
    other = CSR(anchors=KMeansAnchors(max_iter=rounds), n_anchors=40, random_state=0).fit(digits)
    np.testing.assert_array_equal(model.anchors_, other.anchors_)
    np.testing.assert_array_equal(model.coefficients_, other.coefficients_)


def test_no_rounds_of_kmeans_are_random_rows(digits):
    """The paper's t = 0."""
    model = CSR(kmeans_rounds=0, n_anchors=40, random_state=0).fit(digits)
    other = CSR(anchors="random", n_anchors=40, random_state=0).fit(digits)
    np.testing.assert_array_equal(model.anchors_, other.anchors_)
    np.testing.assert_array_equal(model.coefficients_, other.coefficients_)
    assert (model.anchors_[:, np.newaxis] == digits).all(axis=2).any(axis=1).all()


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_rounds_of_kmeans_are_the_references(rounds):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 3))
    start = CSR(kmeans_rounds=0, n_anchors=8, n_neighbors=3, random_state=0).fit(X).anchors_
    model = CSR(kmeans_rounds=rounds, n_anchors=8, n_neighbors=3, random_state=0).fit(X)
    np.testing.assert_allclose(model.anchors_, literal.landmarks(X, start, rounds), atol=1e-12)


@pytest.mark.parametrize(
    "anchors", ["bkhk", "random", KMeansAnchors(max_iter=20), RandomAnchors(), np.eye(8, 64), KMeans(20)], ids=repr
)
def test_rounds_of_kmeans_that_nothing_uses_are_refused(digits, anchors):
    with pytest.raises(ValueError, match=r"kmeans_rounds=20 is only used with anchors='kmeans'; leave it at 5"):
        CSR(anchors=anchors, kmeans_rounds=20).fit(digits)


@pytest.mark.parametrize("rounds", [-1, 2.5, "5", True, None])
def test_impossible_rounds_of_kmeans(digits, rounds):
    with pytest.raises(ValueError, match="kmeans_rounds must be an integer ≥ 0; got"):
        CSR(kmeans_rounds=rounds).fit(digits)


def test_unknown_anchors_are_named_before_their_rounds(digits):
    with pytest.raises(ValueError, match="anchors must be one of"):
        CSR(anchors="k-means", kmeans_rounds=20).fit(digits)


def test_new_rows_embed_by_their_own_rows_of_z(digits):
    model = CSR(5, n_anchors=60, random_state=0).fit(digits[:1000])
    new = digits[1000:1020]
    Z = literal_graph.anchor_graph(
        new, model.anchors_, 5, lambda h, k: literal_graph.gaussian(h, k, model.weighting_.sigma)
    )
    np.testing.assert_allclose(model.transform(new), Z @ model.coefficients_, atol=1e-9)


def test_two_moons_come_apart():
    X, y = make_moons(2000, noise=0.06, random_state=0)
    Y = CSR(1, n_anchors=200, n_neighbors=3, weighting=Gaussian("local"), random_state=0).fit_transform(X)
    labels = KMeans(2, n_init=10, random_state=0).fit_predict(Y)
    assert clustering_accuracy(y, labels) > 0.98
    assert clustering_accuracy(y, KMeans(2, n_init=10, random_state=0).fit_predict(X)) < 0.95


def test_digits_cluster_better_than_their_pixels():
    X, y = load_digits(return_X_y=True)
    embedded = CSR(10, random_state=0).fit_transform(X)
    scores = [nmi(y, KMeans(10, n_init=10, random_state=0).fit_predict(rows)) for rows in (embedded, X)]
    assert scores[0] > scores[1] + 0.05
