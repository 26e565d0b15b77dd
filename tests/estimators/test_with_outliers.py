"""Any clusterer with the label -1 for outliers."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from anchorgraph import BKHK, FSC, LSC, ONGR, Communities, WithOutliers
from anchorgraph.models import save
from sources import SOURCES

SHARED = {"n_anchors": 16, "n_neighbors": 3, "random_state": 0}
CLUSTERERS = [
    FSC(3, **SHARED),
    LSC(3, **SHARED),
    ONGR(3, max_iter=5, **SHARED),
    BKHK(3, random_state=0),
    Communities(3, random_state=0),
]
EACH = pytest.mark.parametrize("clusterer", CLUSTERERS, ids=lambda clusterer: clusterer.card.key)


class Signs(ClusterMixin, BaseEstimator):
    """Negative and positive numbers; far from zero, they are less typical."""

    def fit(self, X, y=None, sample_weight=None):
        self.labels_ = self.predict(X)
        return self

    def predict(self, X):
        return (X[:, 0] > 0).astype(np.int64)

    def score_samples(self, X):
        return -np.abs(X[:, 0])


def column(*numbers):
    return np.array(numbers, dtype=np.float64)[:, np.newaxis]


@pytest.fixture(scope="module")
def rows():
    """Three groups, and five rows far from all of them."""
    X = make_blobs(95, 4, centers=12 * np.eye(3, 4), random_state=0)[0]
    return np.vstack([X, 60 + 40 * np.random.default_rng(0).random((5, 4))])


def expected_to_fail(estimator):
    if hasattr(estimator, "predict_proba"):
        reason = "asks for the classifier tags of a clusterer with predict_proba"
        return dict.fromkeys(["check_estimator_sparse_array", "check_estimator_sparse_matrix"], reason)
    return {}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning", "ignore:Only . of n_clusters=3")
@parametrize_with_checks(
    [WithOutliers(FSC(3, random_state=0)), WithOutliers(BKHK(3, random_state=0))],
    expected_failed_checks=expected_to_fail,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_by_hand():
    model = WithOutliers(Signs(), contamination=0.2).fit(column(1, -2, 3, -4, 5, -6, 7, -8, 90, -70))
    assert model.threshold_ == -39  # between -8 and -70
    assert model.labels_.tolist() == [1, 0, 1, 0, 1, 0, 1, 0, -1, -1]
    assert model.predict(column(38, -38, 40, -40)).tolist() == [1, 0, -1, -1]
    assert model.score_samples(column(38)).tolist() == [-38]
    assert model.n_clusters_ == 2
    assert not hasattr(model, "probabilities_")
    assert not hasattr(model, "predict_proba")
    assert not hasattr(model, "partial_fit")


@given(
    numbers=st.lists(st.integers(1, 1000), min_size=2, max_size=120, unique=True),
    percent=st.integers(1, 50),
)
@example(numbers=list(range(1, 101)), percent=41)  # 1 - 0.41 is more than 59 / 100, by rounding
def test_the_share_of_distinct_scores_is_exact(numbers, percent):
    labels = WithOutliers(Signs(), contamination=percent / 100).fit(column(*numbers)).labels_
    outliers = np.array(numbers)[labels == -1]
    assert len(outliers) == percent * len(numbers) // 100
    assert set(outliers) == set(sorted(numbers)[len(numbers) - len(outliers) :])


@given(numbers=st.lists(st.integers(-9, 9), min_size=2, max_size=60), percents=st.tuples(*[st.integers(1, 50)] * 2))
def test_more_contamination_never_means_fewer_outliers(numbers, percents):
    """Also with equal scores, of which all or none are outliers."""
    few, many = (WithOutliers(Signs(), contamination=p / 100).fit(column(*numbers)) for p in sorted(percents))
    assert few.threshold_ <= many.threshold_
    assert set(np.flatnonzero(few.labels_ == -1)) <= set(np.flatnonzero(many.labels_ == -1))
    assert np.mean(many.labels_ == -1) <= max(percents) / 100


def test_a_weight_of_two_is_the_row_twice():
    X, weights = column(1, 2, 3, 4, 5, 6, 7, 8, 9), [2, 2, 2, 2, 2, 3, 3, 2, 0]
    model = WithOutliers(Signs(), contamination=0.3).fit(X, sample_weight=weights)
    twice = WithOutliers(Signs(), contamination=0.3).fit(np.repeat(X, weights, axis=0))
    assert model.threshold_ == twice.threshold_ == -6.5
    assert model.labels_.tolist() == [1] * 6 + [-1] * 3


@EACH
def test_results_are_those_of_the_clusterer_but_for_outliers(clusterer, rows):
    model, alone = WithOutliers(clusterer).fit(rows), clone(clusterer).fit(rows)
    is_outlier = model.score_samples(rows) < model.threshold_
    assert np.flatnonzero(is_outlier).tolist() == [95, 96, 97, 98, 99]
    np.testing.assert_array_equal(model.labels_, np.where(is_outlier, -1, alone.labels_))
    np.testing.assert_array_equal(model.predict(rows), np.where(is_outlier, -1, alone.predict(rows)))
    np.testing.assert_array_equal(model.score_samples(rows), alone.score_samples(rows))
    assert model.labels_.dtype == alone.labels_.dtype
    assert model.n_clusters_ == 3
    assert model.n_features_in_ == 4
    if hasattr(alone, "predict_proba"):
        np.testing.assert_array_equal(model.predict_proba(rows), alone.predict_proba(rows))
        np.testing.assert_array_equal(model.probabilities_, np.where(is_outlier, 0, alone.probabilities_))


@pytest.mark.filterwarnings("ignore:Only .* clusters")
def test_clusters_without_rows_count():
    rows = np.repeat(np.eye(4), 10, axis=0)
    model = WithOutliers(ONGR(6, n_anchors=8, n_neighbors=3, random_state=0)).fit(rows)
    assert model.n_clusters_ == model.predict_proba(rows).shape[1] == 6


def test_anybodys_own_clusterer_will_do(rows):
    """GaussianMixture has no ``labels_``, and a pipeline has only what its steps do."""
    for clusterer in (GaussianMixture(3, random_state=0), make_pipeline(StandardScaler(), CLUSTERERS[0])):
        model = WithOutliers(clusterer).fit(rows)
        assert model.n_clusters_ == 3
        assert np.count_nonzero(model.labels_ == -1) == 5
        np.testing.assert_array_equal(model.labels_, model.predict(rows))
        assert model.predict_proba(rows).shape == (100, 3)


@pytest.mark.parametrize("kind", ["array", "csr", "pandas_frame", "npy_shards", "parquet", "dask_array", "dask_frame"])
@pytest.mark.parametrize("clusterer", [CLUSTERERS[0], CLUSTERERS[-1]], ids=lambda clusterer: clusterer.card.key)
def test_every_source_has_the_same_outliers(kind, clusterer, rows, tmp_path):
    source = SOURCES[kind](rows, 30, tmp_path)
    expected, model = WithOutliers(clusterer).fit(rows), WithOutliers(clusterer).fit(source)
    assert model.threshold_ == pytest.approx(expected.threshold_)
    labels, predicted = model.labels_, model.predict(source)
    for found in (labels, predicted):
        assert hasattr(found, "dask") == kind.startswith("dask")
        np.testing.assert_array_equal(np.asarray(found), expected.labels_)


def test_weights_can_be_a_column(rows, tmp_path):
    weights = np.arange(100) % 3
    expected = WithOutliers(CLUSTERERS[0]).fit(rows, sample_weight=weights)
    frame = pd.DataFrame(rows, columns=list("abcd"))
    frame.assign(weight=weights).to_parquet(tmp_path / "rows.parquet")
    for source in (frame.assign(weight=weights), tmp_path / "rows.parquet"):
        model = WithOutliers(CLUSTERERS[0]).fit(source, sample_weight="weight")
        assert model.threshold_ == pytest.approx(expected.threshold_)
        assert model.feature_names_in_.tolist() == list("abcd")
        np.testing.assert_array_equal(model.predict(frame), expected.labels_)


@EACH
def test_rows_with_missing_values_stay_without_a_cluster_and_do_not_count(clusterer, rows):
    X, present = rows.copy(), np.setdiff1d(np.arange(100), [3, 40])
    X[[3, 40], [0, 2]] = np.nan
    model = WithOutliers(clone(clusterer).set_params(missing="mask")).fit(X)
    expected = WithOutliers(clusterer).fit(rows[present])
    assert model.threshold_ == pytest.approx(expected.threshold_)
    for labels in (model.labels_, model.predict(X)):
        np.testing.assert_array_equal(labels[present], expected.labels_)
        assert labels[[3, 40]].tolist() == [-1, -1]


def test_batches_keep_the_threshold_of_the_first():
    X = make_blobs(600, 4, centers=12 * np.eye(3, 4), random_state=0)[0]
    model, alone = WithOutliers(FSC(3, **SHARED)), FSC(3, **SHARED)
    threshold = model.partial_fit(X[:200]).threshold_
    assert np.count_nonzero(model.labels_ == -1) == 10
    alone.partial_fit(X[:200])
    far = np.vstack([X[200:], 90 + np.zeros((3, 4))])
    model.partial_fit(far)
    alone.partial_fit(far)
    assert model.threshold_ == threshold
    is_outlier = alone.score_samples(far) < threshold
    np.testing.assert_array_equal(model.labels_, np.where(is_outlier, -1, alone.labels_))
    np.testing.assert_array_equal(model.probabilities_, np.where(is_outlier, 0, alone.probabilities_))
    assert is_outlier[-3:].all()
    assert model.estimator_.n_rows_seen_ == 603


def test_batches_after_a_fit_begin_anew_as_those_of_the_clusterer_do(rows):
    model = WithOutliers(FSC(3, **SHARED)).fit(rows)
    before = model.threshold_
    with pytest.warns(UserWarning, match=r"FSC.partial_fit starts anew with this batch"):
        model.partial_fit(rows[:95])
    assert model.estimator_.n_rows_seen_ == 95
    assert model.threshold_ > before
    assert model.fit(rows).threshold_ == before
    with pytest.warns(UserWarning, match=r"FSC.partial_fit starts anew"):
        assert model.partial_fit(rows[:95]).threshold_ > before


def test_parameters_copies_and_pickles(rows, tmp_path):
    model = WithOutliers(FSC(3, **SHARED), contamination=0.1)
    assert model.get_params()["estimator__n_clusters"] == 3
    model.set_params(estimator__n_clusters=2, contamination=0.05)
    again = clone(model).fit(rows)
    assert again.n_clusters_ == 2
    assert again.estimator_ is not again.estimator
    assert not hasattr(model, "n_features_in_")
    restored = pickle.loads(pickle.dumps(again))
    np.testing.assert_array_equal(restored.predict(rows), again.predict(rows))
    with pytest.raises(TypeError, match=r"^model is a WithOutliers; .*, or pickle the model\.$"):
        save(again, tmp_path / "model.safetensors")


def test_a_fit_leaves_nothing_of_an_earlier_one(rows):
    model = WithOutliers(FSC(3, **SHARED)).fit(pd.DataFrame(rows, columns=list("abcd")))
    model.set_params(estimator=BKHK(3, random_state=0)).fit(rows)
    assert not hasattr(model, "probabilities_")
    assert not hasattr(model, "feature_names_in_")
    assert not hasattr(model, "predict_proba")


@pytest.mark.parametrize(
    ("estimator", "lacking"),
    [(DBSCAN(), "no predict and no score_samples"), (KMeans(3), "no score_samples"), (KernelDensity(), "no predict")],
)
def test_clusterers_without_scores_or_predict(estimator, lacking, rows):
    with pytest.raises(
        TypeError,
        match=rf"^estimator={type(estimator).__name__}\(.*\) has {lacking}; pass a clusterer with predict and",
    ):
        WithOutliers(estimator).fit(rows)


@pytest.mark.parametrize("contamination", [0, -0.1, 0.51, 1, np.nan, "auto", None, True])
def test_impossible_shares(contamination, rows):
    with pytest.raises(ValueError, match=rf"^contamination must be in \(0, 0\.5\]; got {contamination!r}\.$"):
        WithOutliers(Signs(), contamination=contamination).fit(rows)
