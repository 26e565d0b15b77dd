"""The graph of nearest cells, in ``obsp``, as scanpy has it."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.anndata.annotation import annotate
from anchorgraph.anndata.representation import check_adata, is_in_memory, naming, place_of, rows_of
from anchorgraph.contracts import Floats, Integers
from anchorgraph.estimators import RowGraph
from anchorgraph.estimators.bases.parameters import MetricParameter, RandomState
from anchorgraph.graph import KINDS, ties
from anchorgraph.numerics.checks import check_integer
from anchorgraph.table import as_table, computed_labels, count


def neighbors(
    adata: Any,
    n_neighbors: int = 15,
    *,
    use_rep: str = "X_pca",
    metric: MetricParameter = "euclidean",
    key_added: str | None = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> None:
    """Find the nearest cells by :class:`~anchorgraph.RowGraph`, in place of ``sc.pp.neighbors``.

    What is written has scanpy's form, so that ``sc.tl.leiden``, ``sc.tl.umap``, ``sc.tl.diffmap``, ``sc.tl.dpt`` and
    ``sc.tl.paga`` go on from it. Up to 4,096 cells the neighbours are exact, and connectivities are those of
    ``sc.pp.neighbors(method="umap")`` to rounding; of more cells nearly all neighbours are found.

    Parameters
    ----------
    adata : AnnData
    n_neighbors : int, default=15
        Number of nearest cells of each cell, which count the cell itself as in scanpy: 15 finds 14 others.
    use_rep : str, default="X_pca"
        The key of ``obsm`` that cells are compared by, or ``"X"``. It is loaded into memory if it is a Dask array in
        ``obsm``; X must be in memory.
    metric : {"euclidean", "cosine"}, default="euclidean"
        Distance between cells: Euclidean, or one minus the cosine.
    key_added : str or None, default=None
        ``None`` writes to scanpy's default places, otherwise results are written to ``uns[key_added]``,
        ``obsp[key_added + "_distances"]`` and ``obsp[key_added + "_connectivities"]``; pass it on to scanpy as
        ``neighbors_key``. Earlier graphs are replaced.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.
    random_state : int, RandomState instance or None, default=0

    Returns
    -------
    None
        Sets these fields:

        - ``adata.obsp["distances"]``: a CSR matrix of the distances of each cell to its ``n_neighbors - 1`` nearest
          others, nearest first.
        - ``adata.obsp["connectivities"]``: a CSR matrix of the weights of UMAP,
          :math:`a_{ij} + a_{ji} - a_{ij} a_{ji}`.
        - ``adata.uns["neighbors"]``: the names of both, and the parameters.

    Examples
    --------
    >>> import anndata  # doctest: +SKIP
    >>> from sklearn.datasets import load_digits
    >>> import anchorgraph as ag
    >>> adata = anndata.AnnData(load_digits().data)  # doctest: +SKIP
    >>> ag.anndata.neighbors(adata, use_rep="X")  # doctest: +SKIP
    >>> adata.obsp["distances"].nnz  # doctest: +SKIP
    25158
    """
    check_adata("neighbors", adata)
    check_integer("n_neighbors", n_neighbors, at_least=2)
    if adata.n_obs < 2:
        raise ValueError(f"neighbors needs at least 2 cells; adata has {adata.n_obs}.")
    if n_neighbors > adata.n_obs:
        raise ValueError(
            f"n_neighbors={n_neighbors}, which counts the cell itself, is too many for {count(adata.n_obs, 'cell')}; "
            f"use at most {adata.n_obs}."
        )
    rows = _in_memory(rows_of(adata, use_rep), use_rep)
    key = "neighbors" if key_added is None else key_added
    prefix = "" if key_added is None else f"{key_added}_"
    graph_keys = {"connectivities_key": f"{prefix}connectivities", "distances_key": f"{prefix}distances"}
    _check_key(adata, key, *graph_keys.values())
    graph = RowGraph(int(n_neighbors) - 1, metric=metric, n_jobs=n_jobs, random_state=random_state)
    with naming(place_of(use_rep)):
        near, distances = _others(graph.fit_transform(rows))
    if metric == "cosine":
        distances = distances**2 / 2  # of rows of unit length, one minus the cosine
    parameters = {"n_neighbors": int(n_neighbors), "method": "umap", "metric": metric, "use_rep": use_rep}
    if isinstance(random_state, Integral):
        parameters["random_state"] = int(random_state)
    connectivities = sparse.csr_matrix(KINDS["fuzzy"](near, distances), dtype=np.float32)
    connectivities.eliminate_zeros()  # weights of far cells underflow
    graphs = {
        graph_keys["distances_key"]: sparse.csr_matrix(ties(near, distances, len(near))),
        graph_keys["connectivities_key"]: connectivities,
    }
    annotate(adata, obsp=graphs, uns={key: {**graph_keys, "params": parameters}})


def _in_memory(rows: Any, use_rep: str) -> Any:
    if is_in_memory(rows):
        return rows
    if use_rep == "X":
        raise ValueError(
            "neighbors needs adata.X in memory; use principal components in adata.obsm, or "
            "anchorgraph.anndata.communities, which reads X block by block."
        )
    return computed_labels(as_table(rows).rows())


def _check_key(adata: Any, key: str, *graph_keys: str) -> None:
    """Refuse to overwrite what is not a graph, such as the parameters of another function, or what nobody describes."""
    if not isinstance(key, str) or not key:
        raise ValueError(f"key_added must be None or a string that is not empty; got {key!r}.")
    entry = adata.uns.get(key)
    if entry is None:
        for graph_key in graph_keys:
            if graph_key in adata.obsp:
                raise ValueError(
                    f"adata.obsp[{graph_key!r}] has no entry in adata.uns and would be lost; pass another key_added, "
                    "or delete it first."
                )
    elif not (isinstance(entry, Mapping) and "connectivities_key" in entry):
        raise ValueError(
            f"adata.uns[{key!r}] is not a graph of neighbours and would be lost; pass another key_added, or delete it "
            "first."
        )


def _others(graph: Any) -> tuple[Integers, Floats]:
    """The nearest others of each row of a directed graph, whose rows begin with the row itself, and the distances."""
    n_rows = graph.shape[0]
    return graph.indices.reshape(n_rows, -1)[:, 1:], graph.data.reshape(n_rows, -1)[:, 1:]
