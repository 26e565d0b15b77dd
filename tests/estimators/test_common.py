"""What every estimator of the package must do: scikit-learn's checks, and the sentences for bad input."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from anchorgraph import (
    BKHK,
    CSR,
    FLRL,
    FSC,
    LPP,
    OULGE,
    SR,
    ULGE,
    AnchorGraph,
    AnchorMap,
    Communities,
    RowGraph,
)
from anchorgraph.catalogue import CATALOGUE
from anchorgraph.metrics import clustering_accuracy


def small(method, **more):
    """An estimator of a method for the few rows of these tests."""
    few = {"n_clusters": 3, "n_components": 1 if method.card.supervised else 2}
    few |= {"n_clusters": 3} if method is BKHK else {}
    few |= {"n_neighbors": 4} if method is RowGraph else {}
    few |= {"n_components": None} if method is Communities else {}  # of the search, not of a result
    return method(**{name: value for name, value in few.items() if name in method().get_params()} | more)


VARIANTS = [
    ULGE(anchors="hk"),
    LPP(kernel="rbf"),
    SR(kernel="rbf"),
    FSC(3, rounding="rotation", trivial="keep"),
    FLRL(1, anchors_per_class="auto"),
]
MOST_COMPONENTS = {"anchor_map": 2}  # it can have three, which take long
ESTIMATORS = [*map(small, CATALOGUE.values()), *VARIANTS]
EMBEDDINGS = [e for e in ESTIMATORS if e.card.task == "embedding" and not e.card.supervised]

CLUSTERERS = [estimator for estimator in ESTIMATORS if estimator.card.task == "clustering"]


def with_components(estimator, n_components):
    """The same with so many components, or as many as it can have."""
    most = MOST_COMPONENTS.get(estimator.card.key, n_components)
    return clone(estimator).set_params(n_components=min(n_components, most), random_state=0)


def for_each(estimators):
    return pytest.mark.parametrize("estimator", estimators, ids=repr)


EACH = for_each([BKHK(), AnchorGraph(), *EMBEDDINGS, *CLUSTERERS])
ANCHORED = for_each([BKHK(), AnchorGraph(), *(e for e in EMBEDDINGS + CLUSTERERS if "anchors" in e.get_params())])
EACH_EMBEDDING = for_each(EMBEDDINGS)
EACH_CLUSTERER = for_each(CLUSTERERS)
EACH_ROUNDED_CLUSTERER = for_each([e for e in CLUSTERERS if hasattr(e, "transform")])
pytestmark = pytest.mark.filterwarnings("ignore:Only . of n_clusters=3", "ignore:The .* graph falls into")


def number_of(estimator):
    """The name of the parameter with the number of anchors."""
    return "n_clusters" if isinstance(estimator, BKHK) else "n_anchors"


def anchors_of(fitted):
    return fitted.cluster_centers_ if isinstance(fitted, BKHK) else fitted.anchors_


def expected_to_fail(estimator):
    """Checks that do not apply to an estimator, and why."""
    if hasattr(estimator, "predict_proba"):
        reason = "asks for the classifier tags of a clusterer with predict_proba"
        return dict.fromkeys(["check_estimator_sparse_array", "check_estimator_sparse_matrix"], reason)
    if getattr(estimator, "anchors", None) == "hk":
        reason = "four different rows, which have no more than four leaves"
        return dict.fromkeys(["check_sample_weights_shape", "check_sample_weights_not_overwritten"], reason)
    return {}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_to_fail)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def output(fitted, X):
    """What an estimator makes of rows."""
    return fitted.predict(X) if hasattr(fitted, "predict") else fitted.transform(X)


def rows(n=40, d=4):
    return np.random.default_rng(0).standard_normal((n, d))


@EACH
@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_nan_and_infinity_are_found_and_placed(estimator, value, word, store):
    X = rows()
    X[17, 2] = value
    with pytest.raises(
        ValueError, match=rf"^X contains {word}.* in row 17, column 2 \(1 row in all\); remove or impute"
    ):
        clone(estimator).fit(store(X))
    fitted = clone(estimator).fit(rows())
    with pytest.raises(ValueError, match="in row 17, column 2"):
        output(fitted, store(X))


@EACH
@pytest.mark.parametrize(("dtype", "too_large", "too_small"), [("float32", 1e17, 1e-17), ("float64", 1e71, 1e-71)])
def test_numbers_whose_products_leave_the_range_are_refused(estimator, dtype, too_large, too_small):
    X = rows().astype(dtype)
    for scale in (too_large, too_small):
        with pytest.raises(ValueError, match=rf"X has .* products .* {dtype}; scale X first"):
            clone(estimator).fit(X * scale)


@ANCHORED
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_scaled_rows_have_scaled_anchors(estimator, dtype):
    X = rows().astype(dtype)
    ordinary = clone(estimator).set_params(random_state=0).fit(X)
    for scale in (2.0**50, 2.0**-40):
        scaled = clone(estimator).set_params(random_state=0).fit(X * np.dtype(dtype).type(scale))
        np.testing.assert_allclose(anchors_of(scaled) / scale, anchors_of(ordinary), rtol=1e-5, atol=1e-6)


@ANCHORED
def test_more_anchors_than_rows(estimator):
    with pytest.raises(ValueError, match=f"{number_of(estimator)}=50 is more than the 40 rows of X; use at most 40"):
        clone(estimator).set_params(**{number_of(estimator): 50}).fit(rows())


@ANCHORED
@pytest.mark.parametrize("n_anchors", [0, -3, 2.5, "many", True])
def test_impossible_numbers_of_anchors(estimator, n_anchors):
    with pytest.raises(ValueError, match=f"{number_of(estimator)} must be an integer ≥ 1; got {n_anchors!r}"):
        clone(estimator).set_params(**{number_of(estimator): n_anchors}).fit(rows())


@EACH
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 4)), "0 sample"),
        (np.empty((4, 0)), "0 feature"),
        (rows(1), "n_samples = 1|1 sample|minimum of 2"),
        (np.array([["a", "b"]] * 40), "X holds texts"),
        (np.array([["a", 1.0]] * 40, dtype=object), "X holds texts"),
        (rows() + 1j, "Complex"),
        (rows()[:, 0], "1D array"),
    ],
)
def test_what_is_no_table_of_numbers(estimator, X, message):
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(X)


@ANCHORED
def test_object_columns_of_numbers_are_read(estimator):
    X = rows().round(3)
    fitted = clone(estimator).set_params(random_state=0).fit(X.astype(object))
    expected = clone(estimator).set_params(random_state=0).fit(X)
    np.testing.assert_array_equal(anchors_of(fitted), anchors_of(expected))


@EACH
def test_other_columns_than_in_fit(estimator):
    fitted = clone(estimator).fit(rows())
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 4 features"):
        output(fitted, rows(d=3))


@for_each([BKHK(), AnchorGraph()])
@pytest.mark.parametrize(
    "X",
    [rows(d=1), np.hstack([rows(), np.full((40, 2), 7.0)]), np.ones((40, 3)), np.repeat(rows(4), 10, axis=0)],
    ids=["one feature", "constant columns", "all rows equal", "few distinct rows"],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_odd_but_valid_data(estimator, X, dtype):
    anchors = anchors_of(clone(estimator).set_params(**{number_of(estimator): 8}).fit(X.astype(dtype)))
    assert anchors.shape == (8, X.shape[1])
    assert anchors.dtype == dtype
    assert np.isfinite(anchors).all()


@EACH
def test_parameters_stay_as_the_user_set_them(estimator):
    estimator = clone(estimator)
    before = estimator.get_params()
    fitted = estimator.fit(rows(100))
    assert fitted.get_params() == before


@ANCHORED
def test_default_number_of_anchors(estimator):
    at_least = 1 if isinstance(estimator, BKHK) else 6
    for n, expected in [(7, 2), (40, 8), (1000, 256), (4095, 1024), (4096, 1024)]:
        assert len(anchors_of(clone(estimator).fit(rows(n, 2)))) == max(expected, at_least)


@ANCHORED
def test_the_same_seed_gives_the_same_anchors_whatever_the_threads(estimator, digits):
    def fit(n_jobs, seed):
        number = {number_of(estimator): 100}
        return anchors_of(clone(estimator).set_params(n_jobs=n_jobs, random_state=seed, **number).fit(digits))

    np.testing.assert_array_equal(fit(1, 0), fit(2, 0))
    assert (fit(1, 0) != fit(1, 1)).any()


@EACH
def test_the_same_seed_gives_the_same_result_whatever_the_threads(estimator, digits):
    X = digits[:600]
    results = [output(clone(estimator).set_params(n_jobs=n, random_state=0).fit(X), X) for n in (1, 2)]
    assert abs(results[0] - results[1]).max() == 0


@EACH
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_pickles_and_deep_copies_work_on(estimator, kind, digits):
    fitted = clone(estimator).fit(kind(digits[:300]))
    for again in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert abs(output(fitted, kind(digits[:50])) - output(again, kind(digits[:50]))).max() == 0


@EACH
def test_a_row_comes_out_the_same_in_any_batch(estimator, digits):
    fitted = clone(estimator).set_params(random_state=0).fit(digits[:600])
    together = output(fitted, digits[590:640])
    alone = [output(fitted, digits[i : i + 1]) for i in range(590, 640)]
    difference = abs(together - (sparse.vstack(alone) if sparse.issparse(together) else np.concatenate(alone)))
    assert difference.max() < 1e-10


@EACH
@pytest.mark.parametrize("n_jobs", [0, 1.5, True, "two"])
def test_impossible_numbers_of_threads(estimator, n_jobs):
    with pytest.raises(ValueError, match=f"n_jobs must be a non-zero integer or None; got {n_jobs!r}"):
        clone(estimator).set_params(n_jobs=n_jobs).fit(rows())


@EACH
def test_a_nan_in_a_very_wide_sparse_table_is_found_without_filling_it_in(estimator):
    X = sparse.csr_array(([1.0, np.nan, 2.0], ([0, 2, 5], [3, 10**9, 7])), shape=(40, 2 * 10**9))
    with pytest.raises(ValueError, match="X contains NaN in row 2, column 1000000000"):
        clone(estimator).fit(X)


@ANCHORED
def test_long_doubles_are_read_as_float64(estimator):
    assert anchors_of(clone(estimator).fit(rows().astype(np.longdouble))).dtype == np.float64


@EACH_EMBEDDING
def test_all_ways_to_store_the_rows_give_the_same_embedding(estimator, digits, form):
    X = digits[:600] + 0.1 * np.random.default_rng(0).standard_normal((600, 64))  # no two distances are the same
    ours = with_components(estimator, 4)
    expected, found = ours.fit_transform(X), clone(ours).fit_transform(form(X))
    assert isinstance(found, np.ndarray)
    assert found.dtype == form(X).dtype
    has_neighbors = isinstance(estimator, AnchorMap)  # of which some are equally near, up to rounding
    tolerance = 1e-6 if found.dtype == np.float64 and not has_neighbors else 1e-2
    np.testing.assert_allclose(found, expected, atol=tolerance * np.abs(expected).max())


@for_each([AnchorGraph(), *EMBEDDINGS])
def test_new_rows_come_out_in_their_own_precision(estimator, digits):
    for fitted, new in ((np.float32, np.float64), (np.float64, np.float32)):
        model = clone(estimator).fit(digits[:300].astype(fitted))
        assert model.transform(digits[300:320].astype(new)).dtype == new


@EACH_EMBEDDING
def test_a_memory_map_gives_the_same_embedding(estimator, digits, memmap):
    X = digits[:600]
    ours = clone(estimator).set_params(random_state=0)
    np.testing.assert_array_equal(clone(ours).fit_transform(memmap(X)), ours.fit_transform(X))


@EACH_EMBEDDING
def test_columns_have_names_in_pandas(estimator, digits):
    ours = clone(estimator).set_params(n_components=3).set_output(transform="pandas")
    frame = ours.fit_transform(digits[:300])
    name = type(estimator).__name__.lower()
    assert frame.columns.tolist() == [f"{name}{i}" for i in range(3)]
    assert ours.transform(digits[300:310]).shape == (10, 3)


@EACH_EMBEDDING
def test_in_a_pipeline_with_a_scaler_and_a_classifier(estimator):
    X, y = load_digits(return_X_y=True)
    embedding = with_components(estimator, 9)
    pipeline = make_pipeline(StandardScaler(), embedding, KNeighborsClassifier()).fit(X[:1000], y[:1000])
    assert pipeline.score(X[1000:], y[1000:]) > 0.75


@for_each([ULGE(), OULGE(), CSR()])
def test_grid_search_over_the_number_of_anchors(estimator):
    X, y = load_digits(return_X_y=True)
    pipeline = make_pipeline(clone(estimator).set_params(n_components=9, random_state=0), KNeighborsClassifier())
    key = f"{type(estimator).__name__.lower()}__n_anchors"
    search = GridSearchCV(pipeline, {key: [12, 200]}, cv=3).fit(X[:600], y[:600])
    assert search.best_score_ > 0.7
    assert search.best_estimator_[0].n_anchors_ == search.best_params_[key]


@EACH_EMBEDDING
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components must be an integer ≥ 1; got 0"),
        ({"n_components": 2.0}, "n_components must be an integer ≥ 1; got 2.0"),
        ({"n_components": 40}, "n_components=40 is (too many|more than)"),
        ({"n_neighbors": 0}, "n_neighbors must be an integer ≥ 1; got 0"),
        ({"n_neighbors": 40}, "n_neighbors=40 is too many"),
    ],
)
def test_impossible_embeddings(estimator, parameters, message):
    with pytest.raises(ValueError, match=message):
        clone(estimator).set_params(**parameters).fit(rows())


@for_each([ULGE(), OULGE(), LPP(), SR()])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
@pytest.mark.filterwarnings("ignore:The .* graph falls into")
def test_more_components_than_the_rows_have_dimensions(estimator, store):
    X = np.hstack([rows(d=3), np.ones((40, 1))])
    with pytest.raises(ValueError, match=r"n_components=4 is more than the 3 dimensions .*; use at most 3"):
        clone(estimator).set_params(n_components=4).fit(store(X))


@for_each([estimator for estimator in EMBEDDINGS if "alpha" in estimator.get_params()])
@pytest.mark.parametrize("alpha", [-1, np.inf, np.nan, "auto", None])
def test_impossible_ridges(estimator, alpha):
    with pytest.raises(ValueError, match=r"alpha must be a number in \[0, 1e100\]"):
        clone(estimator).set_params(alpha=alpha).fit(rows())


@EACH_EMBEDDING
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.filterwarnings("ignore:The .* graph falls into")
def test_embeddings_of_odd_but_valid_data(estimator, dtype):
    odd = {
        "one feature": rows(d=1),
        "constant columns": np.hstack([rows(), np.full((40, 2), 7.0)]),
        "rows that come twice": np.repeat(rows(20), 2, axis=0),
        "more columns than rows": rows(40, 100),
    }
    for name, X in odd.items():
        ours = clone(estimator).set_params(n_components=1, random_state=0)
        embedded = ours.fit_transform(X.astype(dtype))
        assert embedded.shape == (40, 1), name
        assert embedded.dtype == dtype, name
        assert np.isfinite(embedded).all(), name
        assert np.ptp(embedded) > 0, name


@EACH_CLUSTERER
def test_rows_of_the_fit_get_their_labels_back(estimator, digits):
    digits = digits[:900]
    for X in (digits, digits.astype(np.float32), sparse.csr_array(digits)):
        model = clone(estimator).set_params(n_clusters=10, random_state=0).fit(X)
        np.testing.assert_array_equal(model.predict(X), model.labels_)
        np.testing.assert_array_equal(model.predict(X[300:320]), model.labels_[300:320])


@EACH_ROUNDED_CLUSTERER
def test_batches_of_clusterers_give_their_part_of_all_rows(estimator, digits):
    digits = digits[:900]
    for X in (digits, digits.astype(np.float32), sparse.csr_array(digits)):
        model = clone(estimator).set_params(n_clusters=10, random_state=0).fit(X)
        embedded = model.transform(X)
        scale = np.abs(embedded).max()
        assert model.transform(X[:7]).shape == (7, 10)
        for batch in (slice(300, 320), slice(11, 12)):
            np.testing.assert_allclose(model.transform(X[batch]), embedded[batch], rtol=1e-4, atol=1e-5 * scale)


@EACH_CLUSTERER
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.filterwarnings("ignore:The .* graph falls into", "ignore:Only .* of n_clusters")
def test_clusters_of_odd_but_valid_data(estimator, dtype):
    odd = {
        "one cluster": (rows(), 1),
        "as many clusters as anchors may be": (rows(), 9),
        "one feature": (rows(d=1), 3),
        "constant columns": (np.hstack([rows(), np.full((40, 2), 7.0)]), 3),
        "more columns than rows": (rows(40, 100), 3),
        "far from the origin": (rows() + 1000, 3),
        "half of the rows zero": (np.vstack([rows(20), np.zeros((20, 4))]), 3),
    }
    for name, (X, n_clusters) in odd.items():
        model = clone(estimator).set_params(n_clusters=n_clusters, random_state=0).fit(X.astype(dtype))
        assert model.labels_.shape == (40,), name
        assert model.labels_.max() < n_clusters, name
        if hasattr(model, "transform"):
            assert np.isfinite(model.transform(X.astype(dtype))).all(), name


@EACH_CLUSTERER
def test_all_ways_to_store_the_rows_give_the_same_clusters(estimator, form):
    X = load_digits(n_class=4).data  # as many as clusters: of all ten, rounding may choose between two partitions
    X = X + 0.1 * np.random.default_rng(0).standard_normal(X.shape)
    ours = clone(estimator).set_params(n_clusters=4, random_state=0)
    expected, found = ours.fit_predict(X), clone(ours).fit_predict(form(X))
    assert clustering_accuracy(expected, found) > (0.999 if form(X).dtype == np.float64 else 0.99)


@EACH_CLUSTERER
@pytest.mark.parametrize(
    ("n_clusters", "message"),
    [
        (0, "n_clusters must be an integer ≥ 1; got 0"),
        (2.5, "n_clusters must be an integer ≥ 1; got 2.5"),
        (41, "n_clusters=41 is (more than|too many for) n_samples=40"),
    ],
)
def test_impossible_numbers_of_clusters(estimator, n_clusters, message):
    with pytest.raises(ValueError, match=message):
        clone(estimator).set_params(n_clusters=n_clusters).fit(rows())


@EACH_ROUNDED_CLUSTERER
def test_clusterers_work_in_a_pipeline_and_in_pandas(estimator, digits):
    model = clone(estimator).set_params(n_clusters=4, random_state=0).set_output(transform="pandas")
    frame = model.fit_transform(digits[:300])
    assert frame.columns.tolist() == [f"{type(estimator).__name__.lower()}{i}" for i in range(4)]
    assert make_pipeline(StandardScaler(), clone(estimator)).fit_predict(digits[:300]).shape == (300,)
    assert model.predict(digits[300:310]).shape == (10,)
