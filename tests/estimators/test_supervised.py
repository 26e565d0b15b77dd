"""FLRL, MMC, LSDA, SSDA, LADA, ADA and ALLDA; their equations are tested in tests/projection."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.base import clone
from sklearn.datasets import load_digits, make_circles
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from anchorgraph import ADA, ALLDA, FLRL, LADA, LSDA, MMC, SSDA
from anchorgraph.catalogue import CATALOGUE
from anchorgraph.table import as_table

METHODS = [FLRL(random_state=0), MMC(), LSDA(), SSDA(), LADA(), ADA(), ALLDA()]
EACH = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
DIGITS = load_digits(return_X_y=True)


def test_all_supervised_methods_are_here():
    assert {type(m) for m in METHODS} == {m for m in CATALOGUE.values() if m.card.supervised}


def three_classes(n=90, d=5):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    return rng.standard_normal((n, d)) + 4 * np.eye(d)[y], y


@EACH
def test_digits_are_told_apart(method):
    X, y = DIGITS
    model = clone(method).set_params(n_components=9)
    assert cross_val_score(make_pipeline(model, KNeighborsClassifier(1)), X, y, cv=3).mean() > 0.88


@EACH
def test_labels_of_any_kind(method):
    X, y = three_classes()
    ours = clone(method).fit(X, y)
    for labels in (
        np.array(["a", "b", "c"])[y],
        np.array(["a", "b", "c"], dtype=object)[y],
        pd.Series(y * 10),
        list(y),
    ):
        other = clone(method).fit(X, labels)
        np.testing.assert_allclose(other.components_, ours.components_)
        assert len(other.classes_) == 3
    two = clone(method).fit(X, y == 1)
    assert two.classes_.tolist() == [False, True]


@EACH
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed, but the target y is None: pass the class of each row"),
        (np.zeros(90), r"y has only one class, .*0.0.*; a supervised method needs at least 2 classes"),
        (
            np.append(np.arange(89) % 2, np.nan),
            r"y has no label \(NaN, NA or None\) for 1 of 90 rows, first in row 89; remove these rows",
        ),
        (np.array([None] + ["a", "b"] * 44 + ["a"], dtype=object), r"y has no label .* first in row 0;"),
        (
            pd.Series(["a", None, "c"] * 30, dtype="string"),
            r"y has no label \(NaN, NA or None\) for 30 of 90 rows, first in row 1",
        ),
        (np.array(["a", 1, "c"] * 30, dtype=object), "y has labels of several types, which cannot be sorted"),
        (np.arange(60) % 3, "y has 60 labels for the 90 rows of X; pass one label for each row"),
        (np.linspace(0, 1, 90), "Unknown label type: continuous"),
    ],
)
def test_labels_that_cannot_be_learnt_from(method, y, message):
    with pytest.raises(ValueError, match=message):
        clone(method).fit(three_classes()[0], y)


@EACH
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_odd_but_valid_data(method, dtype):
    X, y = three_classes()
    odd = {
        "more columns than rows": np.hstack([X, np.random.default_rng(1).standard_normal((90, 200))]),
        "constant columns": np.hstack([X, np.ones((90, 2))]),
        "rows that come twice": np.repeat(X[:45], 2, axis=0),
        "far from the origin": X + 1000,
        "one column": X[:, :1],
    }
    for name, rows in odd.items():
        labels = np.repeat(y[:45], 2) if name == "rows that come twice" else y
        model = clone(method).set_params(n_components=1).fit(rows.astype(dtype), labels)
        embedded = model.transform(rows.astype(dtype))
        assert embedded.shape == (90, 1), name
        assert embedded.dtype == dtype, name
        assert np.isfinite(embedded).all(), name
        assert np.ptp(embedded) > 0, name


@EACH
def test_classes_of_very_different_sizes(method):
    X, y = three_classes(300)
    y = np.where((y == 2) & (np.arange(300) > 10), 1, y)  # three rows of the last class
    y[5] = 3  # and one that is alone in its class
    model = clone(method).fit(X, y)
    assert np.isfinite(model.transform(X)).all()


@EACH
@pytest.mark.parametrize("store", [sparse.csr_array, sparse.csr_matrix, lambda X: pd.DataFrame(X)])
def test_all_ways_to_store_the_rows_give_the_same(method, store):
    X, y = three_classes()
    dense = clone(method).fit(X, y)
    other = clone(method).fit(store(X), y)
    assert subspace_angles(dense.components_.T, other.components_.T).max() < 1e-6
    np.testing.assert_allclose(other.mean_, dense.mean_)


@EACH
@pytest.mark.parametrize("n_components", [1, 2, 4])
def test_more_columns_than_rows_leave_nothing_to_rounding(method, n_components):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 6
    X = rng.standard_normal((60, 200)) + 3 * np.eye(200)[y]
    method = clone(method).set_params(n_components=n_components)
    model, other = clone(method).fit(X, y), clone(method).fit(X * (1 + 1e-13), y)
    assert subspace_angles(model.components_.T, other.components_.T).max() < 1e-3
    if hasattr(model, "history_"):
        assert (model.history_ > 0).all()


@EACH
def test_threads_change_nothing(method, monkeypatch):
    monkeypatch.setattr("anchorgraph.projection.space.PRODUCT_BYTES", 2**14)  # several pieces
    X, y = DIGITS
    one, three = (clone(method).set_params(n_components=3, n_jobs=n).fit(X[:500], y[:500]) for n in (1, 3))
    np.testing.assert_array_equal(one.components_, three.components_)


@EACH
def test_moving_and_turning_the_rows_changes_nothing_but_the_directions(method):
    X, y = three_classes()
    turn = np.linalg.qr(np.random.default_rng(3).standard_normal((5, 5)))[0]
    if isinstance(
        method, FLRL
    ):  # initialisations of k-means follow from the order of the values, which turning changes
        method = clone(method).set_params(anchors_per_class=1, n_neighbors=1)
    model, turned = clone(method).fit(X, y), clone(method).fit(X @ turn + 7, y)
    assert subspace_angles(turn @ turned.components_.T, model.components_.T).max() < 1e-5


@EACH
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components must be an integer ≥ 1; got 0"),
        ({"n_components": 6}, "n_components=6 is more than n_features=5; use at most 5"),
    ],
)
def test_impossible_numbers_of_components(method, parameters, message):
    with pytest.raises(ValueError, match=message):
        clone(method).set_params(**parameters).fit(*three_classes())


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (FLRL(anchors_per_class=0), "anchors_per_class must be an integer ≥ 1; got 0"),
        (FLRL(anchors_per_class="many"), "anchors_per_class must be an integer ≥ 1 or 'auto'; got 'many'"),
        (FLRL(n_neighbors=0), "n_neighbors must be an integer ≥ 1; got 0"),
        (FLRL(anchors_per_class=2, n_neighbors=3), "n_neighbors=3 is more than anchors_per_class=2; use at most 2"),
        (FLRL(r=1), "r=1 is not an exponent of the inverse weighting; pass a number above 1"),
        (FLRL(max_iter=0), "max_iter must be an integer ≥ 1; got 0"),
        (FLRL(tol=-1), r"tol must be a number in \[0, 1\); got -1"),
        (FLRL(scale="between"), "scale must be one of 'total', 'within'; got 'between'"),
        (FLRL(scale=True), "scale must be one of 'total', 'within'; got True"),
        (FLRL(alpha=-1), r"alpha must be a number in \[0, 1e100\]; got -1."),
        (LADA(alpha="x"), r"alpha must be a number in \[0, 1e100\]; got 'x'."),
        (SSDA(alpha=-1), r"alpha must be a number in \[0, 1e100\]; got -1."),
        (LSDA(n_neighbors=90), "n_neighbors=90 is too many for n_samples=90; use at most 89"),
        (LSDA(alpha=2), r"alpha must be a number in \[0, 1\]; got 2"),
        (SSDA(max_subclasses=0), "max_subclasses must be an integer ≥ 1; got 0"),
        (ADA(delta=0), r"delta must be a number in \[1e-100, 1e100\]; got 0."),
        (ALLDA(n_neighbors=0), "n_neighbors must be an integer ≥ 1; got 0"),
        (LADA(max_iter=0), "max_iter must be an integer ≥ 1; got 0"),
    ],
    ids=repr,
)
def test_impossible_parameters(method, message):
    with pytest.raises(ValueError, match=message):
        method.fit(*three_classes())


def test_lsda_needs_neighbours_of_the_same_class():
    X, y = np.array([[0.0, 0], [0.1, 0], [5, 1], [5.1, 1]]), [0, 1, 0, 1]
    with pytest.raises(ValueError, match="n_neighbors=1 is too few: no row has a neighbour of its own class"):
        LSDA(n_neighbors=1, n_components=1).fit(X, y)


@pytest.mark.parametrize("anchors_per_class", [1, 4, "auto"])
def test_the_objective_of_flrl_never_increases(anchors_per_class):
    X, y = DIGITS
    model = FLRL(5, anchors_per_class=anchors_per_class, n_neighbors=1, random_state=0, tol=0).fit(X, y)
    assert (np.diff(model.history_) <= 1e-9 * model.history_[0]).all()
    assert model.n_iter_ == len(model.history_) > 1
    assert len(model.anchors_) == len(model.anchor_classes_)
    assert set(model.anchor_classes_) == set(range(10))


def test_anchors_of_a_class_are_no_more_than_its_different_rows():
    X, y = three_classes()
    X[y == 2] = X[2]
    model = FLRL(2, anchors_per_class=5, random_state=0).fit(X, y)
    assert np.count_nonzero(model.anchor_classes_ == 2) == 1
    np.testing.assert_allclose(model.anchors_[model.anchor_classes_ == 2][0], X[2], atol=1e-8)


def test_the_number_of_anchors_follows_the_shape_of_a_class():
    """A class in three groups gets three anchors, one that is Gaussian gets as many as its rows are tied to."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((600, 4))
    y = np.repeat([0, 1], 300)
    X[:300, 0] += 15 * (np.arange(300) % 3)
    for n_neighbors, numbers in ((1, [3, 1]), (2, [3, 2])):
        model = FLRL(2, anchors_per_class="auto", n_neighbors=n_neighbors, random_state=0).fit(X, y)
        assert [np.count_nonzero(model.anchor_classes_ == c) for c in (0, 1)] == numbers


def test_shapes_are_found_among_noise():
    """flrl's Fig. 1: the plane of two circles among twelve columns, where LDA has nothing to see."""
    rng = np.random.default_rng(0)
    rings, y = make_circles(600, factor=0.4, noise=0.03, random_state=0)
    X = np.hstack([rings, rng.uniform(-1, 1, (600, 10))])
    model = FLRL(2, anchors_per_class=10, random_state=0).fit(X, y)
    assert subspace_angles(model.components_.T, np.eye(12)[:, :2]).max() < 0.1


def test_one_anchor_a_class_is_discriminant_analysis():
    X, y = DIGITS
    X = X[:, X.std(axis=0) > 0]
    ours = FLRL(9, anchors_per_class=1, n_neighbors=1, alpha=0).fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    assert subspace_angles(ours.components_.T, theirs.scalings_[:, :9]).max() < 1e-5


def test_one_anchor_a_class_and_the_scale_within_is_discriminant_analysis():
    """The space is scikit-learn's, with the same scale."""
    X, y = DIGITS
    X = X[:, X.std(axis=0) > 0]
    ours = FLRL(9, anchors_per_class=1, n_neighbors=1, alpha=0, scale="within").fit_transform(X, y)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).transform(X)[:, :9]
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs - theirs.mean(axis=0)), rtol=1e-4, atol=1e-4)


def scatter_within(rows, y):
    centred = np.concatenate([rows[y == c] - rows[y == c].mean(axis=0) for c in np.unique(y)])
    return centred.T @ centred / len(rows)


@pytest.mark.parametrize(
    "store",
    [np.asarray, np.float32, sparse.csr_array, lambda X: as_table(X, block_rows=17), lambda X: da.from_array(X, 20)],
)
def test_the_scale_within_classes_has_unit_scatter(store):
    X, y = three_classes()
    total = FLRL(3, random_state=0).fit(X, y)
    within = FLRL(3, random_state=0, scale="within").fit(store(X), y)
    np.testing.assert_allclose(scatter_within(within.transform(X), y), np.eye(3), atol=1e-4)
    assert subspace_angles(total.components_.T, within.components_.T.astype(float)).max() < 1e-4
    np.testing.assert_allclose(within.history_, total.history_, rtol=1e-5)


@pytest.mark.parametrize("alpha", [0, 1e-6, 1.0])
def test_the_scale_within_classes_that_are_points(alpha):
    """Classes of equal rows have no scatter within: the embedding stays finite and tells them apart."""
    X, y = three_classes()
    points = X[:3][y]
    embedded = FLRL(2, alpha=alpha, random_state=0, scale="within").fit_transform(points, y)
    assert np.isfinite(embedded).all()
    assert KNeighborsClassifier(1).fit(embedded[:30], y[:30]).score(embedded[30:], y[30:]) == 1


def test_the_scale_within_classes_takes_no_further_pass(monkeypatch):
    X, y = three_classes()
    table = as_table(X, block_rows=30)
    sum_blocks, n_passes = type(table).sum_blocks, {}

    def counted(self, *arguments, **options):
        n_passes[scale] += 1
        return sum_blocks(self, *arguments, **options)

    monkeypatch.setattr(type(table), "sum_blocks", counted)
    for scale in ("total", "within"):
        n_passes[scale] = 0
        FLRL(2, max_iter=3, tol=0, random_state=0, scale=scale).fit(table, y)
    assert n_passes["total"] == n_passes["within"] > 3


def test_in_a_grid_search():
    X, y = DIGITS
    pipeline = make_pipeline(FLRL(5, random_state=0, max_iter=5), KNeighborsClassifier(1))
    search = GridSearchCV(pipeline, {"flrl__anchors_per_class": [1, 3], "flrl__n_neighbors": [1]}, cv=2).fit(
        X[:400], y[:400]
    )
    assert search.best_score_ > 0.8
