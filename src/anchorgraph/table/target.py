"""Rows written to files as they come: whole at last, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse


def write_rows(results: Iterable[Any], n_rows: int, target: str | Path, names: list[str]) -> Path:
    """Write blocks of rows to a ``.npy`` or ``.parquet`` file, or to a folder of shards.

    They go to a name beside the target's first, which becomes the target when all is written.

    Parameters
    ----------
    results : iterable of Block
    n_rows : int
        In all blocks together.
    target : path
    names : list of str
        Of the columns, for formats that have them.

    Returns
    -------
    Path
    """
    target = Path(target)
    if target.suffix not in WRITERS:
        raise ValueError(f"out={str(target)!r} ends in none of '.npy' and '.parquet', and is not a folder's name.")
    if target.suffix == "" and target.exists():
        raise ValueError(f"out={str(target)!r} exists already; name a new folder.")
    if not target.parent.is_dir():
        raise ValueError(f"out={str(target)!r} is in a folder that does not exist; make {target.parent} first.")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        WRITERS[target.suffix](results, n_rows, unfinished, names)
        os.replace(unfinished, target)
    except BaseException:
        if unfinished.is_dir():
            shutil.rmtree(unfinished)
        unfinished.unlink(missing_ok=True)
        raise
    return target


def write_shard(rows: Any, folder: Path, number: int) -> Path:
    """Write one block to a folder, so that the names' order is that of the blocks."""
    path = folder / f"part-{number:06d}.{'npz' if sparse.issparse(rows) else 'npy'}"
    if sparse.issparse(rows):
        sparse.save_npz(path, rows, compressed=False)
    else:
        np.save(path, rows)
    return path


def _write_folder(results: Iterable[Any], n_rows: int, path: Path, names: list[str]) -> None:
    path.mkdir()
    for number, rows in enumerate(results):
        write_shard(rows, path, number)


def _write_npy(results: Iterable[Any], n_rows: int, path: Path, names: list[str]) -> None:
    with path.open("wb") as file:
        for number, rows in enumerate(results):
            _check_dense(rows)
            if number == 0:
                header = {"descr": rows.dtype.str, "fortran_order": False, "shape": (n_rows, *rows.shape[1:])}
                np.lib.format.write_array_header_2_0(file, header)
            np.ascontiguousarray(rows).tofile(file)


def _write_parquet(results: Iterable[Any], n_rows: int, path: Path, names: list[str]) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError(f"{path} takes pyarrow to write; install anchorgraph[io].") from error
    writer = None
    try:
        for rows in results:
            _check_dense(rows)
            held = pa.table(list(rows.reshape(len(rows), -1).T), names=names)
            writer = writer or pq.ParquetWriter(path, held.schema)
            writer.write_table(held)
    finally:
        if writer is not None:
            writer.close()


def _check_dense(rows: Any) -> None:
    if sparse.issparse(rows):
        raise ValueError("The rows are sparse, which only a folder of shards holds; pass a folder's name as out.")


WRITERS = {".npy": _write_npy, ".parquet": _write_parquet, "": _write_folder}
