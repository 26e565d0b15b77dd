"""Clusters of cells, in ``obs``."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.anndata.annotation import annotate, build, categorical, check_key, described
from anchorgraph.anndata.representation import check_adata, naming, place_of, rows_of
from anchorgraph.contracts import Floats
from anchorgraph.estimators import FSC, Communities
from anchorgraph.estimators.bases.parameters import RandomState
from anchorgraph.table import as_table, computed_labels


def communities(
    adata: Any,
    n_clusters: int | None = None,
    *,
    use_rep: str = "X_pca",
    key_added: str = "communities",
    random_state: RandomState = 0,
    **parameters: Any,
) -> None:
    """Cluster cells by :class:`~anchorgraph.Communities`: communities of the graph of nearest cells.

    No graph has to be computed before, and none is stored: this replaces both ``sc.pp.neighbors`` and ``sc.tl.leiden``.

    Parameters
    ----------
    adata : AnnData
    n_clusters : int or None, default=None
        Number of clusters. ``None`` finds as many as have the largest modularity.
    use_rep : str, default="X_pca"
        The key of ``obsm`` that cells are compared by, or ``"X"``. A Dask array, or X of a file (``backed="r"``), is
        read block by block.
    key_added : str, default="communities"
        Key of the results. Earlier results of this function are replaced; other entries with that key raise an error.
    random_state : int, RandomState instance or None, default=0
    **parameters
        Other parameters of :class:`~anchorgraph.Communities`, such as ``resolution`` or ``metric="cosine"``.

    Returns
    -------
    None
        Sets these fields:

        - ``adata.obs[key_added]``: a Categorical of strings. ``"0"`` is the largest cluster. Cells that
          ``missing="mask"`` leaves out have NaN.
        - ``adata.obs[key_added + "_probability"]``: how clearly each cell belongs to its cluster.
        - ``adata.uns[key_added]["params"]``: the parameters.

    Examples
    --------
    >>> import anndata  # doctest: +SKIP
    >>> from sklearn.datasets import load_digits
    >>> import anchorgraph as ag
    >>> adata = anndata.AnnData(load_digits().data)  # doctest: +SKIP
    >>> ag.anndata.communities(adata, 10, use_rep="X")  # doctest: +SKIP
    >>> adata.obs["communities"].cat.categories.tolist()  # doctest: +SKIP
    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']
    """
    check_adata("communities", adata)
    model = build("communities", Communities, parameters, n_clusters=n_clusters, random_state=random_state)
    _cluster(adata, "communities", model, use_rep, key_added)


def fsc(
    adata: Any,
    n_clusters: int | None = 8,
    *,
    use_rep: str = "X_pca",
    key_added: str = "fsc",
    random_state: RandomState = 0,
    **parameters: Any,
) -> None:
    """Cluster cells by :class:`~anchorgraph.FSC`: spectral clustering by anchors.

    Parameters
    ----------
    adata : AnnData
    n_clusters : int or None, default=8
        Number of clusters. ``None`` chooses it from the eigenvalues.
    use_rep : str, default="X_pca"
        The key of ``obsm`` that cells are compared by, or ``"X"``. A Dask array, or X of a file (``backed="r"``), is
        read block by block.
    key_added : str, default="fsc"
        Key of the results. Earlier results of this function are replaced; other entries with that key raise an error.
    random_state : int, RandomState instance or None, default=0
    **parameters
        Other parameters of :class:`~anchorgraph.FSC`, such as ``n_anchors``.

    Returns
    -------
    None
        Sets ``adata.obs[key_added]``, ``adata.obs[key_added + "_probability"]`` and ``adata.uns[key_added]``, as
        :func:`communities` does.

    Examples
    --------
    >>> import anndata  # doctest: +SKIP
    >>> from sklearn.datasets import load_digits
    >>> import anchorgraph as ag
    >>> adata = anndata.AnnData(load_digits().data)  # doctest: +SKIP
    >>> ag.anndata.fsc(adata, 10, use_rep="X")  # doctest: +SKIP
    >>> bool(adata.obs["fsc_probability"].between(0, 1).all())  # doctest: +SKIP
    True
    """
    check_adata("fsc", adata)
    model = build("fsc", FSC, parameters, n_clusters=n_clusters, random_state=random_state)
    _cluster(adata, "fsc", model, use_rep, key_added)


def _cluster(adata: Any, function: str, model: Any, use_rep: str, key_added: str) -> None:
    rows, probability = rows_of(adata, use_rep), f"{key_added}_probability"
    check_key(adata, function, key_added, ("obs", key_added), ("obs", probability))
    with naming(place_of(use_rep)):
        model.fit(rows)
        probabilities = _probabilities(model, rows)
    labels = categorical(np.asarray(computed_labels(model.labels_)))
    uns = {key_added: described(function, model, use_rep=use_rep)}
    annotate(adata, obs={key_added: labels, probability: probabilities}, uns=uns)


def _probabilities(model: Any, rows: Any) -> Floats:
    """Each row's share of its cluster, computed block by block where the model does not have it."""
    if hasattr(model, "probabilities_"):
        found: Floats = model.probabilities_
        return found
    return np.asarray(computed_labels(as_table(rows).map_rows(lambda block: model.predict_proba(block).max(axis=1))))
