"""What users pass in place of a table of numbers is refused at once, with what to pass instead."""

import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from anchorgraph import Communities, as_table

ROWS = np.random.default_rng(0).random((30, 3))


class AnnData:
    """As anndata's: it has a length and parts, which NumPy would read one by one."""

    __module__ = "anndata._core.anndata"

    def __len__(self):
        return 30

    def __getitem__(self, index):
        raise AssertionError  # read by NumPy


class Tensor:
    """As torch's, whose gradients or device NumPy cannot read."""

    __module__ = "torch"
    shape = (30, 3)

    def __init__(self, requires_grad):
        self.requires_grad = requires_grad

    def __len__(self):
        return 30

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return np.array(ROWS, dtype)


TEXTS = r"^X holds texts, such as '{}', not numbers{}; make numbers of them, .* sklearn\..*TfidfVectorizer"
NO_PATHS = ", and not paths of existing files"
REFUSED = {
    "AnnData": (AnnData(), r"^X is an AnnData, .* anchorgraph\.anndata\.communities\(adata\), or pass one table"),
    "texts": (["hello world"] * 30, TEXTS.format("hello world", NO_PATHS)),
    "a long text": ("a word " * 50, TEXTS.format("a word a word .*", NO_PATHS)),
    "words": (np.array([["a", "b"]] * 30), TEXTS.format("a", "")),
    "objects": (np.array([[1.0, "a"]] * 30, dtype=object), TEXTS.format("a", "")),
    "generator": (
        (row for row in ROWS),
        r"^X is of type 'generator', .* only once; pass np\.array\(list\(X\)\), .*partial_fit",
    ),
    "map": (map(list, ROWS), r"^X is of type 'map', which can be read only once"),
    "gradients": (Tensor(True), r"^X is a torch tensor .* requires grad.*; pass X\.detach\(\)\.cpu\(\)\.numpy\(\)\.$"),
    "dates": (np.full((30, 2), "2024-01-01", "M8[D]"), r"^X holds values of type 'datetime64', not numbers"),
    "dict": ({"a": [1.0, 2.0]}, r"of type 'dict' is not a table of numbers; pass a NumPy array"),
    "set": ({1.0, 2.0}, r"of type 'set' is not a table of numbers; pass a NumPy array"),
    "None": (None, r"of type 'NoneType' is not a table of numbers"),
}
REFUSED_BY_ESTIMATORS = {
    "list of AnnData": ([AnnData(), AnnData()], r"^X is a list of AnnData, .* anchorgraph\.anndata\.communities"),
    "rows of different lengths": ([[1.0, 2.0], [3.0]] * 9, r"^X has rows of 1 and of 2 values; pass rows of the same"),
    "lists of words": ([[1.0, "a"]] * 30, TEXTS.format("a", "")),
    "numerals": (
        [["1.0", " 2"]] * 30,
        r"^X holds texts, such as '1\.0', not numbers; pass np\.array\(X, dtype=float\)",
    ),
    "series of texts": (pd.Series(["hello"] * 30), TEXTS.format("hello", "")),
    "series of vectors": (pd.Series(list(ROWS)), r"^X holds a vector in each entry, not numbers; pass np\.stack\(X\)"),
    "list of dicts": ([{"a": 1.0}] * 30, r"^X holds values of type 'dict', not numbers"),
    "list of tensors": ([Tensor(True)] * 30, r"^X is a torch tensor"),
}


@pytest.mark.parametrize("name", [*REFUSED, *REFUSED_BY_ESTIMATORS])
def test_what_holds_no_numbers_is_refused_in_one_sentence(name):
    source, sentence = {**REFUSED, **REFUSED_BY_ESTIMATORS}[name]
    packages = {*sys.modules}
    with pytest.raises((TypeError, ValueError), match=sentence) as caught:
        Communities().fit(source)
    assert "\n" not in str(caught.value)
    assert not {"anndata", "torch"} & ({*sys.modules} - packages)


@pytest.mark.parametrize("name", REFUSED)
def test_as_table_says_the_same(name):
    source, sentence = REFUSED[name]
    with pytest.raises((TypeError, ValueError), match=sentence):
        as_table(source)


@pytest.mark.parametrize(
    "paths", [["rows.csv"], "rows", ["file:///no/such/folder"], "n" * 300 + ".csv", "n" * 300 + ".h5"]
)
def test_strings_that_can_be_paths_are_not_called_texts(paths):
    with pytest.raises(OSError, match="does not exist"):
        Communities().fit(paths)


@pytest.mark.parametrize(
    "source", [Tensor(False), ROWS.tolist(), list(ROWS), ROWS.astype(object), [[*map(Decimal, row)] for row in ROWS]]
)
def test_other_arrays_of_numbers_are_taken(source):
    found = Communities(3, random_state=0).fit(source).labels_
    np.testing.assert_array_equal(found, Communities(3, random_state=0).fit(ROWS).labels_)
