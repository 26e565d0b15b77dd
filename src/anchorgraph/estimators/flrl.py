"""Fast Local Representation Learning with an adaptive anchor graph."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from numpy.typing import NDArray

from anchorgraph.anchors import count_gaussian_parts, select_per_class
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Field, Floats, Labels, Size
from anchorgraph.estimators.bases.inputs import draw_seed
from anchorgraph.estimators.bases.parameters import MetricParameter, MissingParameter, RandomState
from anchorgraph.estimators.bases.supervised_method import SupervisedMethod
from anchorgraph.graph import Inverse
from anchorgraph.numerics.checks import check_choice, check_integer, check_number
from anchorgraph.projection import SCALES, learn_with_anchors


class FLRL(SupervisedMethod):
    r"""Fast Local Representation Learning: rows are near anchors of their class, in time linear in the rows.

    .. math:: \min_{W, A, Z} \sum_i \sum_{j,h} (A^i_{jh})^r \lVert W^\top x^i_j - z^i_h \rVert^2, \qquad
        A^i_j 1 = 1,\ \lVert A^i_j \rVert_0 = k,\ W^\top S_t W = I

    (flrl Eq. 3) over the classes i, by alternating updates of W (Eq. 9), of the weights
    :math:`A_{jh} \propto (\lVert W^\top x_j - z_h \rVert^2)^{1/(1-r)}` of a row's k nearest anchors (Eq. 7), and of
    the anchors, which are weighted means of their class (Eq. 5). Several anchors per class can represent classes that
    are not Gaussian, unlike the one mean of LDA.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    anchors_per_class : int or "auto", default=5
        Number of anchors of each class, at most the number of its different rows. ``"auto"`` chooses the number for
        each class: the class is split in two, and its parts again, as long as the rows of a part, projected on the
        direction of the split, are not Gaussian. It gets one anchor per part, but at least ``n_neighbors``.
    n_neighbors : int, default=3
        k, the number of nearest anchors that each row is connected to; all anchors in a class that has fewer.
    r : float, default=2.0
        Exponent of the weights, greater than 1.
    alpha : float, default=1e-06
        Ridge penalty, as a fraction of the mean variance of the rows. With more columns than rows, there are more
        directions without variation within classes than needed; the ridge prefers those in which the rows differ most.
    scale : {"total", "within"}, default="total"
        Scale of the embedding: rows have unit variance, :math:`W^\top S_t W = I`, as in the paper; or unit variance
        within classes, :math:`W^\top S_w W = I` with the scatter :math:`S_w` about the means of the classes, as in
        scikit-learn's ``LinearDiscriminantAnalysis``. The subspace is the same, but not which rows are nearest in it:
        ``"within"`` gives directions that separate the classes better more weight. The ridge is added to
        :math:`S_w`, which may be singular.
    max_iter : int, default=50
        Maximum number of iterations.
    tol : float, default=0.0001
        Stop when an iteration lowers the objective by no more than this fraction.
    metric : {"euclidean", "cosine"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them NaN as their results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Selection of the initial anchors.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ: one direction per row. With ``scale="within"``, those that separate the means of the classes best come
        first.
    mean_ : ndarray of shape (`n_features_in_`,)
        Mean of the rows, in float64.
    anchors_ : ndarray of shape (n_anchors, `n_features_in_`)
        Anchors of all classes, in the space of the rows.
    anchor_classes_ : ndarray of shape (n_anchors,)
        The class of each anchor.
    history_ : ndarray of shape (`n_iter_`,)
        The objective of Eq. 3 with the ridge penalty after each update of W; it never increases, up to rounding.
    n_iter_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    LADA, ADA, ALLDA : similar methods with a graph between all rows of a class.

    References
    ----------
    .. [1] C. Zhang, F. Nie, Z. Wang, R. Wang, X. Li. Fast Local Representation Learning with Adaptive Anchor Graph.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import FLRL
    >>> X, y = load_digits(return_X_y=True)
    >>> FLRL(n_components=9, random_state=0).fit(X[:1500], y[:1500]).transform(X[1500:]).shape
    (297, 9)
    """

    card: ClassVar[Card] = Card(
        "flrl",
        "Fast Local Representation Learning with Adaptive Anchor Graph",
        "flrl",
        "embedding",
        streams=True,
        supervised=True,
    )
    saved: ClassVar[dict[str, Field]] = {
        "anchors_": Floats("m d"),
        "anchor_classes_": Labels("m"),
        "history_": Floats("t", double=True),
        "n_iter_": Size("t"),
    }

    anchors_: FloatArray
    anchor_classes_: NDArray[Any]
    history_: FloatArray
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        anchors_per_class: int | Literal["auto"] = 5,
        n_neighbors: int = 3,
        r: float = 2.0,
        alpha: float = 1e-6,
        scale: Literal["total", "within"] = "total",
        max_iter: int = 50,
        tol: float = 1e-4,
        metric: MetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.anchors_per_class = anchors_per_class
        self.n_neighbors = n_neighbors
        self.r = r
        self.alpha = alpha
        self.scale = scale
        self.max_iter = max_iter
        self.tol = tol
        self.metric: MetricParameter = metric
        self.missing: MissingParameter = missing
        self.n_jobs = n_jobs
        self.random_state = random_state

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
        check_integer("n_neighbors", self.n_neighbors)
        check_integer("max_iter", self.max_iter)
        check_number("tol", self.tol, at_least=0, below=1)
        check_number("alpha", self.alpha, at_least=0)
        check_choice("scale", self.scale, SCALES)
        self._check_number()
        weighting = Inverse(self.r)
        table, space, codes = self._read_classes(X, y, sample_weight)
        anchors, owners = select_per_class(table, codes, self._choose_number, seed=draw_seed(self.random_state))
        linear, points, self.history_ = learn_with_anchors(
            space,
            codes,
            anchors,
            owners,
            weigh=weighting.weights,
            r=self.r,
            n_neighbors=self.n_neighbors,
            n_components=self.n_components,
            alpha=self.alpha,
            max_iter=self.max_iter,
            tol=self.tol,
            scale=SCALES[self.scale],
        )  # Algorithm 1
        self.n_iter_ = len(self.history_)
        self.anchors_ = points.astype(table.dtype)
        self.anchor_classes_ = self.classes_[owners]
        self._set_linear_map(linear, table.dtype)
        return self

    def _check_number(self) -> None:
        if isinstance(self.anchors_per_class, str):
            if self.anchors_per_class != "auto":
                raise ValueError(f"anchors_per_class must be an integer ≥ 1 or 'auto'; got {self.anchors_per_class!r}.")
            return
        check_integer("anchors_per_class", self.anchors_per_class)
        if self.n_neighbors > self.anchors_per_class:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is more than anchors_per_class={self.anchors_per_class}; use at most "
                f"{self.anchors_per_class}."
            )

    def _choose_number(self, rows: FloatArray, counts: FloatArray, seed: int) -> int:
        if isinstance(self.anchors_per_class, str):  # "auto"
            return max(self.n_neighbors, count_gaussian_parts(rows, counts, seed))
        return self.anchors_per_class
