"""scikit-learn's base classes, with types for what the methods inherit from them.

scikit-learn has no type information. A type checker would treat its classes, and every class derived from them, as
unknown; it reads the declarations below instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    class BaseEstimator:
        """Base of all estimators."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """The parameters of the constructor by name."""

        def set_params(self, **params: Any) -> Self:
            """Set parameters of the constructor."""

        def __sklearn_tags__(self) -> Any: ...

    class ClusterMixin:
        """Mixin of clusterers."""

        def fit(self, X: Any, y: Any = None) -> Self:
            """Cluster the rows."""

        def fit_predict(self, X: Any, y: Any = None, **kwargs: Any) -> Any:
            """Cluster the rows and return ``labels_``."""

        def __sklearn_tags__(self) -> Any: ...

    class TransformerMixin:
        """Mixin of transformers."""

        def fit_transform(self, X: Any, y: Any = None) -> Any:
            """Fit the rows and transform them."""

        def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self:
            """Choose the kind of container that ``transform`` returns."""

        def __sklearn_tags__(self) -> Any: ...

    class ClassNamePrefixFeaturesOutMixin:
        """Mixin of transformers whose columns are named by the class and a number."""

        def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
            """The names of the columns that ``transform`` returns."""

else:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin

__all__ = ["BaseEstimator", "ClassNamePrefixFeaturesOutMixin", "ClusterMixin", "TransformerMixin"]
