"""The rows of an AnnData: where they are, as a source for a table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse


def check_adata(function: str, adata: Any) -> None:
    """Refuse what is not an AnnData, and views of files, into which nothing can be written.

    Parameters
    ----------
    function : str
        Name of the function, for error messages.
    adata : AnnData
    """
    try:
        from anndata import AnnData
    except ImportError:
        raise ImportError(f"{function} requires anndata: pip install anchorgraph[anndata].") from None
    if not isinstance(adata, AnnData):
        raise TypeError(f"adata must be an AnnData; got {type(adata).__name__}: wrap an array with anndata.AnnData(X).")
    if adata.is_view and adata.isbacked:
        raise ValueError(
            f"adata is a view of the backed file {adata.filename}, which cannot be annotated; write it to a file of "
            "its own with adata.copy(filename), or load it with adata.to_memory()."
        )


def rows_of(adata: Any, use_rep: str) -> Any:
    """A representation of the cells, as a source for :func:`anchorgraph.as_table`.

    Parameters
    ----------
    adata : AnnData
    use_rep : str
        A key of ``obsm``, or ``"X"``.

    Returns
    -------
    array, sparse matrix, data frame, Dask array, or the path of X in a file
    """
    if isinstance(use_rep, str) and use_rep in adata.obsm:
        return adata.obsm[use_rep]
    if use_rep == "X":
        return matrix_of(adata)
    known = ", ".join(map(repr, adata.obsm)) or "nothing"
    first = "run sc.pp.pca first, or " if use_rep == "X_pca" else ""
    raise ValueError(
        f"use_rep={use_rep!r} is not in adata.obsm, which has {known}; {first}use one of these, or use_rep='X' for "
        "adata.X."
    )


def matrix_of(adata: Any, layer: str | None = None) -> Any:
    """X or a layer, as a source for :func:`anchorgraph.as_table`; X of a backed file is the path of it."""
    if layer is not None:
        if layer not in adata.layers:
            known = ", ".join(map(repr, adata.layers)) or "nothing"
            raise ValueError(f"layer={layer!r} is not in adata.layers, which has {known}; use layer=None for adata.X.")
        return adata.layers[layer]
    if adata.isbacked:
        return Path(adata.filename) / "X"
    if adata.X is None:
        raise ValueError("adata has no X; pass use_rep or layer, the name of what it has.")
    return adata.X


def is_in_memory(rows: Any) -> bool:
    """Whether a source is an array, a sparse matrix or a data frame of this process."""
    return isinstance(rows, np.ndarray) or sparse.issparse(rows) or type(rows).__module__.startswith("pandas.")


@contextmanager
def naming(use_rep: str) -> Iterator[None]:
    """Say with errors about X, as methods call their rows, what it is here."""
    try:
        yield
    except ValueError as error:
        error.add_note(f"X is adata.{'X' if use_rep == 'X' else f'obsm[{use_rep!r}]'}.")
        raise
