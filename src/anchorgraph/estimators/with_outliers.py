"""Any clusterer with scores of its rows, and the label -1 for outliers."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Floats, Integers
from anchorgraph.estimators.bases.sklearn_bases import BaseEstimator, ClusterMixin
from anchorgraph.table import computed_labels, split_columns

Verb = TypeVar("Verb", bound=Callable[..., Any])

ROUNDING = 1e-12
"""So much more than ``contamination`` is taken for rounding: 29 % of 100 rows are 29, and not 28.999…"""


def _if_clusterer_has(name: str) -> Callable[[Verb], Verb]:
    """The decorator of a method that is there only if the clusterer, fitted or not, has it."""
    decorate: Callable[[Verb], Verb] = available_if(
        lambda self: hasattr(getattr(self, "estimator_", self.estimator), name)
    )
    return decorate


class WithOutliers(ClusterMixin, BaseEstimator):
    """A clusterer whose outliers have the label -1, as those of DBSCAN and HDBSCAN have.

    Outliers are the rows with the smallest ``score_samples`` of the clusterer: the share ``contamination`` of the rows
    of the fit, and new rows with scores as small.

    Parameters
    ----------
    estimator : clusterer
        Has ``predict`` and ``score_samples``, as ``Communities``, ``FSC``, ``LSC``, ``ONGR`` and ``BKHK`` have, or
        scikit-learn's ``GaussianMixture``.
    contamination : float, default=0.05
        The share of the rows that are outliers, in (0, 0.5]. Fewer rows are if several have the same score.

    Attributes
    ----------
    estimator_ : clusterer
        The fitted clone of ``estimator``.
    threshold_ : float
        Rows with a smaller score are outliers: the ``contamination`` quantile of the scores, between those of two rows.
        Weights count, rows with missing values do not. After ``partial_fit``, that of the first batch.
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row, or -1. A lazy Dask array if that of the clusterer is one. After ``partial_fit``, those
        of the last batch.
    probabilities_ : ndarray of shape (n_rows,)
        Those of the clusterer, and 0 for outliers. Defined only if the clusterer has them.
    n_clusters_ : int
        Number of clusters, outliers not counted.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    sklearn.cluster.HDBSCAN : finds out by density which rows are outliers, and how many.

    Notes
    -----
    Of new rows, a larger share can be outliers, because anchors and centres are nearer to the rows that they were
    learnt from: of the halves of scikit-learn's digits, with the other one fitted, 12 % by ``FSC`` and 7 % by ``BKHK``.
    By ``Communities``, which compares a row with others than itself, 6 % are.

    The scores of all rows of the fit are in memory, also for files and Dask collections. A pickle keeps the model;
    :func:`anchorgraph.save` stores ``estimator_`` alone.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import FSC, WithOutliers
    >>> X, _ = load_digits(return_X_y=True)
    >>> model = WithOutliers(FSC(10, random_state=0), contamination=0.02).fit(X)
    >>> int(np.sum(model.labels_ == -1))  # 2 % of 1,797
    35
    >>> model.predict(20 - X[:3])
    array([-1, -1, -1], dtype=int32)
    """

    estimator_: Any
    threshold_: float
    labels_: Integers
    probabilities_: Floats
    n_clusters_: int

    def __init__(self, estimator: Any, *, contamination: float = 0.05) -> None:
        self.estimator = estimator
        self.contamination = contamination

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Cluster the rows and find the outliers among them.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source that the clusterer takes, of shape (n_rows, n_features)
        y : ignored
        sample_weight : array-like of shape (n_rows,) or str, default=None
            Weights of the rows: 2 counts as the row twice, 0 as no row. Or the name of the column of X that holds them.
            For clusterers whose ``fit`` takes them.

        Returns
        -------
        self
        """
        self._check_parameters()
        X, sample_weight = split_columns(X, sample_weight=sample_weight)
        fitted = clone(self.estimator).fit(X, **_if_given(sample_weight))
        scores = _scores(fitted, X)
        self.threshold_ = _quantile(scores, self.contamination, sample_weight)
        self._set_results(fitted, X, scores)
        self._has_batches = False
        return self

    @_if_clusterer_has("partial_fit")
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a further batch of rows, by ``partial_fit`` of the clusterer.

        The threshold of the first batch stays.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source that the clusterer takes, of shape (n_rows, n_features)
        y : ignored
        sample_weight : array-like of shape (n_rows,) or str, default=None
            Weights of the rows, or the name of the column of X that holds them.

        Returns
        -------
        self
        """
        self._check_parameters()
        X, sample_weight = split_columns(X, sample_weight=sample_weight)
        fitted = self.estimator_ if hasattr(self, "estimator_") else clone(self.estimator)
        fitted.partial_fit(X, **_if_given(sample_weight))
        scores = _scores(fitted, X)
        if not getattr(self, "_has_batches", False):
            self.threshold_ = _quantile(scores, self.contamination, sample_weight)
        self._set_results(fitted, X, scores)
        self._has_batches = True
        return self

    def predict(self, X: Any) -> Any:
        """The cluster of each row, or -1 for an outlier.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source that the clusterer takes, of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
            A lazy Dask array if X is a Dask collection.
        """
        check_is_fitted(self)
        return np.where(self.score_samples(X) < self.threshold_, -1, self.estimator_.predict(X))

    def score_samples(self, X: Any) -> Any:
        """How typical each row is, by the clusterer: outliers have scores below ``threshold_``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source that the clusterer takes, of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
            A lazy Dask array if X is a Dask collection.
        """
        check_is_fitted(self)
        return self.estimator_.score_samples(X)

    @_if_clusterer_has("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """The shares of the clusters of each row, by the clusterer, also of outliers.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source that the clusterer takes, of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, `n_clusters_`)
            A lazy Dask array if X is a Dask collection.
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    @property
    def n_features_in_(self) -> int:
        """Number of columns of the fit."""
        n_features: int = self._fitted_clusterer().n_features_in_
        return n_features

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Names of the columns of the fit."""
        names: NDArray[np.object_] = self._fitted_clusterer().feature_names_in_
        return names

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def _fitted_clusterer(self) -> Any:
        if "estimator_" not in vars(self):
            raise AttributeError("This WithOutliers is not fitted yet; call fit first.")
        return self.estimator_

    def _check_parameters(self) -> None:
        lacking = [name for name in ("predict", "score_samples") if not hasattr(self.estimator, name)]
        if lacking:
            raise TypeError(
                f"estimator={self.estimator!r} has no {' and no '.join(lacking)}; pass a clusterer with predict and "
                "score_samples, such as Communities() or FSC()."
            )
        share = self.contamination
        if not isinstance(share, Real) or isinstance(share, bool) or not 0 < share <= 0.5:
            raise ValueError(f"contamination must be in (0, 0.5]; got {share!r}.")

    def _set_results(self, fitted: Any, X: Any, scores: Floats) -> None:
        """Set what follows from the fitted clusterer and the scores of its rows."""
        is_outlier = scores < self.threshold_
        labels = fitted.labels_ if hasattr(fitted, "labels_") else fitted.predict(X)
        self.estimator_, self.labels_ = fitted, np.where(is_outlier, -1, labels)
        counted = getattr(fitted, "n_clusters_", getattr(fitted, "n_clusters", None))
        self.n_clusters_ = len(np.setdiff1d(computed_labels(labels), [-1])) if counted is None else counted
        vars(self).pop("probabilities_", None)  # from an earlier fit
        if hasattr(fitted, "probabilities_"):
            self.probabilities_ = np.where(is_outlier, 0, fitted.probabilities_)


def _if_given(sample_weight: Any) -> dict[str, Any]:
    """The weights as an argument, if there are any: not every clusterer takes them."""
    return {} if sample_weight is None else {"sample_weight": sample_weight}


def _scores(fitted: Any, X: Any) -> Floats:
    """(n,) scores of the rows of a fit, in memory."""
    return np.asarray(computed_labels(fitted.score_samples(X)))


def _quantile(scores: Floats, share: float, sample_weight: Any) -> float:
    """The quantile of the scores that are not NaN, by weight.

    It is halfway between the largest score with at most this share of the rows below it and the next smaller score, so
    that rounding moves no row to the other side.
    """
    weights = np.ones(len(scores)) if sample_weight is None else np.asarray(computed_labels(sample_weight))
    counted = ~np.isnan(scores) & (weights > 0)
    scores, weights = scores[counted], weights[counted]
    typical = -np.quantile(-scores, 1 - share - ROUNDING, weights=weights, method="inverted_cdf")
    smaller = scores[scores < typical]
    return float((typical + smaller.max()) / 2 if len(smaller) else typical)
