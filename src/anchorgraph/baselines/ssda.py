"""Separability-oriented Subclass Discriminant Analysis."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from anchorgraph.contracts import Integers
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.supervised_method import SupervisedMethod
from anchorgraph.labels import split_classes
from anchorgraph.numerics.checks import check_integer, check_number
from anchorgraph.projection import least_within


class SSDA(SupervisedMethod):
    r"""Separability-oriented Subclass Discriminant Analysis: discriminant analysis of classes split into subclasses.

    .. math:: \min_{W^\top S_t W = I} \mathrm{tr}\, W^\top S_w W

    for the scatter :math:`S_w` of the rows about the means of their subclasses. Each class is split along its
    hierarchical clustering until none of its rows is nearer to a subclass of another class than to its own. A baseline
    of flrl: time is quadratic in the rows of a class.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    alpha : float, default=1e-06
        Ridge penalty, as a fraction of the mean variance of the rows. With more columns than rows, there are more
        directions without variation within classes than needed; the ridge prefers those in which the rows differ most.
    max_subclasses : int, default=10
        Maximum number of subclasses of a class; never more than half of its rows.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ: one direction per row.
    mean_ : ndarray of shape (`n_features_in_`,)
        Mean of the rows, in float64.
    subclasses_ : ndarray of shape (n_rows,)
        The subclass of each row of the fit.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    References
    ----------
    .. [1] H. Wan, H. Wang, G. Guo, X. Wei. Separability-Oriented Subclass Discriminant Analysis. 2017.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import SSDA
    >>> X, y = load_digits(return_X_y=True)
    >>> SSDA(n_components=9).fit(X[:1500], y[:1500]).transform(X[1500:]).shape
    (297, 9)
    """

    card: ClassVar[Card] = Card(
        "ssda",
        "Separability-oriented Subclass Discriminant Analysis",
        "Wan and others 2017",
        "embedding",
        streams=False,
        supervised=True,
    )

    subclasses_: Integers

    def __init__(
        self, n_components: int = 2, *, alpha: float = 1e-6, max_subclasses: int = 10, n_jobs: int | None = None
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.max_subclasses = max_subclasses
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the projection.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : array-like of shape (n_rows,) or str
            Classes, of any type that can be sorted; or the name of the column of X that holds them.

        Returns
        -------
        self
        """
        check_integer("max_subclasses", self.max_subclasses)
        check_number("alpha", self.alpha, at_least=0)
        table, space, codes = self._read_classes(X, y)
        self.subclasses_ = split_classes(space.table.rows(), codes, self.max_subclasses)
        self._set_linear_map(least_within(space, self.subclasses_, self.n_components, self.alpha), table.dtype)
        return self
