"""The same rows in every kind of source that the package reads."""

import numpy as np
import pandas as pd
from scipy import sparse

from anchorgraph.table import as_table


def names_of(X):
    return [f"column {i}" for i in range(X.shape[1])]


def frame_of(X, y=None):
    frame = pd.DataFrame(X, columns=names_of(X))
    return frame if y is None else frame.assign(label=y)


def pieces(n_rows, size):
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def array(X, size, folder):
    return as_table(X, block_rows=size)


def csr(X, size, folder):
    return as_table(sparse.csr_array(X), block_rows=size)


def pandas_frame(X, size, folder):
    return frame_of(X)


def polars_frame(X, size, folder):
    import polars as pl

    return pl.DataFrame({name: X[:, i] for i, name in enumerate(names_of(X))})


def memory_map(X, size, folder):
    np.save(folder / "rows.npy", X)
    return np.load(folder / "rows.npy", mmap_mode="r")


def npy_file(X, size, folder):
    np.save(folder / "rows.npy", X)
    return as_table(folder / "rows.npy", block_rows=size)


def npy_shards(X, size, folder):
    for number, rows in enumerate(pieces(len(X), size)):
        np.save(folder / f"{number:04d}.npy", X[rows])
    return folder


def sparse_shards(X, size, folder):
    for number, rows in enumerate(pieces(len(X), size)):
        sparse.save_npz(folder / f"{number:04d}.npz", sparse.csr_array(X[rows]))
    return sorted(folder.glob("*.npz"))


def parquet(X, size, folder, y=None):
    half = len(X) // 2
    for number, rows in enumerate((slice(0, half), slice(half, None))):
        labels = None if y is None else y[rows]
        frame_of(X[rows], labels).to_parquet(folder / f"{number}.parquet", row_group_size=size)
    return str(folder)


def zarr_array(X, size, folder):
    import zarr

    shape = {"shape": X.shape, "chunks": (min(size, len(X)), 3)}
    zarr.open_array(str(folder / "rows.zarr"), mode="w", dtype=X.dtype, **shape)[:] = X
    return as_table(folder / "rows.zarr", block_rows=size)


def dask_array(X, size, folder):
    import dask.array as da

    return da.from_array(X, chunks=(size, 4))


def dask_frame(X, size, folder, y=None):
    import dask.dataframe as dd

    return dd.from_pandas(frame_of(X, y), npartitions=-(-len(X) // size), sort=False)


SOURCES = {
    source.__name__: source
    for source in (
        array,
        csr,
        pandas_frame,
        polars_frame,
        memory_map,
        npy_file,
        npy_shards,
        sparse_shards,
        parquet,
        zarr_array,
        dask_array,
        dask_frame,
    )
}
WITHOUT_BLOCKS = ("pandas_frame", "polars_frame", "memory_map")
"""Sources whose blocks follow from scikit-learn's ``working_memory`` alone."""


def memory_for(size, X):
    """The setting, in MiB, that makes blocks of so many rows."""
    return min(4 * size * X.shape[1] * X.itemsize / 2**20, 1024)
