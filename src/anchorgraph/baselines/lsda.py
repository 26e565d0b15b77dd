"""Locality Sensitive Discriminant Analysis."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.supervised_method import SupervisedMethod
from anchorgraph.graph import nearest_ties
from anchorgraph.numerics.checks import check_integer, check_number
from anchorgraph.projection import local_discriminant, split_by_class


class LSDA(SupervisedMethod):
    r"""Locality Sensitive Discriminant Analysis: neighbours of the same class close, those of other classes far.

    .. math:: \max_{W^\top X^\top D_w XW = I} \mathrm{tr}\, W^\top X^\top (\alpha L_b + (1 - \alpha) A_w) XW

    over the graph of nearest rows, with :math:`A_w` its edges within classes, :math:`D_w` their degrees, and
    :math:`L_b` the Laplacian of its edges between classes. A baseline of flrl: time is quadratic in the rows.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    alpha : float, default=0.1
        Weight of the edges between classes, from 0 to 1.
    n_neighbors : int, default=5
        Number of nearest rows that each row is connected to. Two rows are connected if either is among the nearest of
        the other.
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
    .. [1] D. Cai, X. He, K. Zhou, J. Han, H. Bao. Locality Sensitive Discriminant Analysis. 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import LSDA
    >>> X, y = load_digits(return_X_y=True)
    >>> LSDA(n_components=9).fit(X[:1500], y[:1500]).transform(X[1500:]).shape
    (297, 9)
    """

    card: ClassVar[Card] = Card(
        "lsda",
        "Locality Sensitive Discriminant Analysis",
        "Cai and others 2007",
        "embedding",
        streams=False,
        supervised=True,
    )

    def __init__(
        self, n_components: int = 2, *, alpha: float = 0.1, n_neighbors: int = 5, n_jobs: int | None = None
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.n_neighbors = n_neighbors
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
        check_integer("n_neighbors", self.n_neighbors)
        check_number("alpha", self.alpha, at_least=0, at_most=1)
        table, space, codes = self._read_classes(X, y)
        if self.n_neighbors >= table.n_rows:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is too many for n_samples={table.n_rows}; use at most "
                f"{table.n_rows - 1}."
            )
        ties = nearest_ties(table.rows(), self.n_neighbors)
        within, between = split_by_class(ties, codes)
        if not within.nnz:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is too few: no row has a neighbour of its own class; use a larger one."
            )
        self._set_linear_map(local_discriminant(space, within, between, self.alpha, self.n_components), table.dtype)
        return self
