"""What a run measures, where the answer is known."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.preprocessing import FunctionTransformer

from anchorgraph import CSR, FLRL, FSC, ONGR, ULGE, AnchorGraph
from anchorgraph.bench.forms import Rows
from anchorgraph.bench.methods import make_method
from anchorgraph.bench.protocols import PROTOCOLS
from anchorgraph.bench.protocols.given_graph import WAYS
from reference.neighbors import locality_preserving

CENTRES = 20 * np.eye(4, 6)


@pytest.fixture(scope="module")
def blobs():
    """Four groups far apart, two thirds of the rows to learn from."""
    X, y = make_blobs(240, centers=CENTRES, cluster_std=1.0, random_state=0)
    return Rows(X, y, 160)


def test_clusters_of_groups_are_right_and_timed(blobs):
    found = PROTOCOLS["clustering"](blobs, FSC(4, n_anchors=40, random_state=0), 0)
    assert (found["accuracy"], found["nmi"], found["nmi over the geometric mean"]) == pytest.approx((100, 100, 100))
    stages = sum(value for name, value in found.items() if name.startswith("seconds of "))
    assert found["seconds"] >= stages > found["seconds of anchors"] > 0
    assert found["seconds before clusters"] == found["seconds"] - found["seconds of clusters"]


def test_an_embedding_is_clustered_several_times(blobs):
    found = PROTOCOLS["embedding"](blobs, ULGE(3, n_anchors=40, random_state=0), 1, kmeans=5)
    assert len(found["accuracy"]) == 5
    assert max(found["accuracy"]) == pytest.approx(100)
    assert found["seconds"] > 0


def test_new_rows_are_clustered_by_themselves(blobs):
    found = PROTOCOLS["new_rows"](blobs, PCA(3), 0)
    assert max(found["nmi of training rows"]) == pytest.approx(100)
    assert max(found["nmi of new rows"]) == pytest.approx(100)
    assert len(found["accuracy of new rows"]) == 10
    shuffled = Rows(blobs.X, np.concatenate([blobs.y[:160], blobs.y[160:][::-1]]), 160)
    found = PROTOCOLS["new_rows"](shuffled, FunctionTransformer(), 0)
    assert max(found["nmi of training rows"]) == pytest.approx(100)
    assert max(found["nmi of new rows"]) < 50
    with pytest.raises(ValueError, match="no training rows"):
        PROTOCOLS["new_rows"](Rows(blobs.X, blobs.y), PCA(3), 0)


def test_the_nearest_row_is_of_another_split_for_each_seed(blobs):
    found = [PROTOCOLS["nearest"](blobs, FLRL(2, random_state=0), seed)["accuracy"] for seed in (0, 1)]
    assert found == [100, 100]
    y = np.random.default_rng(0).integers(4, size=240)  # nothing to be learnt
    found = [PROTOCOLS["nearest"](Rows(blobs.X, y), FLRL(2, random_state=0), seed)["accuracy"] for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert max(found) < 50


@pytest.mark.parametrize("protocol", ["nearest", "new_rows"])
def test_nothing_is_learnt_from_the_rows_that_are_tried(blobs, protocol):
    class Watched(FunctionTransformer):
        def fit(self, X, y=None):
            self.seen = X
            return super().fit(X)

    model = Watched()
    PROTOCOLS[protocol](blobs, model, 0)
    assert len(model.seen) == (4 * round(0.4 * 60) if protocol == "nearest" else 160)


def test_rows_in_two_dimensions_are_drawn_between_0_and_1(blobs):
    points = np.array(PROTOCOLS["picture"](blobs, PCA(2), 0)["points"])
    assert points.shape == (240, 3)
    assert points[:, :2].min() == 0
    assert points[:, :2].max() == 1
    np.testing.assert_array_equal(points[:, 2], blobs.y)


def test_a_reconstruction_has_the_objective_of_the_fit(blobs):
    model = ONGR(4, n_anchors=40, tol=0.0, max_iter=30, random_state=0)
    found = PROTOCOLS["reconstruction"](blobs, model, 0)
    assert found["accuracy"] == pytest.approx(100)
    assert found["objective"] <= model.history_[-1] * (1 + 1e-6)  # F is one step further
    assert found["objective"] == pytest.approx(model.history_[-1], rel=1e-3)
    assert np.shape(found["picture of W"]) == (90, 90)
    assert np.shape(found["picture of G"]) == (90, 4)
    blocks = np.array(found["picture of FGᵀ"]) > 0.05
    assert 0.2 < blocks.mean() < 0.35  # four groups of rows, tied among themselves


def test_lpp_is_solved_on_the_graph_of_anchors(blobs):
    for way in WAYS:
        assert set(PROTOCOLS["given_graph"](blobs, AnchorGraph(40, random_state=0), 0, way=way)) == {"seconds"}


def test_every_way_from_a_graph_is_that_of_its_method(blobs):
    X, graph = blobs.X.astype(float), AnchorGraph(40, random_state=0).fit(blobs.X.astype(float))
    Z, given = graph.transform(X), {"anchors": graph.anchors_}
    np.testing.assert_allclose(WAYS["regression"](Z, X, 3), ULGE(3, alpha=0.01, **given).fit(X).components_, atol=1e-8)
    csr = CSR(3, alpha=0.01, weighting="adaptive", **given).fit(X)
    np.testing.assert_allclose(WAYS["compressed"](Z, X, 3), csr.coefficients_.T, atol=1e-8)
    W = (Z @ (Z / Z.sum(axis=0)).T).toarray()
    expected = locality_preserving(X, W, 0.01, 3)  # with the ridge on both sides, which is small beside the scatter
    assert subspace_angles(WAYS["eigenproblem"](Z, X, 3).T, expected).max() < 1e-3
    assert PROTOCOLS["fitting"](blobs, FLRL(2), 0)["seconds"] > 0


@pytest.mark.parametrize("anchors", ["bkhk", "hk", "kmeans", {"KMeans": {"n_init": 1}}], ids=str)
def test_the_choice_of_anchors_is_timed_without_the_graph(blobs, anchors):
    found = PROTOCOLS["selection"](
        blobs, make_method("AnchorGraph", {"n_anchors": 20, "anchors": anchors}, blobs, 0), 0
    )
    assert found["seconds"] > 0
    assert "seconds of graph" not in found


def test_anchors_are_drawn_as_a_group_of_their_own(blobs):
    points = np.array(
        PROTOCOLS["picture"](blobs, FLRL(2, anchors_per_class=3, random_state=0), 0, anchors=True)["points"]
    )
    assert np.count_nonzero(points[:, 2] == -1) == 12
    assert len(points) == 252


def test_methods_get_as_many_components_as_there_are_classes(blobs):
    assert make_method("ULGE", {}, blobs, 3).get_params()["n_components"] == 4
    model = make_method("FSC", {"n_clusters": 2, "weighting": {"Gaussian": {"sigma": "local"}}}, blobs, 3)
    assert (model.n_clusters, model.random_state, model.weighting.sigma) == (2, 3, "local")
    assert model.parts == "literal"
    assert make_method("FSC", {"parts": "join"}, blobs, 3).parts == "join"
    anchors = make_method("CSR", {"n_anchors": 9, "anchors": {"KMeans": {"max_iter": 7}}}, blobs, 3).anchors
    assert (anchors.n_clusters, anchors.max_iter, anchors.random_state) == (9, 7, 3)
    with pytest.raises(ValueError, match="method = 'UMAP' is not known; choose one of BKHK"):
        make_method("UMAP", {}, blobs, 0)
