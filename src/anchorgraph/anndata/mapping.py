"""A map of the cells, in ``obsm``."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.anndata.annotation import annotate, build, check_key, described
from anchorgraph.anndata.representation import cells_of, check_adata, naming
from anchorgraph.estimators import AnchorMap
from anchorgraph.estimators.bases.parameters import RandomState
from anchorgraph.table import computed_labels


def map(  # noqa: A001 - meant as anndata.map
    adata: Any,
    *,
    use_rep: str = "X_pca",
    neighbors_key: str | None = None,
    key_added: str = "X_anchormap",
    random_state: RandomState = 0,
    **parameters: Any,
) -> None:
    """Map cells to two dimensions by :class:`~anchorgraph.AnchorMap`, for ``sc.pl.embedding(adata, "anchormap")``.

    No graph has to be computed before, but one that there is can be used.

    Parameters
    ----------
    adata : AnnData
    use_rep : str, default="X_pca"
        The key of ``obsm`` that cells are compared by, or ``"X"``. A Dask array, or X of a file (``backed="r"``), is
        read block by block.
    neighbors_key : str or None, default=None
        Key of ``uns`` that ``sc.pp.neighbors`` has written, usually ``"neighbors"``: the graph of distances that it
        names in ``obsp`` is used in place of ``use_rep``, with ``metric="precomputed"``.
    key_added : str, default="X_anchormap"
        Key of the results. Earlier results of this function are replaced; other entries with that key raise an error.
    random_state : int, RandomState instance or None, default=0
    **parameters
        Other parameters of :class:`~anchorgraph.AnchorMap`, such as ``n_components=3``.

    Returns
    -------
    None
        Sets these fields:

        - ``adata.obsm[key_added]``: an array of shape (n_cells, n_components). Cells that ``missing="mask"`` leaves out
          have NaN.
        - ``adata.uns[key_added]["params"]``: the parameters.

    Examples
    --------
    >>> import anndata  # doctest: +SKIP
    >>> from sklearn.datasets import load_digits
    >>> import anchorgraph as ag
    >>> adata = anndata.AnnData(load_digits().data)  # doctest: +SKIP
    >>> ag.anndata.map(adata, use_rep="X")  # doctest: +SKIP
    >>> adata.obsm["X_anchormap"].shape  # doctest: +SKIP
    (1797, 2)
    """
    check_adata("map", adata)
    own: dict[str, Any] = {} if neighbors_key is None else {"metric": "precomputed"}
    model = build("map", AnchorMap, parameters, random_state=random_state, **own)
    rows, place, named = cells_of(adata, use_rep, neighbors_key)
    check_key(adata, "map", key_added, ("obsm", key_added))
    with naming(place):
        positions = np.asarray(computed_labels(model.fit_transform(rows)))
    uns = {key_added: described("map", model, **named)}
    annotate(adata, obsm={key_added: positions}, uns=uns)
