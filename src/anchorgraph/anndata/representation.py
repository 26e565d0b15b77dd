"""The rows of an AnnData: where they are, as a source for a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.table.hdf5_path import HDF5_SUFFIXES


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
        raise ImportError(f'{function} requires anndata: pip install "anchorgraph[anndata]".') from None
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
    if use_rep == "X" and _has_x(adata):
        return matrix_of(adata)
    known = ", ".join(map(repr, adata.obsm)) or "nothing"
    if use_rep == "X":
        raise ValueError(f"adata has no X; pass use_rep, a key of adata.obsm, which has {known}.")
    first = "run sc.pp.pca first, or " if use_rep == "X_pca" else ""
    raise ValueError(
        f"use_rep={use_rep!r} is not in adata.obsm, which has {known}; {first}use one of these, or use_rep='X' for "
        "adata.X."
    )


def graph_of(adata: Any, neighbors_key: str) -> tuple[Any, str]:
    """The distances to near cells that an entry of ``uns`` names, as scanpy writes it, and where they are."""
    entry = adata.uns.get(neighbors_key)
    name = entry.get("distances_key") if isinstance(entry, Mapping) else None
    if name not in adata.obsp:
        raise ValueError(
            f"neighbors_key={neighbors_key!r} must be the key of an entry of adata.uns whose 'distances_key' is in "
            "adata.obsp; run sc.pp.neighbors or anchorgraph.anndata.neighbors first."
        )
    return adata.obsp[name], f"adata.obsp[{name!r}]"


def matrix_of(adata: Any, layer: str | None = None) -> Any:
    """X or a layer, as a source for :func:`anchorgraph.as_table`; X of a backed file is the path of it."""
    known = ", ".join(map(repr, adata.layers)) or "nothing"
    if layer is not None:
        if layer not in adata.layers:
            raise ValueError(f"layer={layer!r} is not in adata.layers, which has {known}; use layer=None for adata.X.")
        return adata.layers[layer]
    if not _has_x(adata):
        raise ValueError(f"adata has no X; pass layer, a key of adata.layers, which has {known}.")
    return _backing_file(adata) / "X" if adata.isbacked else adata.X


def _has_x(adata: Any) -> bool:
    try:
        return adata.X is not None
    except KeyError:  # of a backed file
        return False


def _backing_file(adata: Any) -> Path:
    """The file of a backed AnnData; refuses one that cannot be opened again by its name."""
    file = Path(adata.filename)
    if not file.is_file():
        raise ValueError(
            f"The file of adata, {file}, is not in the current folder {Path.cwd()}; open it by an absolute path."
        )
    if file.suffix not in HDF5_SUFFIXES:
        raise ValueError(
            f"The file of adata, {file}, must have one of the suffixes {', '.join(HDF5_SUFFIXES)}; rename it and open "
            "it again."
        )
    return file


def cells_of(adata: Any, use_rep: str, neighbors_key: str | None) -> tuple[Any, str, dict[str, str]]:
    """The rows of a representation, or of a graph if its key is given; their place; and the parameter that counts."""
    if neighbors_key is None:
        return rows_of(adata, use_rep), place_of(use_rep), {"use_rep": use_rep}
    return *graph_of(adata, neighbors_key), {"neighbors_key": neighbors_key}


def is_in_memory(rows: Any) -> bool:
    """Whether a source is an array, a sparse matrix or a data frame of this process."""
    return isinstance(rows, np.ndarray) or sparse.issparse(rows) or type(rows).__module__.startswith("pandas.")


def place_of(use_rep: str) -> str:
    """Where a representation is."""
    return "adata.X" if use_rep == "X" else f"adata.obsm[{use_rep!r}]"


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Say with errors about X or the source, as methods and tables call their rows, what it is here."""
    try:
        yield
    except (TypeError, ValueError) as error:
        named = re.search(r"\b(X|source)\b", str(error))
        if named:
            error.add_note(f"{named[0]} is {place}.")
        raise
