"""Agreement of clusters with classes."""

from __future__ import annotations

from typing import Any

from scipy.optimize import linear_sum_assignment
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

AVERAGES: dict[str, str] = {"max": "max", "min": "min", "sqrt": "geometric", "mean": "arithmetic"}
"""scikit-learn's name of each average."""


def clustering_accuracy(y_true: Any, y_pred: Any) -> float:
    r"""Fraction of rows whose cluster is matched with their class, by a one-to-one matching (ulge Eq. 25).

    .. math:: \max_{\pi} \frac{1}{n} |\{i : \pi(\hat y_i) = y_i\}|

    over one-to-one maps π from clusters to classes. The best map is computed by the Hungarian method.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Classes.
    y_pred : array-like of shape (n,)
        Clusters. Their number and names may differ from those of the classes.

    Returns
    -------
    float, from 0 to 1

    Examples
    --------
    >>> from anchorgraph.metrics import clustering_accuracy
    >>> clustering_accuracy([0, 0, 1, 1], ["b", "b", "a", "c"])
    0.75
    """
    counts = contingency_matrix(y_true, y_pred)
    matched = linear_sum_assignment(counts, maximize=True)
    return float(counts[matched].sum() / counts.sum())


def purity(y_true: Any, y_pred: Any) -> float:
    r"""Fraction of rows that belong to the largest class of their cluster; several clusters may have the same class.

    .. math:: \frac{1}{n} \sum_{c} \max_{t} |\{i : \hat y_i = c,\, y_i = t\}|

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Classes.
    y_pred : array-like of shape (n,)
        Clusters.

    Returns
    -------
    float, from 0 to 1

    Examples
    --------
    >>> from anchorgraph.metrics import purity
    >>> purity([0, 0, 1, 1], ["b", "b", "a", "c"])
    1.0
    """
    counts = contingency_matrix(y_true, y_pred)
    return float(counts.max(axis=0).sum() / counts.sum())


def nmi(y_true: Any, y_pred: Any, average: str = "max") -> float:
    r"""Normalised mutual information, :math:`I(y, \hat y) / \mathrm{mean}(H(y), H(\hat y))`.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Classes.
    y_pred : array-like of shape (n,)
        Clusters.
    average : {"max", "sqrt", "mean", "min"}, default="max"
        How the two entropies are averaged: the larger one (csr, after Cai, He and Han 2005), their geometric mean,
        their arithmetic mean (scikit-learn's default), or the smaller one.

    Returns
    -------
    float, from 0 to 1

    Examples
    --------
    >>> from anchorgraph.metrics import nmi
    >>> round(nmi([0, 0, 1, 1], [0, 0, 1, 2]), 3), round(nmi([0, 0, 1, 1], [0, 0, 1, 2], "sqrt"), 3)
    (0.667, 0.816)
    """
    if average not in AVERAGES:
        raise ValueError(f"average must be one of {', '.join(map(repr, AVERAGES))}; got {average!r}.")
    return float(normalized_mutual_info_score(y_true, y_pred, average_method=AVERAGES[average]))
