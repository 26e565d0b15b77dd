"""Metacells: groups of similar cells of about the same size, and their sums or means."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from scipy import sparse

from anchorgraph.anndata.annotation import annotate, build, categorical, check_key, described, named_groups
from anchorgraph.anndata.representation import check_adata, matrix_of, naming, place_of, rows_of
from anchorgraph.contracts import Block, Integers
from anchorgraph.estimators import BKHK
from anchorgraph.estimators.bases.cluster_sizes import SizesParameter
from anchorgraph.estimators.bases.parameters import RandomState
from anchorgraph.numerics.checks import check_choice, check_integer
from anchorgraph.numerics.groups import one_hot
from anchorgraph.table import as_table, computed_labels, count


def metacells(
    adata: Any,
    size: int | None = None,
    *,
    n_metacells: int | None = None,
    sizes: SizesParameter = "equal",
    func: Literal["sum", "mean"] = "sum",
    layer: str | None = None,
    use_rep: str = "X_pca",
    key_added: str = "metacell",
    random_state: RandomState = 0,
    **parameters: Any,
) -> Any:
    """Group similar cells to metacells of equal or bounded size by :class:`~anchorgraph.BKHK`, and aggregate them.

    Parameters
    ----------
    adata : AnnData
    size : int, optional
        About how many cells a metacell has: there are ``n_cells / size`` of them, rounded. Pass this or
        ``n_metacells``.
    n_metacells : int, optional
        Number of metacells.
    sizes : "equal", (smallest, largest) or None, default="equal"
        Sizes that metacells have: as equal as possible, so that they differ by at most one cell; within two bounds,
        each cell with the nearest metacell as far as these allow; or any.
    func : {"sum", "mean"}, default="sum"
        How the cells of a metacell are aggregated to X of the result, as in ``sc.get.aggregate``. Sums are for counts.
    layer : str or None, default=None
        The layer to aggregate, such as ``"counts"``; ``None`` for X. What is on disk or a Dask array is read block by
        block; what is sparse stays sparse.
    use_rep : str, default="X_pca"
        The key of ``obsm`` that cells are compared by, or ``"X"``. A Dask array, or X of a file (``backed="r"``), is
        read block by block.
    key_added : str, default="metacell"
        Key of the results. Earlier results of this function are replaced; other entries with that key raise an error.
    random_state : int, RandomState instance or None, default=0
    **parameters
        Other parameters of :class:`~anchorgraph.BKHK`, such as ``assignment="nearest"``.

    Returns
    -------
    AnnData
        A row for each metacell, with X in float64, the same ``var``, ``obs["n_cells"]``, and the means of the cells in
        ``obsm[use_rep]``.
        ``adata.obs[key_added]`` is set to the metacell of each cell, its name in the result (NaN for cells that
        ``missing="mask"`` leaves out), and ``adata.uns[key_added]["params"]`` to the parameters.

    Examples
    --------
    >>> import anndata  # doctest: +SKIP
    >>> from sklearn.datasets import load_digits
    >>> import anchorgraph as ag
    >>> adata = anndata.AnnData(load_digits().data)  # doctest: +SKIP
    >>> grouped = ag.anndata.metacells(adata, size=30, use_rep="X")  # doctest: +SKIP
    >>> grouped.shape, sorted(set(grouped.obs["n_cells"]))  # doctest: +SKIP
    ((60, 64), [29, 30])
    """
    check_adata("metacells", adata)
    check_choice("func", func, ("sum", "mean"))
    number = _number(adata.n_obs, size, n_metacells)
    model = build("metacells", BKHK, parameters, n_clusters=number, sizes=sizes, random_state=random_state)
    rows, matrix = rows_of(adata, use_rep), matrix_of(adata, layer)
    check_key(adata, "metacells", key_added, ("obs", key_added))
    with naming(place_of(use_rep)):
        labels = np.asarray(computed_labels(model.fit(rows).labels_))
    with naming("adata.X" if layer is None else f"adata.layers[{layer!r}]"):
        found = _aggregated(adata, matrix, labels, func, {} if use_rep == "X" else {use_rep: rows})
    uns = {key_added: described("metacells", model, use_rep=use_rep, func=func, layer=layer)}
    annotate(adata, obs={key_added: categorical(labels)}, uns=uns)
    return found


def _number(n_cells: int, size: int | None, n_metacells: int | None) -> int:
    if (size is None) == (n_metacells is None):
        raise ValueError(
            f"metacells needs either size, the number of cells of each, or n_metacells; got size={size} and "
            f"n_metacells={n_metacells}."
        )
    for name, number in (("size", size), ("n_metacells", n_metacells)):
        if number is not None:
            check_integer(name, number)
            if number > n_cells:
                raise ValueError(f"{name}={number} is more than the {count(n_cells, 'cell')}; use at most {n_cells}.")
    if size is not None:
        return max(1, round(n_cells / size))
    assert n_metacells is not None  # one of them is not
    return int(n_metacells)


def _aggregated(adata: Any, matrix: Any, labels: Integers, func: str, rows: dict[str, Any]) -> Any:
    from anndata import AnnData
    from pandas import DataFrame

    names, codes = named_groups(labels)
    sizes = np.bincount(codes[codes >= 0])
    X = _sums(matrix, codes, len(names))
    var = adata.var.to_memory() if hasattr(adata.var, "to_memory") else adata.var.copy()  # of anndata's read_lazy
    return AnnData(
        X=X if func == "sum" else _divided(X, sizes),
        obs=DataFrame({"n_cells": sizes}, index=names),
        var=var,
        obsm={key: _divided(_sums(source, codes, len(names)), sizes) for key, source in rows.items()},
    )


def _sums(source: Any, codes: Integers, n_groups: int) -> Any:
    """(n_groups, d) sums of the rows of each group in float64, block by block; sparse if the source is."""
    table = as_table(source)
    (sums,) = table.sum_blocks(partial(_sums_of_block, n_groups), table.align(codes))
    return sparse.csr_matrix(sums) if sparse.issparse(sums) else sums


def _sums_of_block(n_groups: int, block: Block, codes: Integers) -> tuple[Block]:
    if (codes < 0).any():
        block, codes = block[codes >= 0], codes[codes >= 0]
    sums = one_hot(codes, n_groups, np.float64).T @ block
    return (sums.tocsr() if sparse.issparse(sums) else sums,)


def _divided(sums: Any, sizes: Integers) -> Any:
    found = sparse.diags_array(1 / sizes) @ sums
    return sparse.csr_matrix(found) if sparse.issparse(found) else found
