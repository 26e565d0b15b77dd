"""Numbers that no ordinary table has: one sentence, or a right answer; never a warning of NumPy's."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from anchorgraph import (
    ADA,
    ALLDA,
    BKHK,
    FLRL,
    FSC,
    KNNSC,
    LADA,
    LE,
    LPP,
    LSC,
    LSDA,
    MMC,
    ONGR,
    OULGE,
    SR,
    SSDA,
    SSSC,
    ULGE,
    AnchorMap,
    Communities,
    Gaussian,
    NystromSC,
    RowGraph,
    as_table,
)
from anchorgraph.catalogue import CATALOGUE

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 4))
Y = np.arange(40) % 2
STORES = pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])


@pytest.mark.parametrize("method", [FLRL, LADA, ADA, ALLDA, SSDA, LSDA, MMC, LPP, ULGE, SR], ids=lambda m: m.__name__)
@pytest.mark.parametrize("shape", [(40, 4), (8, 12)])
@pytest.mark.filterwarnings("ignore:The .* graph falls into")
@STORES
def test_equal_rows_have_no_direction(method, shape, store):
    rows = np.tile(np.arange(1.0, shape[1] + 1), (shape[0], 1))
    with pytest.raises(ValueError, match=r"All rows of X are equal|components that this anchor graph offers"):
        method(1).fit(store(rows), Y[: shape[0]])


@pytest.mark.parametrize("method", [ULGE, OULGE])
@pytest.mark.parametrize("shape", [(60, 4), (20, 30)])
def test_sparse_rows_with_an_offset_leave_no_indefinite_matrix(method, shape):
    rows = np.random.default_rng(0).standard_normal(shape)
    for offset in (1e3, 1e5, 1e6):
        embedded = method(1, n_anchors=8, random_state=0).fit_transform(sparse.csr_array(rows + offset))
        assert np.isfinite(embedded).all()


@pytest.mark.parametrize("method", [LPP, SR])
@pytest.mark.parametrize("options", [{"degree": 60}, {"coef0": 1e90}, {"degree": 1e6}])
def test_kernels_that_overflow(method, options):
    with pytest.raises(ValueError, match=r"kernel='poly' gives values as large as .*; scale X first, or choose other"):
        method(1, kernel="poly", **options).fit(1e4 * X)


@pytest.mark.parametrize("method", [LPP, SR])
def test_bells_that_are_narrower_than_rounding(method):
    with pytest.raises(ValueError, match=r"gamma=0\.5 is too large for rows of length .*; centre and scale X first"):
        method(1, kernel="rbf", gamma=0.5).fit(1e9 * X)


def test_small_rows_of_dask_are_as_good_as_others():
    """What a row map returns is tried on a row of length one, which is far from all of these."""
    small = np.random.default_rng(0).standard_normal((60, 3)) * 1e-25
    found = NystromSC(2, random_state=0).fit(da.from_array(small, chunks=(20, 3)))
    np.testing.assert_array_equal(found.labels_, NystromSC(2, random_state=0).fit(small).labels_)


def test_kernels_of_new_rows_that_overflow():
    model = SR(1, kernel="poly", degree=30).fit(X)
    with pytest.raises(ValueError, match=r"kernel='poly' gives values as large as"):
        model.transform(1e4 * X)


@pytest.mark.parametrize("sigma", [1e300, 1e-300, 0, -1, np.nan, np.inf])
@pytest.mark.parametrize("method", [LE, LPP, SR, KNNSC, NystromSC])
def test_bandwidths_that_cannot_be_squared(method, sigma):
    with pytest.raises(ValueError, match=r"sigma=.* is not a bandwidth; pass a positive number from 1e-100 to 1e100"):
        method(2, sigma=sigma).fit(X)
    with pytest.raises(ValueError, match=r"is not a bandwidth"):
        Gaussian(sigma)


@pytest.mark.filterwarnings("ignore:The .* graph falls into")
@pytest.mark.parametrize("sigma", [1e100, 1e-100, 1e-8])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bandwidths_of_any_other_size(sigma, dtype):
    assert np.isfinite(LE(2, sigma=sigma).fit_transform(X.astype(dtype))).all()
    labels = LSC(2, weighting=Gaussian(sigma), n_anchors=8, random_state=0).fit_predict(X.astype(dtype))
    assert set(labels) == {0, 1}


@pytest.mark.parametrize(
    "model",
    [
        LE(sigma=10**400),
        LE(sigma=np.ones(2)),
        LE(sigma=True),
        LPP(alpha=10**400),
        LPP(alpha=np.ones(2)),
        LPP(kernel="rbf", gamma=10**400),
        LPP(kernel="poly", degree=10**400),
        BKHK(tol=False),
        BKHK(tol=np.ones(2)),
        BKHK(random_state=True),
        FLRL(r=10**400),
    ],
    ids=repr,
)
def test_parameters_that_are_no_numbers(model):
    with pytest.raises(ValueError, match=r"^(sigma|alpha|gamma|degree|tol|random_state|r)\W.*\.$"):
        model.fit(X, Y)


def test_given_anchors_are_looked_at_like_rows():
    with pytest.raises(ValueError, match=r"anchors has values as large as 1e\+200, above 1e\+70"):
        FSC(2, anchors=1e200 * np.eye(4), n_neighbors=2).fit(X)
    with pytest.raises(ValueError, match="anchors has 1 masked value,"):
        FSC(2, anchors=np.ma.masked_array(np.eye(4), np.arange(16).reshape(4, 4) == 3), n_neighbors=2).fit(X)


def test_a_clusterer_that_cannot_be_fitted_is_named():
    with pytest.raises(ValueError, match=r"anchors=KMeans\(n_clusters=50\) cannot be fitted to X: n_samples=40 "):
        FSC(2, anchors=KMeans(50)).fit(X)


def test_parameters_may_be_numbers_of_numpy():
    for number in (np.float32(0.5), np.float64(0.5), np.float16(0.5)):
        SR(1, kernel="rbf", sigma=number, gamma=number, alpha=number, coef0=number).fit(X)


@pytest.mark.parametrize("key", CATALOGUE)
@pytest.mark.filterwarnings("ignore:The .* graph falls into", "ignore:Only .* of n_clusters")
def test_large_and_small_rows_are_as_good_as_others(key):
    method = CATALOGUE[key]
    for dtype, sizes in ((np.float64, (1e-69, 1e69)), (np.float32, (1e-15, 1e15))):
        for size in sizes:
            model = method().fit((size * X).astype(dtype), Y)
            found = model.predict(size * X) if hasattr(model, "predict") else model.transform((size * X).astype(dtype))
            assert np.isfinite(found.data if sparse.issparse(found) else found).all()


@pytest.mark.parametrize("random_state", [-1, 2**32, 2**70])
@pytest.mark.parametrize("model", [BKHK(4), FSC(2), ONGR(2), LE(2), SSSC(2), NystromSC(2), FLRL(1)], ids=repr)
def test_seeds_out_of_range(model, random_state):
    with pytest.raises(ValueError, match=rf"random_state must be an integer from 0 to 2\*\*32 - 1; got {random_state}"):
        model.set_params(random_state=random_state).fit(X, Y)


def test_masked_values_are_refused():
    masked = np.ma.masked_greater(X, 2)
    assert masked.mask.any()
    for read in (FSC(2).fit, as_table):
        with pytest.raises(ValueError, match=r"X has \d+ masked values?"):
            read(masked)
    with pytest.raises(ValueError, match=r"X has \d+ masked values?"):
        FSC(2).fit(list(masked))
    with pytest.raises(ValueError, match="y has 20 masked values"):
        MMC(1).fit(X, np.ma.masked_equal(Y, 0))
    model = FSC(2, random_state=0).fit(np.ma.masked_array(X))
    with pytest.raises(ValueError, match="masked"):
        model.predict(masked)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_that_hold_no_numbers_are_named(frame):
    numbers = {"a": X[:, 0].tolist(), "b": X[:, 1].tolist()}
    words = frame(numbers | {"town": ["Oslo"] * 40})
    days = frame(numbers | {"day": [pd.Timestamp("2020-01-01").to_pydatetime()] * 40})
    for table, name in ((words, "town"), (days, "day")):
        for read in (FSC(2).fit, as_table):
            with pytest.raises(ValueError, match=rf"Column '{name}' of X holds .*, not numbers; leave it out"):
                read(table)
    with pytest.raises(
        ValueError,
        match=r"^Columns 'town' \(.*\), 'land' \(.*\) of X hold no numbers; leave them out, for example by "
        r"as_table\(X, without=\['town', 'land'\]\), or encode",
    ):
        FSC(2).fit(frame(numbers | {"town": ["Oslo"] * 40, "land": ["Norge"] * 40}))
    with pytest.raises(
        ValueError, match=r"^Column 'emb' of X holds vectors; pass them as rows: np\.stack\(X\['emb'\]\)"
    ):
        FSC(2).fit(frame({"id": range(40), "emb": list(X.tolist())}))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, lambda held: dd.from_pandas(pd.DataFrame(held))])
def test_a_mistyped_column_is_recognised(frame):
    table = frame({"age": X[:, 0], "height": X[:, 1], "weight": X[:, 2]})
    for chosen in ({"columns": ["age", "hight"]}, {"without": "hight"}):
        with pytest.raises(
            ValueError, match=r"^The data frame has no column 'hight' \(did you mean 'height'\?\); its "
        ):
            as_table(table, **chosen)
    for source in (table, as_table(table)):
        with pytest.raises(
            ValueError, match=r"^sample_weight='Weigth' is not a column of X \(did you mean 'weight'\?\); pass the name"
        ):
            FSC(2).fit(source, sample_weight="Weigth")


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"a": ["1.5"] * 40, "b": X[:, 0]}), "Column 'a' of X holds .*, not numbers"),
        (pd.DataFrame({"a": pd.Categorical(["1"] * 40), "b": X[:, 0]}), "Column 'a' of X holds category, not numbers"),
        (pd.DataFrame(X, columns=["a", "b", "a", "c"]), "X has two columns named 'a'; rename one of them"),
        (pd.DataFrame(index=range(40)), "X is a data frame without columns"),
    ],
)
def test_frames_that_are_no_tables_of_numbers(frame, message):
    for read in (FSC(2).fit, as_table):
        with pytest.raises(ValueError, match=message):
            read(frame)


@pytest.mark.parametrize("dtype", ["Float64", "Int64", object])
def test_missing_numbers_of_frames_are_named_as_such(dtype):
    frame = pd.DataFrame({"a": pd.array([1, None] * 20, dtype=dtype), "b": X[:, 0]})
    with pytest.raises(ValueError, match="X contains NaN in row 1, column 'a'"):
        FSC(2).fit(frame)


@STORES
def test_equal_rows_are_one_cluster_of_knnsc(store):
    equal = store(np.ones((30, 3)))
    with pytest.warns(ConvergenceWarning, match="Only 1 of n_clusters=3 clusters have rows"):
        model = KNNSC(3, random_state=0).fit(equal)
    assert set(model.labels_) == {0}


@STORES
@pytest.mark.filterwarnings("ignore:The .* graph falls into")
def test_knnsc_gives_equal_rows_one_label_in_fit_and_predict(store):
    several = store(np.random.default_rng(0).standard_normal((30, 3))[np.arange(120) % 30])
    model = KNNSC(5, random_state=0).fit(several)
    np.testing.assert_array_equal(model.predict(several), model.labels_)
    np.testing.assert_array_equal(model.labels_[:30], model.labels_[90:])


@pytest.mark.parametrize("model", [FSC(3), ONGR(3), LSC(3), SSSC(3)], ids=repr)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_outlier_takes_no_digits_from_the_others(model, dtype):
    """A mean moved by the outlier would leave float32 some two digits of all other rows."""
    rows = np.vstack([X, np.full((1, 4), 1e6)]).astype(dtype)
    model.set_params(n_anchors=12, random_state=0).fit(rows)
    together = model.transform(rows)
    alone = np.vstack([model.transform(rows[i : i + 1]) for i in range(len(rows))])
    np.testing.assert_allclose(alone, together, atol=1e-4)
    np.testing.assert_array_equal(model.predict(rows), model.labels_)


@pytest.mark.filterwarnings("ignore:Only 1 of n_clusters=2")
def test_a_row_on_the_line_between_two_subspaces_has_one_label():
    """Rows of one column: every class rebuilds them equally well."""
    rows = np.array([[-0.5], [-0.15], [1.4]])[np.arange(40) % 3]
    model = SSSC(2, random_state=1).fit(rows)
    alone = [int(model.predict(rows[i : i + 1])[0]) for i in range(6)]
    np.testing.assert_array_equal(alone, model.predict(rows)[:6])


@pytest.mark.filterwarnings("ignore:The .* graph falls into")
@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
def test_kernel_maps_of_equal_rows_do_not_depend_on_the_batch(kernel):
    rows = np.random.default_rng(0).standard_normal((20, 3))[np.arange(60) % 20]
    model = SR(2, kernel=kernel, alpha=1e-6).fit(rows)
    together = model.transform(rows)
    alone = np.vstack([model.transform(rows[i : i + 1]) for i in range(20)])
    np.testing.assert_allclose(alone, together[:20], atol=1e-6 * np.abs(together).max())


@pytest.mark.parametrize("method", [ULGE, OULGE, LPP, SR, MMC], ids=lambda method: method.__name__)
def test_infinities_that_cancel_in_a_product_are_found(method):
    """Their product is NaN, of which every BLAS kernel tells NumPy, and NumPy the user."""
    model = method(2).fit(X, Y)
    rows = X.copy()
    rows[3, :2] = np.inf, -np.inf
    with pytest.raises(ValueError, match=r"X contains infinity.* in row 3, column 0"):
        model.transform(rows)


@STORES
def test_infinity_beside_a_row_of_zeros_is_found_by_cosine(store):
    rows = X.copy()
    rows[0] = 0
    rows[3, 1] = np.inf
    with pytest.raises(ValueError, match=r"X contains infinity.* in row 3, column 1"):
        FSC(2, metric="cosine", missing="mask").fit(store(rows))


@STORES
@pytest.mark.parametrize("model", [Communities(2, n_components=2, random_state=0), AnchorMap(random_state=0)])
def test_new_rows_too_far_for_coordinates_in_float32(model, store):
    rows = np.random.default_rng(0).standard_normal((40, 40))
    model.fit(store(rows))
    verbs = [getattr(model, verb) for verb in ("predict", "score_samples", "transform") if hasattr(model, verb)]
    for verb in verbs:
        assert np.isfinite(verb(store(1e10 * rows))).all()
        with pytest.raises(ValueError, match=r"X has values in row 3 that are more than 1e\+16 times as far"):
            verb(store(np.where(np.arange(40)[:, np.newaxis] == 3, 1e30, rows)))


@pytest.mark.parametrize("size", [1e25, 1e60])
@pytest.mark.parametrize("model", [Communities(2, random_state=0), AnchorMap(random_state=0), RowGraph(3)])
def test_new_rows_too_large_for_the_dtype_of_the_fit(model, size):
    model.fit(X.astype(np.float32))
    with pytest.raises(ValueError, match=r"X has absolute values above 1e\+16, whose products overflow float32"):
        (model.predict if hasattr(model, "predict") else model.transform)(size * X)


@pytest.mark.parametrize("seed", [3, 9, 14])
def test_trees_of_sparse_rows_far_from_the_origin_give_their_labels_back(seed):
    """Bounds on how far scores move must hold although distances between such rows are lost in rounding."""
    rows = sparse.csr_array(np.random.default_rng(seed).standard_normal((40, 2)) + 1e8)
    model = BKHK(tol=0.001, random_state=0).fit(rows)
    np.testing.assert_array_equal(model.predict(rows), model.labels_)


def test_new_rows_beyond_float32_find_their_anchors_in_a_tree():
    X = np.random.default_rng(0).standard_normal((400, 3)).astype(np.float32)
    model = FSC(2, search="tree", n_anchors=64, random_state=0).fit(X)
    far = np.full((1, 3), 1e45)
    np.testing.assert_array_equal(model.predict(far), model.predict(far * 2))


class OnlyInterface:
    def __init__(self, rows):
        self.__array_interface__ = rows.__array_interface__
        self.rows = rows


@pytest.mark.parametrize("wrap", [memoryview, OnlyInterface])
def test_whatever_numpy_reads_is_taken(wrap):
    rows = np.ascontiguousarray(X, dtype=np.float64)
    np.testing.assert_array_equal(
        FSC(2, random_state=0).fit(wrap(rows)).labels_, FSC(2, random_state=0).fit(rows).labels_
    )
