"""What the supervised methods share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from anchorgraph.estimators.bases.fields import Labels
from anchorgraph.estimators.bases.inputs import check_components, read_table
from anchorgraph.estimators.bases.linear_method import LinearMethod
from anchorgraph.projection import row_centred
from anchorgraph.table import check_mask, gathered, split_labels


class SupervisedMethod(LinearMethod):
    """Base of the linear transformers that learn from classes."""

    saved: ClassVar = {"classes_": Labels("c")}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _read_classes(self, X, y):
        """A table of X, the space of its rows, and the number of each row's class in ``classes_``."""
        if isinstance(y, str):
            X, y = split_labels(X, y)
        table = read_table(self, X)
        self.classes_, codes = read_classes(type(self).__name__, table, y)
        check_components(self.n_components, table.n_cols)
        return table, row_centred(table), codes


def read_classes(name, table, y):
    """The different labels, and for each row which of them it has.

    Parameters
    ----------
    name : str
        Of the estimator, for errors.
    table : RowTable
    y : array-like of shape (n,)
        Labels of any type that can be sorted.

    Returns
    -------
    classes : (c,) array
    codes : (n,) integers
    """
    if y is None:
        raise ValueError(f"{name} requires y to be passed, but the target y is None: pass the class of each row.")
    check_mask(y, "y")
    labels = column_or_1d(gathered(y), warn=True)
    if len(labels) != table.n_rows:
        raise ValueError(f"y has {len(labels)} labels for the {table.n_rows} rows of X; pass one label for each row.")
    missing = np.flatnonzero(_are_missing(labels))
    if len(missing):
        raise ValueError(
            f"y has no label (NaN, NA or None) in row {missing[0]} and {len(missing)} in all; leave such rows out."
        )
    try:
        check_classification_targets(labels)
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise ValueError("y has labels of several types, which cannot be sorted; make them all strings.") from error
    if len(classes) < 2:
        raise ValueError(f"y has only one class, {classes[0]!r}; a supervised method needs 2 classes at least.")
    return classes, codes.astype(np.int32)


def _are_missing(labels):
    if labels.dtype.kind == "O":
        return [_is_missing(label) for label in labels]
    return labels != labels


def _is_missing(label):
    try:
        return label is None or bool(label != label)  # NaN differs from itself
    except TypeError:
        return True  # pandas' NA neither differs nor does not
