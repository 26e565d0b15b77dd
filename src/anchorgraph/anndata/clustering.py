"""Clusters of cells, in ``obs``."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.anndata.annotation import (
    annotate,
    build,
    categorical,
    check_free,
    check_key,
    described,
    is_own,
    remove_columns,
)
from anchorgraph.anndata.representation import cells_of, check_adata, naming, place_of, rows_of
from anchorgraph.contracts import Floats, Integers
from anchorgraph.estimators import FSC, Communities
from anchorgraph.estimators.bases.parameters import RandomState
from anchorgraph.table import as_table, computed_labels


def communities(
    adata: Any,
    n_clusters: int | None = None,
    *,
    use_rep: str = "X_pca",
    neighbors_key: str | None = None,
    key_added: str = "communities",
    random_state: RandomState = 0,
    **parameters: Any,
) -> None:
    """Cluster cells by :class:`~anchorgraph.Communities`: communities of the graph of nearest cells.

    No graph has to be computed before, and none is stored: this replaces both ``sc.pp.neighbors`` and ``sc.tl.leiden``.
    A graph that there is can be used.

    Parameters
    ----------
    adata : AnnData
    n_clusters : int or None, default=None
        Number of clusters. ``None`` takes the clusters that last longest: see :class:`~anchorgraph.Communities`.
    use_rep : str, default="X_pca"
        The key of ``obsm`` that cells are compared by, or ``"X"``. A Dask array, or X of a file (``backed="r"``), is
        read block by block.
    neighbors_key : str or None, default=None
        Key of ``uns`` that ``sc.pp.neighbors`` has written, usually ``"neighbors"``: the graph of distances that it
        names in ``obsp`` is used in place of ``use_rep``, with ``metric="precomputed"``.
    key_added : str, default="communities"
        Key of the results. Earlier results of this function are replaced, and levels that there are no more are
        deleted; other entries with that key raise an error.
    random_state : int, RandomState instance or None, default=0
    **parameters
        Other parameters of :class:`~anchorgraph.Communities`, such as ``min_cluster_size`` or ``metric="cosine"``.

    Returns
    -------
    None
        Sets these fields:

        - ``adata.obs[key_added]``: a Categorical of strings. ``"0"`` is the largest cluster. Cells that
          ``missing="mask"`` leaves out have NaN.
        - ``adata.obs[key_added + "_probability"]``: how clearly each cell belongs to its cluster.
        - ``adata.obs[key_added + "_level0"]`` and so on: the clusters at each level, the finest first, each inside one
          of the next level.
        - ``adata.uns[key_added]["levels"]``: an entry for each level in the arrays ``columns``, the names of these
          columns, ``n_clusters``, ``persistence`` and ``resolution``, as :class:`~anchorgraph.Communities` has them;
          and ``chosen``, the place of the level that is ``adata.obs[key_added]``.
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
    own: dict[str, Any] = {} if neighbors_key is None else {"metric": "precomputed"}
    model = build("communities", Communities, parameters, n_clusters=n_clusters, random_state=random_state, **own)
    rows, place, named = cells_of(adata, use_rep, neighbors_key)
    probabilities = _fit(adata, "communities", model, rows, place, key_added)
    columns = {f"{key_added}_level{n}": categorical(labels) for n, labels in enumerate(_labels_of_levels(model))}
    earlier = _level_columns(adata, key_added) if is_own(adata, "communities", key_added) else []
    check_free(adata, "communities", *(("obs", name) for name in columns if name not in earlier))
    labels = columns[f"{key_added}_level{model.level_}"]
    obs = {key_added: labels, _name_of_probability(key_added): probabilities, **columns}
    uns = described("communities", model, **named) | {"levels": _described_levels(model, list(columns))}
    annotate(adata, obs=obs, uns={key_added: uns})
    remove_columns(adata, [name for name in earlier if name not in columns])


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
        Sets ``adata.obs[key_added]``, ``adata.obs[key_added + "_probability"]`` and
        ``adata.uns[key_added]["params"]``, as :func:`communities` does.

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
    probabilities = _fit(adata, "fsc", model, rows_of(adata, use_rep), place_of(use_rep), key_added)
    labels = categorical(np.asarray(computed_labels(model.labels_)))
    obs = {key_added: labels, _name_of_probability(key_added): probabilities}
    annotate(adata, obs=obs, uns={key_added: described("fsc", model, use_rep=use_rep)})


def _name_of_probability(key_added: str) -> str:
    return f"{key_added}_probability"


def _fit(adata: Any, function: str, model: Any, rows: Any, place: str, key_added: str) -> Floats:
    """Fit a model to the cells, which are in a place of adata; the share that each has of its cluster."""
    check_key(adata, function, key_added, ("obs", key_added), ("obs", _name_of_probability(key_added)))
    with naming(place):
        model.fit(rows)
        return _probabilities(model, rows)


def _labels_of_levels(model: Communities) -> list[Integers]:
    """Labels of each level; those of a Dask array are computed once, for the finest."""
    labels: Integers = np.asarray(computed_labels(model.levels_[0].labels))
    found = [labels]
    for parents in model.tree_:
        labels = np.where(labels >= 0, parents[labels], -1)
        found.append(labels)
    return found


def _described_levels(model: Communities, columns: list[str]) -> dict[str, Any]:
    """The names of the columns of levels, their figures, and which of them is the result."""
    figures = ("n_clusters", "persistence", "resolution")
    found = {name: np.array([getattr(level, name) for level in model.levels_]) for name in figures}
    return {"columns": np.array(columns, dtype=object), **found, "chosen": model.level_}


def _level_columns(adata: Any, key_added: str) -> list[str]:
    """The columns of the levels that an earlier call has written and that are still there."""
    levels = adata.uns[key_added].get("levels", {})
    names = np.asarray(levels.get("columns", []), dtype=object)  # those of a lazy file are a Dask array
    return [name for name in names.tolist() if name in adata.obs]


def _probabilities(model: Any, rows: Any) -> Floats:
    """Each row's share of its cluster, computed block by block where the model does not have it."""
    if hasattr(model, "probabilities_"):
        found: Floats = model.probabilities_
        return found
    return np.asarray(computed_labels(as_table(rows).map_rows(lambda block: model.predict_proba(block).max(axis=1))))
