"""What every estimator of the package must do: scikit-learn's checks, and the sentences for bad input."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from anchorgraph import BKHK, AnchorGraph

ESTIMATORS = [BKHK(n_anchors=3), AnchorGraph()]
EACH = pytest.mark.parametrize("estimator", [BKHK(), AnchorGraph()], ids=lambda estimator: type(estimator).__name__)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS)
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
    with pytest.raises(ValueError, match=rf"^X contains {word}.* in row 17, column 2; remove or impute"):
        clone(estimator).fit(store(X))
    fitted = clone(estimator).fit(rows())
    with pytest.raises(ValueError, match="in row 17, column 2"):
        output(fitted, store(X))


@EACH
@pytest.mark.parametrize(("dtype", "too_large", "too_small"), [("float32", 1e19, 1e-20), ("float64", 1e155, 1e-155)])
def test_numbers_whose_squares_leave_the_range_are_refused(estimator, dtype, too_large, too_small):
    X = rows().astype(dtype)
    for scale in (too_large, too_small):
        with pytest.raises(ValueError, match=rf"X has numbers of size .*, whose squares leave the range of {dtype}"):
            clone(estimator).fit(X * scale)
    ordinary = clone(estimator).set_params(random_state=0).fit(X)
    for scale in (2.0**50, 2.0**-40):
        scaled = clone(estimator).set_params(random_state=0).fit(X * np.dtype(dtype).type(scale))
        np.testing.assert_allclose(scaled.anchors_ / scale, ordinary.anchors_, rtol=1e-5, atol=1e-6)


@EACH
def test_more_anchors_than_rows(estimator):
    with pytest.raises(ValueError, match="n_anchors=50 is more than the 40 rows of X; use at most 40"):
        clone(estimator).set_params(n_anchors=50).fit(rows())


@EACH
@pytest.mark.parametrize("n_anchors", [0, -3, 2.5, "many", True])
def test_impossible_numbers_of_anchors(estimator, n_anchors):
    with pytest.raises(ValueError, match=f"n_anchors={n_anchors!r} is not a whole number"):
        clone(estimator).set_params(n_anchors=n_anchors).fit(rows())


@EACH
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 4)), "0 sample"),
        (np.empty((4, 0)), "0 feature"),
        (rows(1), "n_samples = 1|1 sample|minimum of 2"),
        (np.array([["a", "b"]] * 40), "strings|numeric|convert"),
        (np.array([["a", 1.0]] * 40, dtype=object), "convert|numeric|float"),
        (rows() + 1j, "Complex"),
        (rows()[:, 0], "1D array"),
    ],
)
def test_what_is_no_table_of_numbers(estimator, X, message):
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(X)


@EACH
def test_object_columns_of_numbers_are_read(estimator):
    X = rows().round(3)
    fitted = clone(estimator).set_params(random_state=0).fit(X.astype(object))
    np.testing.assert_array_equal(fitted.anchors_, clone(estimator).set_params(random_state=0).fit(X).anchors_)


@EACH
def test_other_columns_than_in_fit(estimator):
    fitted = clone(estimator).fit(rows())
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 4 features"):
        output(fitted, rows(d=3))


@EACH
@pytest.mark.parametrize(
    "X",
    [rows(d=1), np.hstack([rows(), np.full((40, 2), 7.0)]), np.ones((40, 3)), np.repeat(rows(4), 10, axis=0)],
    ids=["one feature", "constant columns", "all rows equal", "few distinct rows"],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_odd_but_valid_data(estimator, X, dtype):
    fitted = clone(estimator).set_params(n_anchors=8).fit(X.astype(dtype))
    assert fitted.anchors_.shape == (8, X.shape[1])
    assert fitted.anchors_.dtype == dtype
    assert np.isfinite(fitted.anchors_).all()


@EACH
def test_parameters_stay_as_the_user_set_them(estimator):
    estimator = clone(estimator)
    before = estimator.get_params()
    fitted = estimator.fit(rows(100))
    assert fitted.get_params() == before
    assert fitted.n_anchors_ == 32


@EACH
def test_default_number_of_anchors(estimator):
    at_least = 6 if isinstance(estimator, AnchorGraph) else 1
    for n, expected in [(7, 2), (40, 8), (1000, 256), (4095, 1024), (4096, 1024)]:
        assert clone(estimator).fit(rows(n, 2)).n_anchors_ == max(expected, at_least)


@EACH
def test_the_same_seed_gives_the_same_fit_whatever_the_threads(estimator, digits):
    def fit(n_jobs, seed):
        return clone(estimator).set_params(n_jobs=n_jobs, random_state=seed, n_anchors=100).fit(digits)

    np.testing.assert_array_equal(fit(1, 0).anchors_, fit(2, 0).anchors_)
    assert (fit(1, 0).anchors_ != fit(1, 1).anchors_).any()
    results = [output(fit(n_jobs, 0), digits) for n_jobs in (1, 2)]
    assert abs(results[0] - results[1]).max() == 0


@EACH
def test_pickled_estimators_work_on(estimator, digits):
    fitted = clone(estimator).set_params(n_anchors=50).fit(digits)
    again = pickle.loads(pickle.dumps(fitted))
    assert abs(output(fitted, digits[:50]) - output(again, digits[:50])).max() == 0


@EACH
@pytest.mark.parametrize("n_jobs", [0, 1.5, True, "two"])
def test_impossible_numbers_of_threads(estimator, n_jobs):
    with pytest.raises(ValueError, match=f"n_jobs={n_jobs!r} is no number of threads"):
        clone(estimator).set_params(n_jobs=n_jobs).fit(rows())


@EACH
def test_a_nan_in_a_very_wide_sparse_table_is_found_without_filling_it_in(estimator):
    X = sparse.csr_array(([1.0, np.nan, 2.0], ([0, 2, 5], [3, 10**9, 7])), shape=(40, 2 * 10**9))
    with pytest.raises(ValueError, match="X contains NaN in row 2, column 1000000000"):
        clone(estimator).fit(X)


@EACH
def test_long_doubles_are_read_as_float64(estimator):
    assert clone(estimator).fit(rows().astype(np.longdouble)).anchors_.dtype == np.float64
