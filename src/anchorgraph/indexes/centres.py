"""The centres of a model, for an index."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted


def centres_of(model: Any) -> NDArray[np.float32]:
    """(m, d) centres in float32; refuses a model that has none."""
    check_is_fitted(model)
    if not hasattr(model, "cluster_centers_"):
        raise ValueError(f"model must have cluster_centers_, as BKHK and KMeans do; got {type(model).__name__}.")
    return np.ascontiguousarray(model.cluster_centers_, dtype=np.float32)
