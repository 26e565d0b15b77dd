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


def vectors_of(X, kind):
    """The rows as an Arrow array of lists of their own type, or of float16."""
    import pyarrow as pa

    kinds = {"list": pa.list_, "large_list": pa.large_list, "fixed_size_list": lambda t: pa.list_(t, X.shape[1])}
    if kind == "float16":
        return pa.array(list(X.astype(np.float16)), pa.list_(pa.float16(), X.shape[1]))
    return pa.array(X.tolist(), kinds[kind](pa.from_numpy_dtype(X.dtype)))


def vector_table(X, kind):
    """A column of vectors between ids and texts."""
    import pyarrow as pa

    ids = [f"row {i}" for i in range(len(X))]
    return pa.table({"id": ids, "emb": vectors_of(X, kind), "text": ["a, b"] * len(X)})


def vectors_in(kind, X, size, folder):
    import pyarrow.parquet as pq

    pq.write_table(vector_table(X, kind), folder / "rows.parquet", row_group_size=size)
    return folder / "rows.parquet"


def vector_list(X, size, folder):
    return vectors_in("list", X, size, folder)


def vector_large_list(X, size, folder):
    return vectors_in("large_list", X, size, folder)


def vector_fixed_size_list(X, size, folder):
    return vectors_in("fixed_size_list", X, size, folder)


def feather(X, size, folder):
    import pyarrow as pa
    from pyarrow.feather import write_feather

    write_feather(pa.table(frame_of(X)), str(folder / "rows.feather"), chunksize=min(size, len(X)))
    return folder / "rows.feather"


def ipc_stream(X, size, folder):
    import pyarrow as pa

    table = vector_table(X, "list")
    with pa.OSFile(str(folder / "rows.arrow"), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table, max_chunksize=min(size, len(X)))
    return folder / "rows.arrow"


def hive_folder(X, size, folder, y=None):
    for number, rows in enumerate(pieces(len(X), max(size, len(X) // 3))):
        place = folder / f"part={number}" / "kind=a%20b"
        place.mkdir(parents=True)
        frame_of(X[rows], None if y is None else y[rows]).to_parquet(place / "0.parquet", row_group_size=size)
    return folder


def csv_file(X, size, folder):
    frame_of(X).to_csv(folder / "rows.csv", index=False)
    return folder / "rows.csv"


def european_csv(X, size, folder):
    frame_of(X).to_csv(folder / "rows.csv", index=False, sep=";", decimal=",")
    return folder / "rows.csv"


def arrow_dataset(X, size, folder):
    from pyarrow import dataset

    return dataset.dataset(vectors_in("list", X, size, folder))


def arrow_table(X, size, folder):
    return vector_table(X, "fixed_size_list")


def zarr_array(X, size, folder):
    import zarr

    shape = {"shape": X.shape, "chunks": (min(size, len(X)), 3)}
    zarr.open_array(str(folder / "rows.zarr"), mode="w", dtype=X.dtype, **shape)[:] = X
    return as_table(folder / "rows.zarr", block_rows=size)


def hdf5(X, size, folder):
    import h5py

    with h5py.File(folder / "rows.h5", "w") as file:
        file.create_dataset("group/rows", data=X, chunks=(min(size, len(X)), 2), compression="gzip", shuffle=True)
    return as_table(folder / "rows.h5", block_rows=size)


def h5ad(X, size, folder):
    import h5py

    with h5py.File(folder / "rows.h5ad", "w") as file:
        file.create_dataset("obsm/X_pca", data=X)
    return as_table(folder / "rows.h5ad" / "obsm" / "X_pca", block_rows=size)


def h5ad_csr(X, size, folder):
    import h5py

    with h5py.File(folder / "rows.h5ad", "w") as file:
        write_csr(file, "X", sparse.csr_array(X), compression="gzip")
    return as_table(folder / "rows.h5ad", block_rows=size)


def write_csr(file, name, rows, **options):
    """Sparse rows as a group in AnnData's encoding."""
    group = file.create_group(name)
    group.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": rows.shape})
    for array in ("data", "indices", "indptr"):
        group.create_dataset(array, data=getattr(rows, array), **options)
    return group


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
        hdf5,
        h5ad,
        h5ad_csr,
        dask_array,
        dask_frame,
        vector_list,
        vector_large_list,
        vector_fixed_size_list,
        feather,
        ipc_stream,
        hive_folder,
        csv_file,
        european_csv,
        arrow_dataset,
        arrow_table,
    )
}
WITHOUT_BLOCKS = ("pandas_frame", "polars_frame", "memory_map")
"""Sources whose blocks follow from scikit-learn's ``working_memory`` alone."""


def memory_for(size, X):
    """The setting, in MiB, that makes blocks of so many rows."""
    return min(4 * size * X.shape[1] * X.itemsize / 2**20, 1024)
