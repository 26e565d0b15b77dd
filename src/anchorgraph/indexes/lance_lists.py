"""Centres of clusters for the inverted-file indexes of Lance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anchorgraph.indexes.centres import centres_of


def lance_centroids(model: Any) -> NDArray[np.float32]:
    """The centres of a model as Lance takes them: ``create_index(..., ivf_centroids=lance_centroids(model))``.

    Lance assigns the rows itself, each to its nearest centre, so that partitions are not of exactly equal size. For a
    model with ``metric="cosine"``, pass ``metric="cosine"`` to Lance too.

    Parameters
    ----------
    model : fitted clusterer with ``cluster_centers_``
        Such as :class:`~anchorgraph.BKHK`.

    Returns
    -------
    ndarray of shape (n_clusters, n_features)
        One row a partition, in float32.

    Examples
    --------
    >>> import lance  # doctest: +SKIP
    >>> rows = lance.dataset("vectors.lance")  # doctest: +SKIP
    >>> rows.create_index("vector", "IVF_FLAT", ivf_centroids=lance_centroids(model))  # doctest: +SKIP
    """
    return centres_of(model)
