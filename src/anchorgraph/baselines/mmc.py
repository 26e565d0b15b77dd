"""Maximum Margin Criterion."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.parameters import MissingParameter
from anchorgraph.estimators.bases.supervised_method import SupervisedMethod
from anchorgraph.projection import largest_margin


class MMC(SupervisedMethod):
    r"""Maximum Margin Criterion: orthonormal directions with distant class means and rows close to their mean.

    .. math:: \max_{W^\top W = I} \mathrm{tr}\, W^\top (S_b - S_w) W

    for the scatter :math:`S_b` of the class means and :math:`S_w` of the rows about them. A baseline of flrl.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN: raise an error, or leave them out of the fit and give them NaN as their results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ: one direction per row.
    mean_ : ndarray of shape (`n_features_in_`,)
        Mean of the rows, in float64.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    References
    ----------
    .. [1] H. Li, T. Jiang, K. Zhang. Efficient and Robust Feature Extraction by Maximum Margin Criterion. 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import MMC
    >>> X, y = load_digits(return_X_y=True)
    >>> MMC(n_components=9).fit(X[:1500], y[:1500]).transform(X[1500:]).shape
    (297, 9)
    """

    card: ClassVar[Card] = Card(
        "mmc",
        "Maximum Margin Criterion",
        "Li and others 2006",
        "embedding",
        streams=True,
        supervised=True,
    )

    def __init__(
        self, n_components: int = 2, *, missing: MissingParameter = "error", n_jobs: int | None = None
    ) -> None:
        self.n_components = n_components
        self.missing: MissingParameter = missing
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the projection.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : array-like of shape (n_rows,) or str
            Classes, of any type that can be sorted; or the name of the column of X that holds them.
        sample_weight : array-like of shape (n_rows,) or str, default=None
            Weights of the rows: 2 counts as the row twice, 0 as no row. Or the name of the column of X that holds them.

        Returns
        -------
        self
        """
        table, space, codes = self._read_classes(X, y, sample_weight)
        self._set_linear_map(largest_margin(space, codes, self.n_components), table.dtype)
        return self
