"""Weights of rows. That 2 is the row twice and 0 its absence, scikit-learn's checks test for every method."""

import dask.array as da
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import KMeans, MeanShift
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from anchorgraph import BKHK, CSR, FSC, LSC, ONGR, OULGE, SSSC, ULGE, AnchorGraph, Communities, NystromSC
from anchorgraph.table import as_table
from sources import frame_of

SHARED = {"n_anchors": 16, "n_neighbors": 3, "random_state": 0}
CLUSTERERS = [FSC(3, **SHARED), LSC(3, **SHARED), ONGR(3, **SHARED), Communities(3, random_state=0)]
EMBEDDINGS = [
    ULGE(2, alpha=0, **SHARED),
    OULGE(2, alpha=0, **SHARED),
    CSR(2, alpha=0, weighting="adaptive", **SHARED),
]


@pytest.fixture(scope="module")
def rows():
    return make_blobs(90, 5, centers=3, cluster_std=2.0, random_state=0)[0]


@pytest.fixture(scope="module")
def weights():
    return np.random.default_rng(1).integers(0, 4, 90).astype(float)


@pytest.mark.parametrize("estimator", CLUSTERERS, ids=lambda e: type(e).__name__)
def test_labels_are_those_of_predict(estimator, rows, weights):
    model = clone(estimator).fit(rows, sample_weight=weights)
    assert_array_equal(model.labels_, model.predict(rows))


@pytest.mark.parametrize("estimator", EMBEDDINGS, ids=lambda e: type(e).__name__)
def test_only_the_ratios_of_weights_matter_without_a_ridge(estimator, rows, weights):
    """F has unit length over all rows, so that a scale of the weights scales it back."""
    whole = clone(estimator).set_params(n_anchors=16).fit(rows, sample_weight=weights)
    anchors = whole.anchors_
    same = clone(estimator).set_params(n_anchors=None, anchors=anchors)
    scale = 1 if isinstance(estimator, OULGE) else np.sqrt(0.1)
    found = clone(same).fit(rows, sample_weight=0.1 * weights).transform(rows)
    expected = clone(same).fit(rows, sample_weight=weights).transform(rows)
    assert_allclose(scale * found, expected, rtol=1e-6, atol=1e-9)


def test_leaves_are_balanced_by_weight(rows):
    weights = np.where(rows[:, 0] < np.quantile(rows[:, 0], 1 / 3), 4, 1)
    model = BKHK(6, random_state=0).fit(rows, sample_weight=weights)
    shares = np.bincount(model.labels_, weights, minlength=6)
    assert shares.sum() == 180
    assert np.abs(shares - 30).max() <= 4  # a row
    unweighted = np.bincount(BKHK(6, random_state=0).fit(rows).labels_, weights, minlength=6)
    assert np.abs(unweighted - 30).max() > 10


@pytest.mark.parametrize("anchors", ["bkhk", "hk", "kmeans", "random"])
def test_anchors_follow_the_weights(anchors, rows):
    """A row that weighs as much as all others together gets more than one anchor's share near it."""
    weights = np.ones(90)
    weights[7] = 1000
    near = AnchorGraph(8, anchors=anchors, n_neighbors=2, random_state=0).fit(rows, sample_weight=weights).anchors_
    assert np.linalg.norm(near - rows[7], axis=1).min() < 0.1


def test_degrees_are_weighted(rows, weights):
    model = AnchorGraph(8, random_state=0).fit(rows, sample_weight=weights)
    assert_allclose(model.degrees_, weights @ model.transform(rows), rtol=1e-6)


def test_weights_may_be_a_column(rows, weights, tmp_path):
    frame = frame_of(rows).assign(w=weights)
    frame.to_parquet(tmp_path / "rows.parquet")
    expected = FSC(3, **SHARED).fit(rows, sample_weight=weights).labels_
    for source in (frame, tmp_path / "rows.parquet", as_table(tmp_path / "rows.parquet")):
        model = FSC(3, **SHARED).fit(source, sample_weight="w")
        assert_array_equal(model.labels_, expected)
        assert "w" not in model.feature_names_in_


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (np.ones(89), r"sample_weight has shape \(89,\).*one number for each of the 90 rows"),
        (np.ones((90, 1)), r"sample_weight has shape \(90, 1\)"),
        (["a"] * 90, "sample_weight has shape .* dtype <U1"),
        (np.full(90, -1.0), r"sample_weight is -1.0 in row 0; pass finite weights of at least 0"),
        (np.r_[np.ones(89), np.nan], "sample_weight is nan in row 89"),
        (np.zeros(90), "sample_weight is zero for all rows"),
        (np.full(90, 1e308), r"sample_weight has values as large as 1e\+308, whose sum overflows"),
        (np.r_[1, np.zeros(89)], "X has 1 row with positive weight, while a minimum of 2 is required"),
        ("w", "sample_weight='w' is not a column of X"),
    ],
)
def test_weights_that_are_none(wrong, message, rows):
    with pytest.raises(ValueError, match=message):
        FSC(3).fit(rows, sample_weight=wrong)


def test_very_large_and_very_small_weights(rows, weights):
    labels = FSC(3, **SHARED).fit(rows, sample_weight=weights).labels_
    for scale in (1e-9, 1e9):  # rounded to other shares where leaves are cut
        assert adjusted_rand_score(FSC(3, **SHARED).fit(rows, sample_weight=scale * weights).labels_, labels) > 0.8


TWO_GROUPS = make_blobs(200, 5, centers=2, random_state=0)
ON_ANCHORS = [
    *(FSC(2, anchors=anchors, random_state=0) for anchors in ("bkhk", "hk", "kmeans", "random")),
    *(method(2, random_state=0) for method in (LSC, ONGR, NystromSC, SSSC, ULGE, OULGE, CSR)),
    AnchorGraph(random_state=0),
]


@pytest.mark.parametrize("estimator", [*ON_ANCHORS, BKHK(random_state=0)], ids=repr)
def test_numbers_of_anchors_follow_the_rows_and_not_their_weights(estimator):
    """Rows of weight 21 once had 1,024 anchors, five for each row, which tied no two rows."""
    X, groups = TWO_GROUPS
    for weight in (5, 21):
        model = clone(estimator).fit(X, sample_weight=np.full(200, weight))
        n_anchors = model.n_clusters_ if isinstance(model, BKHK) else model.n_anchors_
        assert n_anchors == 64
        if hasattr(model, "labels_") and not isinstance(model, BKHK):
            assert adjusted_rand_score(groups, model.labels_) == 1


@pytest.mark.parametrize("scale", [1e10, 1e38, 1e-200, 1e-310])
@pytest.mark.parametrize(
    "estimator",
    [method(2, random_state=0) for method in (FSC, LSC, ONGR, NystromSC, SSSC, BKHK, Communities, ULGE)],
    ids=repr,
)
def test_weights_of_any_size(estimator, scale):
    """Warnings are errors in tests, NumPy's too. FSC was wrong for float32 rows of weights about 1e10."""
    X, groups = TWO_GROUPS
    weights = scale * np.random.default_rng(0).uniform(0.9, 1.1, 200)
    model = clone(estimator).fit(X.astype(np.float32), sample_weight=weights)
    if hasattr(model, "labels_"):
        assert adjusted_rand_score(groups, model.labels_) > 0.9
    else:
        assert np.isfinite(sparse.csr_array(model.transform(X.astype(np.float32))).data).all()


def test_weights_of_very_different_sizes(rows):
    weights = np.r_[np.ones(80), np.full(5, 1e-310), np.full(5, 1e-30)]
    for method in (FSC, SSSC):
        method(2, random_state=0).fit(rows.astype(np.float32), sample_weight=weights)
    chosen = AnchorGraph(90, anchors="random", n_neighbors=2, random_state=0).fit(rows, sample_weight=weights).anchors_
    assert_array_equal(np.unique(chosen, axis=0), np.unique(rows, axis=0))


def test_a_heavy_row_leaves_anchors_to_the_others(rows):
    """hk gives most leaves to the heavy row, which is one leaf: more are requested until there are enough."""
    weights = np.r_[1000, np.ones(19)]
    model = AnchorGraph(anchors="hk", n_neighbors=2, random_state=0).fit(rows[:20], sample_weight=weights)
    assert 3 <= model.n_anchors_ <= 20


def test_there_are_no_more_clusters_or_anchors_than_rows_with_a_weight(rows):
    weights = np.repeat([60, 0], [5, 85])
    for model, message in [
        (BKHK(6), "n_clusters=6 is more than the 5 rows of X with positive weight; use at most 5"),
        (AnchorGraph(6, n_neighbors=2), "n_anchors=6 is more than the 5 rows of X with positive weight; use at most 5"),
        (NystromSC(2, n_anchors=6), "n_anchors=6 is more than the 5 rows"),
        (FSC(6), "n_clusters=6 is too many for n_samples=5; use at most 5"),
        (AnchorGraph(), "n_neighbors=5 is too many for 5 rows; use at most 4"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.fit(rows, sample_weight=weights)


def test_extreme_weights_have_no_scale_that_could_be_compared(rows):
    with pytest.raises(
        ValueError, match=r"sample_weight has a mean near 8e\+199, but with sizes=\(1, 1e\+201\) it must"
    ):
        BKHK(3, sizes=(1, 1e201)).fit(rows, sample_weight=np.full(90, 1e200))
    with pytest.raises(
        ValueError, match=r"but with partial_fit it must be from 1e-12 to 1e\+12; divide all weights by"
    ):
        FSC(3).partial_fit(rows, sample_weight=np.full(90, 1e-200))


def test_a_clusterer_that_finds_the_anchors_weighs_rows_and_leaves_out_missing_ones(rows, weights):
    kmeans = KMeans(12, n_init=1, random_state=0)
    found = AnchorGraph(anchors=kmeans).fit(rows, sample_weight=weights).anchors_
    counted = weights > 0
    expected = kmeans.fit(rows[counted], sample_weight=weights[counted]).cluster_centers_
    assert_allclose(found, expected)
    X = rows.copy()
    X[5, 1] = np.nan
    found = AnchorGraph(anchors=clone(kmeans), missing="mask").fit(X).anchors_
    assert_allclose(found, clone(kmeans).fit(np.delete(rows, 5, axis=0)).cluster_centers_)
    with pytest.raises(ValueError, match=r"MeanShift.* has no sample_weight in fit, so it cannot weigh rows"):
        AnchorGraph(anchors=MeanShift()).fit(rows, sample_weight=weights)


@pytest.mark.parametrize("stored", ["memory", "file", "dask"])
@pytest.mark.parametrize("model", [FSC(2, random_state=0), LSC(2, random_state=0), ONGR(2, random_state=0)])
def test_many_rows_of_which_few_are_different(model, stored, tmp_path):
    """More anchors than different rows would tie each row to copies of itself."""
    rng = np.random.default_rng(0)
    different = np.vstack([rng.normal(0, 1, (20, 3)), rng.normal(30, 1, (20, 3))])
    chosen = rng.integers(0, 40, 4200)
    X = different[chosen]
    np.save(tmp_path / "rows.npy", X)
    sources = {"memory": X, "file": tmp_path / "rows.npy", "dask": da.from_array(X, chunks=(900, 3))}
    labels = np.asarray(model.fit(sources[stored]).labels_)
    assert model.n_anchors_ == 8
    assert adjusted_rand_score(chosen < 20, labels) == 1
