import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from anchorgraph import BKHK, AnchorGraph, Gaussian
from anchorgraph.anchors import SELECTORS
from reference import graph as literal


def test_z_is_the_reference_over_the_fitted_anchors(blobs, form):
    model = AnchorGraph(n_anchors=20, random_state=0)
    Z = model.fit_transform(form(blobs))
    expected = literal.anchor_graph(blobs, model.anchors_, 5, literal.adaptive)
    assert isinstance(Z, sparse.csr_array)
    assert Z.dtype == form(blobs).dtype
    np.testing.assert_allclose(Z.toarray(), expected, atol=1e-4 if Z.dtype == np.float32 else 1e-9)
    np.testing.assert_allclose(model.degrees_, Z.sum(axis=0), rtol=1e-5)
    assert model.degrees_.dtype == np.float64


@pytest.mark.parametrize("name", SELECTORS)
def test_fit_transform_is_fit_then_transform(digits, name):
    model = AnchorGraph(60, anchors=name, random_state=0)
    Z = model.fit_transform(digits)
    degrees = model.degrees_
    np.testing.assert_allclose(model.transform(digits).toarray(), Z.toarray(), atol=1e-12)
    np.testing.assert_allclose(model.fit(digits).degrees_, degrees)
    assert model.n_anchors_ == 60


def test_given_anchors(blobs):
    model = AnchorGraph(anchors=blobs[:11]).fit(blobs)
    assert model.n_anchors_ == 11
    np.testing.assert_array_equal(model.anchors_, blobs[:11])
    assert AnchorGraph(anchors=KMeans(9, n_init=1, random_state=0)).fit(blobs).n_anchors_ == 9
    with pytest.raises(ValueError, match="n_anchors=12 contradicts the 11 anchors"):
        AnchorGraph(12, anchors=blobs[:11]).fit(blobs)


def test_tree_search_by_name(digits):
    exact = AnchorGraph(300, search="exact", random_state=0)
    tree = AnchorGraph(300, search="tree", random_state=0)
    difference = abs(exact.fit_transform(digits) - tree.fit_transform(digits)).sum(axis=1)
    assert (difference < 1e-9).mean() > 0.95
    assert (exact.search_, tree.search_) == ("exact", "tree")
    assert AnchorGraph(300, random_state=0).fit(digits).search_ == "exact"


def test_weighting_by_name_or_instance(blobs):
    by_name = AnchorGraph(20, weighting="gaussian", random_state=0).fit(blobs)
    assert by_name.weighting_.sigma > 0
    local = AnchorGraph(20, weighting=Gaussian(sigma="local"), random_state=0).fit(blobs)
    assert local.weighting_ == Gaussian(sigma="local")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_neighbors": 8}, "n_neighbors=8 is too many for 8 anchors; use at most 7"),
        ({"n_neighbors": 9, "weighting": "gaussian"}, "n_neighbors=9 is too many for 8 anchors"),
        ({"n_neighbors": 0}, "n_neighbors must be an integer ≥ 1; got 0"),
        ({"n_anchors": 1, "n_neighbors": 1}, "n_neighbors=1 is too many for 1 anchor; there must be at least 2"),
        ({"n_anchors": None, "n_neighbors": 200}, "n_neighbors=200 is too many for 200 rows; use at most 199"),
        ({"weighting": None}, "weighting must be one of 'adaptive'"),
        ({"n_anchors": None, "anchors": None}, "anchors=None is neither a name, an array of anchors nor a clusterer"),
        ({"anchors": "grid"}, "anchors must be one of 'bkhk'"),
        ({"weighting": "flat"}, "weighting must be one of 'adaptive'"),
        ({"search": "fast"}, "search must be one of 'auto'"),
        ({"anchors": "random", "search": "tree"}, "search='tree' needs anchors that were found by a tree"),
    ],
)
def test_impossible_parameters(blobs, parameters, message):
    with pytest.raises(ValueError, match=message):
        AnchorGraph(**{"n_anchors": 8} | parameters).fit(blobs)


@pytest.mark.parametrize("search", ["exact", "tree"])
def test_fewer_different_rows_than_neighbours_are_refused(search):
    """hk stops at rows that coincide, so it can find fewer anchors than asked for."""
    few = np.repeat(np.eye(3), 20, axis=0)
    with pytest.raises(ValueError, match="n_neighbors=5 is too many for 3 different anchors; use at most 2"):
        AnchorGraph(8, anchors="hk", search=search).fit(few)


@pytest.mark.parametrize("name", SELECTORS)
@pytest.mark.parametrize("weighting", ["adaptive", "gaussian", "inverse"])
@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
def test_rows_of_few_distinct_kinds_have_finite_weights(name, weighting):
    X = np.repeat(np.random.default_rng(0).standard_normal((10, 3)), 20, axis=0)
    Z = AnchorGraph(10, anchors=name, n_neighbors=3, weighting=weighting, random_state=0).fit_transform(X)
    np.testing.assert_allclose(Z.sum(axis=1), 1)


def test_a_clusterer_with_a_tree_brings_it_along(digits):
    model = AnchorGraph(anchors=BKHK(300, tol=0, random_state=0), search="tree").fit(digits)
    assert model.search_ == "tree"
    assert model.n_anchors_ == 300


def test_given_anchors_are_copied(blobs):
    mine = blobs[:11].copy()
    model = AnchorGraph(anchors=mine).fit(blobs)
    mine[:] = 0
    np.testing.assert_array_equal(model.anchors_, blobs[:11])


@pytest.mark.parametrize("search", ["exact", "tree"])
def test_rows_of_another_precision_than_in_fit(digits, search):
    model = AnchorGraph(300, search=search, random_state=0).fit(digits.astype(np.float32))
    assert model.transform(digits).dtype == np.float64
    assert model.transform(digits.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("search", ["exact", "tree"])
def test_sparse_float32_rows_with_a_large_offset(blobs, search):
    """Nothing is centred in sparse rows, so their products are made in float64."""
    X = (blobs / blobs.std() + 1000).astype(np.float32)
    dense = AnchorGraph(40, search=search, random_state=0).fit(X.astype(np.float64))
    rows = AnchorGraph(40, search=search, random_state=0).fit(sparse.csr_array(X))
    np.testing.assert_allclose(rows.anchors_, dense.anchors_, rtol=1e-6)
    Z = rows.transform(sparse.csr_array(X))
    assert Z.dtype == np.float32
    assert abs(Z - dense.transform(X.astype(np.float64))).max() < 5e-3


def test_the_default_number_of_anchors_leaves_room_for_the_neighbours(blobs):
    assert AnchorGraph(n_neighbors=80).fit(blobs).n_anchors_ == 81


def test_in_a_pipeline_with_a_grid_search(digits):
    y = np.arange(len(digits)) % 2
    pipeline = make_pipeline(StandardScaler(), AnchorGraph(random_state=0), LogisticRegression())
    search = GridSearchCV(pipeline, {"anchorgraph__n_anchors": [16, 32]}, cv=2).fit(digits[:300], y[:300])
    assert search.best_params_["anchorgraph__n_anchors"] in (16, 32)


def test_names_of_the_columns(blobs):
    model = AnchorGraph(8).fit(blobs)
    assert model.get_feature_names_out().tolist() == [f"anchorgraph{i}" for i in range(8)]
