"""FSC, ONGR, LSC, KNNSC, NystromSC and SSSC."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs, make_moons
from sklearn.exceptions import ConvergenceWarning

from anchorgraph import FSC, KNNSC, LSC, ONGR, SSSC, Gaussian, NystromSC
from anchorgraph.labels import STARTS
from anchorgraph.metrics import clustering_accuracy, nmi
from reference import graph as literal_graph
from reference import spectrum as literal_spectrum


def shapes(name):
    """Rows and groups that k-means does not find."""
    if name == "moons":
        return make_moons(1500, noise=0.05, random_state=0)
    if name == "circles":
        rng, y = np.random.default_rng(0), np.repeat([0, 1, 2], 600)
        angle, radius = rng.uniform(0, 2 * np.pi, 1800), 1 + y + 0.08 * rng.standard_normal(1800)
        return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), y
    X, y = make_blobs(1500, random_state=170)
    return X @ [[0.6, -0.64], [-0.41, 0.85]], y


@pytest.mark.parametrize("name", ["moons", "circles", "anisotropic"])
@pytest.mark.parametrize(
    "model",
    [
        FSC(n_anchors=256, n_neighbors=3, random_state=0),
        FSC(n_anchors=256, n_neighbors=3, rounding="rotation", trivial="keep", random_state=0),
        ONGR(n_anchors=256, n_neighbors=3, random_state=0),
        LSC(n_anchors=256, n_neighbors=3, anchors="kmeans", weighting=Gaussian("local"), random_state=0),
        KNNSC(n_neighbors=8, random_state=0),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore:The .* graph falls into")
def test_shapes_come_out_right_where_k_means_fails(name, model):
    X, y = shapes(name)
    labels = model.set_params(n_clusters=y.max() + 1).fit_predict(X)
    assert clustering_accuracy(y, labels) > 0.98
    assert clustering_accuracy(y, KMeans(y.max() + 1, n_init=10, random_state=0).fit_predict(X)) < 0.92


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("trivial", ["drop", "keep"])
def test_the_spectrum_of_fsc_is_the_references(digits, dtype, trivial):
    X = digits[:400].astype(dtype)
    model = FSC(4, n_anchors=40, trivial=trivial, normalisation="none", random_state=0).fit(X)
    Z = literal_graph.anchor_graph(X, model.anchors_, 5, literal_graph.adaptive)
    sigma, F = literal_spectrum.spectrum(Z, 4)
    n_nontrivial = 4 if trivial == "drop" else 3
    np.testing.assert_allclose(model.singular_values_, sigma[:n_nontrivial], rtol=1e-8 if dtype == np.float64 else 1e-4)
    expected = F if trivial == "drop" else np.hstack([np.ones((400, 1)), F[:, :3]])
    assert subspace_angles(model.embedding_, expected).max() < (1e-6 if dtype == np.float64 else 1e-2)
    assert model.embedding_.dtype == dtype


def test_rows_of_unit_length(digits):
    np.testing.assert_allclose(np.linalg.norm(FSC(5, random_state=0).fit(digits).embedding_, axis=1), 1)


@pytest.mark.parametrize("n_groups", [2, 3, 6])
def test_the_number_of_clusters_from_the_eigengap(n_groups):
    X, y = make_blobs(600, centers=10 * np.eye(6)[:n_groups], cluster_std=1.5, random_state=0)
    model = FSC(None, n_anchors=100, n_neighbors=6, random_state=0).fit(X)
    assert model.n_clusters_ == n_groups
    assert clustering_accuracy(y, model.labels_) > 0.98


@pytest.mark.parametrize("method", [FSC, ONGR, LSC, KNNSC])
def test_digits_cluster_better_than_their_pixels(method):
    X, y = load_digits(return_X_y=True)
    labels = method(10, random_state=0).fit_predict(X)
    assert nmi(y, labels) > nmi(y, KMeans(10, n_init=10, random_state=0).fit_predict(X)) + 0.05


@pytest.mark.parametrize("method", [NystromSC, SSSC])
def test_baselines_cluster_digits_about_as_well_as_k_means(method):
    X, y = load_digits(return_X_y=True)
    assert nmi(y, method(10, random_state=0).fit_predict(X)) > 0.55


@pytest.mark.filterwarnings("ignore:The .* graph falls into")
@pytest.mark.parametrize("method", [FSC, LSC, KNNSC, NystromSC, ONGR])
def test_new_rows_get_the_cluster_of_their_group(method):
    X, y = make_blobs(900, centers=8 * np.eye(5), random_state=0)
    model = method(5, random_state=0).fit(X[:600])
    together = np.concatenate([model.labels_, model.predict(X[600:])])
    assert clustering_accuracy(y, together) > 0.99


def test_new_rows_get_the_subspace_that_they_lie_in():
    rng, y = np.random.default_rng(0), np.arange(900) % 3
    bases = rng.standard_normal((3, 2, 12))
    X = np.einsum("np,npd->nd", rng.standard_normal((900, 2)), bases[y])
    model = SSSC(3, n_anchors=150, random_state=0).fit(X[:600])
    together = np.concatenate([model.labels_, model.predict(X[600:])])
    assert clustering_accuracy(y, together) > 0.99
    np.testing.assert_array_equal(model.predict(X[:600]), model.labels_)


@pytest.mark.filterwarnings("ignore:The .* graph falls into")
def test_sssc_on_rows_of_one_column_is_the_same_each_time(monkeypatch):
    """All rows are 1 or -1 once they have unit length, so that eigenvalues are equal, and ARPACK draws vectors."""
    monkeypatch.setattr("anchorgraph.numerics.eigen.DENSE_ORDER", 10)
    X = np.random.default_rng(0).standard_normal((300, 1))
    with pytest.warns(ConvergenceWarning):
        found = [SSSC(5, n_anchors=80, random_state=0).fit(X) for _ in range(4)]
    for model in found:
        np.testing.assert_array_equal(model.labels_, found[0].labels_)
        np.testing.assert_array_equal(model.anchor_labels_, found[0].anchor_labels_)


@pytest.mark.filterwarnings("ignore:The .* graph falls into", "error:Number of distinct clusters")
@pytest.mark.parametrize(
    "model", [NystromSC(5), FSC(5, n_neighbors=2, n_anchors=6), ONGR(5, n_neighbors=2, n_anchors=6), SSSC(5)], ids=repr
)
def test_fewer_clusters_than_asked_for_are_told(model):
    X = np.repeat(np.random.default_rng(0).standard_normal((3, 2)), 20, axis=0)
    with pytest.warns(ConvergenceWarning, match="Only [123] of n_clusters=5 clusters have rows; use a smaller"):
        model.set_params(random_state=0).fit(X)
    assert model.transform(X).shape[0] == 60


def test_as_many_clusters_as_rows_are_too_many_for_sssc():
    with pytest.raises(ValueError, match="n_clusters=10 is too many for n_samples=10; use at most 9"):
        SSSC(10).fit(np.random.default_rng(0).standard_normal((10, 3)))


@pytest.mark.filterwarnings("ignore:The .* graph falls into")
@pytest.mark.parametrize("method", [FSC, ONGR, LSC, NystromSC, SSSC])
def test_rows_that_are_all_equal_are_one_cluster(method):
    with pytest.warns(ConvergenceWarning, match="Only 1 of n_clusters=2"):
        assert len(set(method(2, random_state=0).fit_predict(np.ones((50, 3))))) == 1


def test_as_many_clusters_as_parts_where_there_are_many():
    X = np.repeat(100.0 * np.arange(40), 12)[:, np.newaxis] + np.random.default_rng(0).standard_normal((480, 1))
    model = FSC(None, n_anchors=160, n_neighbors=2, random_state=0).fit(X)
    assert model.n_clusters_ == 40
    assert clustering_accuracy(np.repeat(np.arange(40), 12), model.labels_) == 1


@pytest.mark.parametrize("rounding", ["qr", "rotation", "kmeans"])
def test_two_clusters_by_every_rounding(rounding):
    X, y = make_moons(600, noise=0.05, random_state=0)
    labels = FSC(2, n_anchors=100, n_neighbors=3, rounding=rounding, random_state=0).fit_predict(X)
    assert clustering_accuracy(y, labels) > 0.98


@pytest.mark.parametrize("anchors", ["random", "kmeans", "bkhk"])
def test_ongr_on_three_kinds_of_anchors(digits, anchors):
    model = ONGR(10, anchors=anchors, n_anchors=200, random_state=0).fit(digits)
    assert model.memberships_.shape == (len(digits), 10)
    assert (model.memberships_ >= 0).all()
    assert (np.diff(model.history_) <= 1e-9).all()
    assert model.n_iter_ == len(model.history_)


def test_the_best_start_has_the_least_objective(digits):
    starts = ("singular", "qr", "rotation")
    ends = {init: ONGR(10, init=init, random_state=0).fit(digits).history_[-1] for init in starts}
    best = ONGR(10, random_state=0).fit(digits)
    assert best.init_ == min(ends, key=ends.get)
    assert best.history_[-1] == pytest.approx(min(ends.values()), rel=1e-12)


@pytest.mark.filterwarnings("ignore:Only 4 of n_clusters=5")
def test_rows_without_memberships_are_counted_and_placed(digits, monkeypatch):
    """A constant vector that is negative leaves rows with nothing but negative numbers."""
    monkeypatch.setitem(STARTS, "singular", lambda rows, seed: np.diag([-np.sign(rows.take([0])[0, 0]), 1, 1, 1, 1]))
    model = ONGR(5, init="singular", n_anchors=100, max_iter=1, random_state=0).fit(digits)
    zero = ~model.memberships_.any(axis=1)
    assert model.n_zero_rows_ == np.count_nonzero(zero) > 10
    np.testing.assert_array_equal(model.predict(digits), model.labels_)
    Z = literal_graph.anchor_graph(digits, model.anchors_, 5, literal_graph.adaptive)
    neighbours = literal_graph.similarity(Z)[zero] @ (np.eye(5)[model.labels_] * ~zero[:, np.newaxis])
    with_neighbours = neighbours.max(axis=1) > 0
    assert with_neighbours.mean() > 0.9
    np.testing.assert_array_equal(model.labels_[zero][with_neighbours], neighbours[with_neighbours].argmax(axis=1))


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (FSC(rounding="ceil"), "rounding must be one of 'kmeans'"),
        (FSC(normalisation="columns"), "normalisation must be one of 'rows'"),
        (FSC(trivial="move"), "trivial must be one of 'auto'"),
        (FSC(n_init=0), "n_init must be an integer ≥ 1; got 0"),
        (ONGR(lam=-1), r"lam must be a number in \[0, 1e100\]; got -1."),
        (ONGR(init="x"), "init must be one of 'best'"),
        (ONGR(max_iter=0), "max_iter must be an integer ≥ 1; got 0"),
        (ONGR(None), "n_clusters must be an integer ≥ 1; got None"),
        (NystromSC(sigma=0), "sigma=0 is not a bandwidth"),
        (NystromSC(sigma="local"), "sigma='local' is for anchor graphs"),
        (NystromSC(8, n_anchors=4), "n_anchors=4 is too few for n_clusters=8; use at least 8"),
        (SSSC(penalty=0), r"penalty must be a number in \[1e-100, 1e100\]; got 0."),
        (SSSC(tol=1), r"tol must be a number in \[0, 1\); got 1."),
        (SSSC(ridge=-1), r"ridge must be a number in \[1e-100, 1e100\]; got -1."),
        (SSSC(5, n_anchors=5), "n_anchors=5 is too few for n_clusters=5; use at least 6"),
    ],
)
def test_impossible_parameters(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(np.random.default_rng(0).standard_normal((60, 4)))


def test_who_streams():
    assert [method.card.streams for method in (FSC, ONGR, LSC, NystromSC, SSSC, KNNSC)] == [True] * 5 + [False]


@pytest.mark.parametrize("method", [FSC(5, n_anchors=20, random_state=0), ONGR(5, n_anchors=20, random_state=0)])
def test_warnings_point_at_the_line_that_called_fit(method):
    X = np.repeat(np.arange(6.0).reshape(3, 2), 30, axis=0)
    with pytest.warns(ConvergenceWarning, match="clusters have rows") as told:
        method.set_params(anchors=X[[0, 30, 60]], n_anchors=None, n_neighbors=1).fit(X)
    assert {warning.filename for warning in told} == {__file__}


def test_warnings_of_graphs_in_parts_point_there_too(islands):
    with pytest.warns(UserWarning, match="unconnected parts") as told:
        FSC(2, rounding="qr", n_anchors=30, parts="literal", random_state=0).fit(islands)
    assert {warning.filename for warning in told} == {__file__}
