"""Base of the supervised methods."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from anchorgraph.contracts import Integers, RowTable
from anchorgraph.estimators.bases.fields import Field, Labels
from anchorgraph.estimators.bases.inputs import check_components, read_table
from anchorgraph.estimators.bases.linear_method import LinearMethod
from anchorgraph.projection import row_centred
from anchorgraph.projection.space import Space
from anchorgraph.table import check_mask, computed_labels, count, split_columns


class SupervisedMethod(LinearMethod):
    """Base of the linear transformers that learn from classes."""

    saved: ClassVar[dict[str, Field]] = {"classes_": Labels("c")}

    n_components: int

    classes_: NDArray[Any]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _read_classes(self, X: Any, y: Any, sample_weight: Any = None) -> tuple[RowTable, Space, Integers]:
        """A table of X, its rows about their mean, and the index of each row's class in ``classes_``."""
        X, y, sample_weight = split_columns(X, y=y, sample_weight=sample_weight)
        table = read_table(self, X, sample_weight)
        self.classes_, codes = read_classes(type(self).__name__, table, y)
        check_components(self.n_components, table.n_cols)
        return table, row_centred(table), codes


def read_classes(name: str, table: RowTable, y: Any) -> tuple[NDArray[Any], Integers]:
    """The different labels, sorted, and the index of each row's label among them.

    Rows of weight zero do not count: their labels are not looked at, and their index is 0.

    Parameters
    ----------
    name : str
        Name of the estimator, for error messages.
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
    labels = column_or_1d(computed_labels(y), warn=True)
    if len(labels) != table.n_rows:
        raise ValueError(
            f"y has {count(len(labels), 'label')} for the {count(table.n_rows, 'row')} of X; pass one label "
            "for each row."
        )
    counted = np.flatnonzero(table.weight_of_each())
    own = labels[counted]
    missing = counted[_are_missing(own)]
    if len(missing):
        raise ValueError(
            f"y has no label (NaN, NA or None) for {len(missing)} of {len(labels)} rows, first in row {missing[0]}; "
            "remove these rows from X and y."
        )
    try:
        check_classification_targets(own)
        classes, own_codes = np.unique(own, return_inverse=True)
    except TypeError as error:
        raise ValueError(
            "y has labels of several types, which cannot be sorted; convert all of them to strings."
        ) from error
    if len(classes) < 2:
        where = " in the rows of a positive weight" if table.weights else ""
        raise ValueError(f"y has only one class{where}, {classes[0]!r}; a supervised method needs at least 2 classes.")
    codes = np.zeros(len(labels), dtype=np.int32)
    codes[counted] = own_codes
    return classes, codes


def _are_missing(labels: NDArray[Any]) -> NDArray[np.bool_]:
    if labels.dtype.kind == "O":
        return np.array([_is_missing(label) for label in labels], dtype=bool)
    missing: NDArray[np.bool_] = labels != labels
    return missing


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)  # NaN differs from itself
    except TypeError:
        return True  # pandas' NA has no truth value
