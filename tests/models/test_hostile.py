"""Files that somebody changed: each value of the header and each array, in every way that may matter.

Either ``load`` refuses the file in one sentence that names it, or the model works: results are finite, or a sentence
says why there are none.
"""

import copy
import warnings

import numpy as np
import pytest

from anchorgraph import BKHK, load
from anchorgraph.anchors import unroutable
from anchorgraph.catalogue import CATALOGUE
from anchorgraph.numerics.execution import as_worker
from fitted_models import ATTACKED, NEW_ROWS, fitted, misuse
from model_files import content_of, write_content

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),  # of numbers that overflow, which the result then tells
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


def refused(header, arrays, path):
    """Whether a file with this content is refused; it fails if it is neither refused nor works."""
    write_content(header, arrays, path)
    try:
        model = load(path)
    except ValueError as error:
        sentence = str(error)
    else:
        with as_worker():  # starting threads would take most of the time
            assert misuse(model, NEW_ROWS) is None
        return False
    assert str(path) in sentence
    assert "\n" not in sentence
    return True


def changed_arrays(array):
    """Arrays that are no longer what they were, with whether they must be refused."""
    is_float = array.dtype.kind == "f"
    yield array.astype(np.float16 if is_float else np.int16), array.dtype != bool
    yield array.astype(np.complex64), True
    yield array.astype(np.float64 if array.dtype != np.float64 else np.float32), not is_float
    yield array[np.newaxis], True
    yield array.ravel() if array.ndim > 1 else array.reshape(-1, 1), True
    yield np.concatenate([array, array[:1]]), False  # another number of components may be right
    yield np.repeat(array, 2, axis=-1), False
    yield array[:0], len(array) > 0
    yield np.zeros((0,) * array.ndim, array.dtype), array.size > 0
    for value in (np.nan, np.inf, -np.inf, 1e300) if is_float else (2**31 - 1, -(2**31)):
        if array.dtype.kind not in "bu" and array.itemsize >= 4 and array.size:
            worse = array.copy()
            worse.flat[array.size // 2] = value
            yield worse, False if value == 1e300 and array.dtype == np.float32 else value != 1e300
    for value in (0, -1, 1e150):
        yield np.full_like(array, value if array.dtype.kind == "f" else abs(int(value)) % 2), False


@pytest.mark.parametrize("name", ATTACKED)
def test_every_array_changed_in_every_way(name, path):
    header, arrays = content_of(fitted(name), path)
    assert not refused(header, arrays, path)
    for key, array in arrays.items():
        assert refused(header, {k: v for k, v in arrays.items() if k != key}, path), key
        assert refused(header, arrays | {f"{key}.more": array}, path), key
        for number, (worse, must_be_refused) in enumerate(changed_arrays(array)):
            found = refused(header, arrays | {key: np.ascontiguousarray(worse)}, path)
            may_be_other = key.endswith("classes_.values") or (
                worse.size == 0 and key.endswith(("singular_values_", "levels.path"))
            )
            assert found or may_be_other or not must_be_refused, (key, number)


@pytest.mark.parametrize(("name", "key"), [("ongr, abs", "_reconstruction.polars"), ("sssc", "anchors_")])
def test_large_values_of_a_file_make_no_warnings(name, key, path):
    header, arrays = content_of(fitted(name), path)
    key = f"estimator.fitted.{key}"
    worse = arrays[key].copy()
    worse.flat[::2] = -1e150
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        refused(header, arrays | {key: worse}, path)


def places(value, way=()):
    """The ways that lead to all values in a header."""
    yield way
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*way, key))


def at(header, way):
    for key in way:
        header = header[key]
    return header


NUMBERS = (True, -1, 0, 10**6, 10**30, 0.5, 1e300, 1e-300, float("inf"), float("nan"))
OTHERS = (None, "", "F", "tree", [[]], {}, {"kind": "array", "values": "C"}, {"kind": "gaussian", "sigma": "mean"})


def changed_values(value):
    """Other values, and more of them where there is a number."""
    for other in (*(NUMBERS if isinstance(value, int | float) else NUMBERS[-2:]), *OTHERS):
        if type(other) is not type(value) or other != value:
            yield other


@pytest.mark.parametrize("name", ATTACKED)
def test_every_value_of_the_header_changed_in_every_way(name, path):
    header, arrays = content_of(fitted(name), path)
    ways = [way for way in places(header) if way and (name == "fsc" or "parameters" not in way[:-1])]
    for way in ways:
        for other in changed_values(at(header, way)):
            worse = copy.deepcopy(header)
            at(worse, way[:-1])[way[-1]] = other
            found = refused(worse, arrays, path)
            if "parameters" not in way and way != ("version",):
                assert found or same_kind(other, at(header, way)), (way, other)
        if isinstance(at(header, way[:-1]), dict):
            worse = copy.deepcopy(header)
            del at(worse, way[:-1])[way[-1]]
            assert refused(worse, arrays, path), way
            worse = copy.deepcopy(header)
            at(worse, way[:-1])["more"] = at(header, way)
            assert refused(worse, arrays, path), way


def same_kind(one, other):
    """Whether a value may stand for another: numbers and strings that are still possible, and orders of arrays."""
    number = (int, float)
    both_numbers = isinstance(one, number) and isinstance(other, number) and not isinstance(one, bool)
    return both_numbers or (isinstance(one, str) and isinstance(other, str)) or (one is None or other is None)


@pytest.mark.parametrize("name", ATTACKED)
def test_the_key_of_every_other_method(name, path):
    header, arrays = content_of(fitted(name), path)
    own = header["estimator"]["method"]
    for key in CATALOGUE:
        header["estimator"]["method"] = key
        assert refused(header, arrays, path) or {own, key} in (
            {key},
            {"ulge", "oulge"},
            {"lpp", "sr"},
        ), key


@pytest.mark.parametrize("name", ATTACKED)
def test_arrays_exchanged(name, path):
    header, arrays = content_of(fitted(name), path)
    for key in arrays:
        for other in arrays:
            if key < other:
                refused(header, arrays | {key: arrays[other], other: arrays[key]}, path)


TREES = {
    "a circle": [[1, 2], [0, ~1], [~2, ~3]],
    "a node of its own": [[1, ~0], [1, ~1], [~2, ~3]],
    "a leaf twice": [[1, 2], [~0, ~1], [~1, ~3]],
    "a node twice": [[1, 1], [~0, ~1], [~2, ~3]],
    "out of order": [[2, 1], [~0, ~1], [~2, ~3]],
    "too deep": [[1, ~0], [2, ~1], [~2, ~3]],
    "no way to a leaf": [[1, 2], [1, 2], [1, 2]],
}


def test_trees_of_every_size_are_taken():
    X = np.random.default_rng(0).standard_normal((70, 2))
    with as_worker():
        for n_anchors in range(1, 70):
            assert unroutable(BKHK(n_anchors, random_state=0).fit(X).tree_) is None


@pytest.mark.parametrize("children", TREES.values(), ids=TREES)
def test_trees_that_rows_would_not_find_their_way_through(children, path):
    header, arrays = content_of(BKHK(4, random_state=0).fit(NEW_ROWS), path)
    arrays["estimator.fitted.tree_.children"] = np.array(children)
    write_content(header, arrays, path)
    with pytest.raises(ValueError, match=r"estimator\.fitted\.tree_(\.children)? (has|is|does|must)"):
        load(path)


@pytest.mark.parametrize(
    ("part", "values"),
    [
        ("indptr", lambda starts: starts[::-1]),
        ("indptr", lambda starts: starts + 1),
        ("indptr", lambda starts: np.where(np.arange(len(starts)) == 5, -1, starts)),
        ("indptr", lambda starts: np.where(np.arange(len(starts)) == 5, starts[-1] + 9, starts)),
        ("indptr", lambda starts: starts[:-1]),
        ("indptr", lambda starts: np.where(np.arange(len(starts)) == 0, 1, starts)),
        ("indices", lambda columns: columns + 4),
        ("indices", lambda columns: columns - 4),
        ("indices", lambda columns: columns[:-1]),
        ("data", lambda data: data[:-1]),
        ("data", lambda data: data * np.nan),
    ],
)
def test_sparse_rows_that_would_be_read_outside_of_their_memory(part, values, path):
    header, arrays = content_of(fitted("le"), path)
    key = f"estimator.fitted._rows.{part}"
    assert refused(header, arrays | {key: np.ascontiguousarray(values(arrays[key]).astype(arrays[key].dtype))}, path)


def test_booleans_of_other_bytes(path):
    header, arrays = content_of(fitted("lsda"), path)
    key = "estimator.fitted.classes_.values"
    assert refused(header, arrays | {key: np.array([0, 77], dtype=np.uint8).view(bool)}, path)


def test_a_small_file_does_not_ask_for_much_memory(path):
    header, arrays = content_of(fitted("mmc"), path)
    values = ["x" * 10**6, *map(str, range(1000))]
    header["estimator"]["fitted"]["classes_"] = {"kind": "text", "values": values}
    assert refused(header, {k: v for k, v in arrays.items() if not k.endswith("classes_.values")}, path)
    header, arrays = content_of(fitted("ongr"), path)
    header["estimator"]["fitted"]["_n_features_out"] = 2**40
    assert refused(header, arrays, path)


def test_results_that_overflow_are_refused(path):
    header, arrays = content_of(fitted("lpp, polynomial"), path)
    header["estimator"]["fitted"]["_kernel"]["degree"] = 1000
    write_content(header, arrays, path)
    with pytest.raises(ValueError, match=r"^kernel='poly.*' gives values as large as .*; scale X first"):
        load(path).transform(NEW_ROWS)
