"""Files of every format, sound and damaged, and what is read from them.

A case is a kind of file from ``MAKERS`` and a damage, one of ``DAMAGES`` or one that only its format can have, from
``EDITS``. A file that nobody damaged must give back what was written. One that was damaged may give any numbers, for a
changed bit of a number cannot be noticed, but its table must hold together; or it is refused in a clear sentence.
"""

import gzip
import io
import json
import re
import struct
import zipfile
from functools import partial
from importlib.metadata import version

import numpy as np
from scipy import sparse
from scipy.io import mmwrite

from anchorgraph.table import as_table
from sources import write_csr

NAME = "fuzzed"
"""In the name of every file, so that a refusal can be seen to name it."""

NUMBERS = [0, 1, -1, 2, 7, 127, 255, 256, 2**15, 2**16, 2**20, 2**31 - 1, 2**31, -(2**31), 2**32, 2**40, 2**62]
NUMBERS += [2**63 - 1, 2**63, -(2**63), 2**64, 10**15, 10**30]


def rows_of(rng):
    """A small table of random numbers in a random dtype."""
    shape = rng.integers(1, 60), rng.integers(1, 9)
    dtype = rng.choice(["f8", "f8", "f4", "f2", "i1", "i4", "i8", "u1", "?", ">f8", ">i4"])
    X = rng.normal(scale=20, size=shape) * (rng.random(shape) < 0.6)
    return np.abs(X).astype(dtype) if dtype == "u1" else X.astype(dtype)


# Files, sound


def npy(folder, X, rng):
    np.save(folder / f"{NAME}.npy", X if rng.random() < 0.7 else np.asfortranarray(X))
    return folder / f"{NAME}.npy"


def npz_dense(folder, X, rng):
    save = np.savez if rng.random() < 0.5 else np.savez_compressed
    save(folder / f"{NAME}.npz", **({"X": X, "y": np.arange(3)} if rng.random() < 0.5 else {"only": X}))
    return folder / f"{NAME}.npz"


def npz_sparse(layout, folder, X, rng):
    sparse.save_npz(folder / f"{NAME}.npz", _csr(X).asformat(layout), compressed=bool(rng.random() < 0.5))
    return folder / f"{NAME}.npz"


def _csr(X):
    """SciPy's matrices have neither float16 nor another machine's order of bytes."""
    return sparse.csr_array(X.astype(np.float32 if X.dtype == np.float16 else X.dtype.newbyteorder("=")))


def packed(make, folder, X, rng):
    path = make(folder, X, rng)
    whole = folder / f"{path.name}.gz"
    whole.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()
    return whole


def mtx(folder, X, rng):
    X = X.astype(X.dtype.newbyteorder("=")) if X.dtype.kind in "iu" else X.astype(np.float64)
    mmwrite(folder / f"{NAME}.mtx", sparse.coo_array(X) if rng.random() < 0.7 else X, symmetry="general")
    return folder / f"{NAME}.mtx"


def csv(folder, X, rng):
    names = ",".join(f"column {i}" if rng.random() < 0.7 else f'"column, {i}"' for i in range(X.shape[1]))
    lines = [",".join(repr(value) for value in row) for row in X.astype(np.float64).tolist()]
    (folder / f"{NAME}.csv").write_text("\n".join([names, *lines]) + "\n" * int(rng.integers(2)))
    return folder / f"{NAME}.csv"


def parquet(folder, X, rng):
    import pyarrow as pa
    import pyarrow.parquet as pq

    X = X.astype(X.dtype.newbyteorder("="))
    columns = {f"column {i}": X[:, i] for i in range(X.shape[1])}
    options = {
        "row_group_size": int(rng.integers(1, len(X) + 1)),
        "compression": str(rng.choice(["none", "snappy", "gzip", "zstd", "lz4", "brotli"])),
        "use_dictionary": bool(rng.random() < 0.5),
        "data_page_version": str(rng.choice(["1.0", "2.0"])),
    }
    pq.write_table(pa.table(columns), folder / f"{NAME}.parquet", **options)
    return folder / f"{NAME}.parquet"


def feather(folder, X, rng):
    import pyarrow as pa
    from pyarrow.feather import write_feather

    X = X.astype(X.dtype.newbyteorder("="))
    columns = {f"column {i}": X[:, i] for i in range(X.shape[1])}
    compression = str(rng.choice(["uncompressed", "lz4", "zstd"]))
    path = folder / f"{NAME}.feather"
    write_feather(pa.table(columns), str(path), compression=compression, chunksize=int(rng.integers(1, len(X) + 1)))
    return path


def arrow(folder, X, rng):
    """A file of Arrow's own, or a stream, which has no footer."""
    import pyarrow as pa

    X = X.astype(X.dtype.newbyteorder("="))
    table = pa.table({f"column {i}": X[:, i] for i in range(X.shape[1])})
    path = folder / f"{NAME}.{rng.choice(['arrow', 'ipc'])}"
    write = pa.ipc.new_file if rng.random() < 0.5 else pa.ipc.new_stream
    options = pa.ipc.IpcWriteOptions(compression=[None, "lz4", "zstd"][rng.integers(3)])
    with pa.OSFile(str(path), "wb") as file, write(file, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=int(rng.integers(1, len(X) + 1)))
    return path


def vectors(folder, X, rng):
    """A column of lists beside text: in Parquet, or in a file or stream of Arrow's own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    X = X.astype(X.dtype.newbyteorder("=")) if X.dtype.kind != "b" else X.astype(np.float64)
    element = pa.from_numpy_dtype(X.dtype)
    kind = [pa.list_(element), pa.large_list(element), pa.list_(element, X.shape[1])][rng.integers(3)]
    table = pa.table({"text": ["a"] * len(X), "emb": pa.array(list(X), kind)})
    size, how = int(rng.integers(1, len(X) + 1)), rng.integers(3)
    path = folder / f"{NAME}.{'parquet' if how == 0 else 'arrow'}"
    if how == 0:
        pq.write_table(table, path, row_group_size=size)
    else:
        write = pa.ipc.new_file if how == 1 else pa.ipc.new_stream
        with pa.OSFile(str(path), "wb") as file, write(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=size)
    return path


def zarr_2(folder, X, rng):
    import numcodecs

    options = {"compressors": rng.choice([numcodecs.Blosc(), numcodecs.GZip(), numcodecs.LZ4(), None])}
    if X.dtype.kind in "iu" and rng.random() < 0.5:  # of floats, differences are not exact
        options["filters"] = [numcodecs.Delta(X.dtype)]
    return _zarr(folder, X, rng, {"zarr_format": 2, **options})


def zarr_3(folder, X, rng):
    from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec

    options = {"compressors": [BloscCodec(), GzipCodec(), ZstdCodec(), None][rng.integers(4)]}
    if rng.random() < 0.3:
        options["shards"] = (2 * len(X), 2 * X.shape[1])
    return _zarr(folder, X, rng, {"zarr_format": 3, **options})


def _zarr(folder, X, rng, options):
    import zarr

    chunks = int(rng.integers(1, len(X) + 1)), int(rng.integers(1, X.shape[1] + 1))
    if shards := options.get("shards"):
        chunks = tuple(
            next(c for c in range(chunk, 0, -1) if shard % c == 0) for chunk, shard in zip(chunks, shards, strict=True)
        )
    path = folder / f"{NAME}.zarr"
    array = zarr.create_array(
        str(path), shape=X.shape, chunks=chunks, dtype=X.dtype, config={"write_empty_chunks": True}, **options
    )
    array[:] = X
    return path


def hdf5_dense(folder, X, rng):
    import h5py

    options = {}
    if rng.random() < 0.7:
        options["chunks"] = int(rng.integers(1, len(X) + 1)), int(rng.integers(1, X.shape[1] + 1))
        options |= {"compression": ["gzip", "lzf", None][rng.integers(3)], "shuffle": bool(rng.random() < 0.5)}
        options["fletcher32"] = bool(rng.random() < 0.3)
    with h5py.File(folder / f"{NAME}.h5", "w", libver=_hdf5_version(rng)) as file:
        file.create_dataset("group/rows", data=X, **options)
        file["labels"] = np.arange(len(X))
    return folder / f"{NAME}.h5"


def h5ad_dense(folder, X, rng):
    import h5py

    with h5py.File(folder / f"{NAME}.h5ad", "w", libver=_hdf5_version(rng)) as file:
        file["X"] = X
        file["X"].attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
        file["obsm/X_pca"] = X[:, :2].astype(np.float32)
    return folder / f"{NAME}.h5ad"


def h5ad_csr(folder, X, rng):
    import h5py

    with h5py.File(folder / f"{NAME}.h5ad", "w", libver=_hdf5_version(rng)) as file:
        write_csr(file, "X", _csr(X), compression=["gzip", "lzf", None][rng.integers(3)])
    return folder / f"{NAME}.h5ad"


def _hdf5_version(rng):
    return "latest" if rng.random() < 0.5 else "earliest"


def shards(folder, X, rng):
    folder = folder / NAME
    folder.mkdir()
    cuts = np.sort(rng.integers(0, len(X) + 1, 3))
    is_sparse = rng.random() < 0.5
    for number, rows in enumerate(np.split(X, cuts)):
        if is_sparse:
            sparse.save_npz(folder / f"part.{number}.npz", _csr(rows))
        else:
            np.save(folder / f"part.{number}.npy", rows)
    return folder


MAKERS = {
    "npy": npy,
    "npz dense": npz_dense,
    "npz csr": partial(npz_sparse, "csr"),
    "npz csc": partial(npz_sparse, "csc"),
    "npz coo": partial(npz_sparse, "coo"),
    "npz bsr": partial(npz_sparse, "bsr"),
    "npz dia": partial(npz_sparse, "dia"),
    "mtx": mtx,
    "mtx.gz": partial(packed, mtx),
    "csv": csv,
    "csv.gz": partial(packed, csv),
    "parquet": parquet,
    "feather": feather,
    "arrow": arrow,
    "vectors": vectors,
    "zarr 2": zarr_2,
    "zarr 3": zarr_3,
    "shards": shards,
    "hdf5": hdf5_dense,
    "h5ad dense": h5ad_dense,
    "h5ad csr": h5ad_csr,
}
"""``make(folder, X, rng)`` writes X and returns what to pass to ``as_table``."""

IS_ZARR_3 = version("zarr").split(".")[0] == "3"
GROUPS = [kind for kind in MAKERS if IS_ZARR_3 or not kind.startswith("zarr")]
"""The kinds of files, as the names of cases begin; those of Zarr are made with its version 3."""


# Damages of any file


def nothing(path, rng):
    """The control: what was written is read."""


def bits_flipped(path, rng):
    content = bytearray(path.read_bytes())
    for _ in range(rng.integers(1, 21)):
        if content:
            content[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
    path.write_bytes(content)


def head_bits_flipped(path, rng):
    content = bytearray(path.read_bytes())
    for _ in range(rng.integers(1, 4)):
        if content:
            content[rng.integers(min(128, len(content)))] ^= 1 << int(rng.integers(8))
    path.write_bytes(content)


def tail_bits_flipped(path, rng):
    content = bytearray(path.read_bytes())
    for _ in range(rng.integers(1, 4)):
        if content:
            content[-int(rng.integers(1, 1 + min(600, len(content))))] ^= 1 << int(rng.integers(8))
    path.write_bytes(content)


def bytes_overwritten(path, rng):
    content = bytearray(path.read_bytes())
    start, length = int(rng.integers(len(content) + 1)), int(rng.integers(1, 40))
    new = rng.bytes(length) if rng.random() < 0.6 else bytes([rng.choice([0, 255, 48])]) * length
    content[start : start + length] = new[: len(content) - start]
    path.write_bytes(content)


def truncated(path, rng):
    content = path.read_bytes()
    path.write_bytes(content[: rng.integers(len(content) + 1)])


def lengthened(path, rng):
    path.write_bytes(path.read_bytes() + rng.bytes(int(rng.integers(1, 2000))))


def range_deleted(path, rng):
    content = path.read_bytes()
    start, length = int(rng.integers(len(content) + 1)), int(rng.integers(1, 200))
    path.write_bytes(content[:start] + content[start + length :])


def range_inserted(path, rng):
    content = path.read_bytes()
    start = int(rng.integers(len(content) + 1))
    path.write_bytes(content[:start] + rng.bytes(int(rng.integers(1, 200))) + content[start:])


def junk(path, rng):
    path.write_bytes(rng.bytes(int(rng.integers(0, 3000))))


def removed(path, rng):
    path.unlink()


DAMAGES = {
    "undamaged": nothing,
    "bits flipped": bits_flipped,
    "first bits flipped": head_bits_flipped,
    "last bits flipped": tail_bits_flipped,
    "bytes overwritten": bytes_overwritten,
    "truncated": truncated,
    "lengthened": lengthened,
    "bytes deleted": range_deleted,
    "bytes inserted": range_inserted,
    "junk": junk,
    "removed": removed,
}


# Damages that only some formats can have


def number(rng):
    return NUMBERS[rng.integers(len(NUMBERS))]


def npy_header(content, rng):
    """An array in NumPy's format with a header that says something else."""
    array = np.lib.format.read_array(io.BytesIO(content))
    shape, descr, order = list(array.shape), array.dtype.str, array.flags.f_contiguous and array.ndim > 1
    odd = [
        "<f8",
        ">f8",
        "<f4",
        "|O",
        "<U5",
        "|S0",
        "|V8",
        "<c16",
        "<M8[s]",
        "<f2",
        "|b1",
        "<u8",
        "|i1",
        "<f16",
        "bogus",
    ]
    match rng.integers(6):
        case 0 | 1 if shape:
            shape[rng.integers(len(shape))] = number(rng)
        case 2:
            shape = [number(rng) for _ in range(rng.integers(4))]
        case 3:
            descr = str(rng.choice(odd))
        case 4:
            order = not order
        case _:
            shape = shape[::-1]
    header = repr({"descr": descr, "fortran_order": bool(order), "shape": tuple(shape)})
    if rng.random() < 0.1:
        header = str(rng.choice(["-" * 5000 + "1", "(" * 3000, "[]" * 40, "{1: 2}", "9" * 5000, "", "\0"]))
    version, length = (int(rng.choice([1, 2, 3])), len(header)) if rng.random() < 0.9 else (9, 2**16 - 1)
    packed = struct.pack("<H" if version == 1 else "<I", length)
    return b"\x93NUMPY" + bytes([version, 0]) + packed + header.encode() + array.tobytes("F" if order else "C")


def edit_npy(path, rng):
    path.write_bytes(npy_header(path.read_bytes(), rng))


def edit_members(path, rng):
    """One array of a ``.npz`` file changed, in a zip file that is sound."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = str(rng.choice(list(members)))
    match rng.integers(5):
        case 0:
            members[name] = npy_header(members[name], rng)
        case 1:
            del members[name]
        case 2:
            members[name] = members[str(rng.choice(list(members)))]
        case _:
            members[name] = _one_value_changed(members[name], rng)
    how = zipfile.ZIP_DEFLATED if rng.random() < 0.5 else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def _one_value_changed(content, rng):
    array = np.lib.format.read_array(io.BytesIO(content))
    if array.dtype.kind in "SU":
        array = np.array(str(rng.choice(["csr", "csc", "coo", "bsr", "dia", "lil", "spmatrix", ""])))
    elif array.size:
        array = array.copy() if rng.random() < 0.8 else array.astype(rng.choice(["i1", "u8", "f4", "i8", ">i4"]))
        flat = array.reshape(-1)
        with np.errstate(over="ignore"):
            for _ in range(rng.integers(1, 4)):
                value = np.array(number(rng) % 2**64, dtype=object).astype("u8")
                flat[rng.integers(flat.size)] = value.astype(array.dtype)
    return _as_npy(array)


def edit_zip_directory(path, rng):
    """Other lengths in the directory of a zip file, or in front of a member."""
    content = bytearray(path.read_bytes())
    places = [m.start() for m in re.finditer(rb"PK\x01\x02|PK\x03\x04|PK\x05\x06", bytes(content))]
    start = int(rng.choice(places))
    fields = {
        b"PK\x01\x02": [10, 20, 24, 28, 30, 42],
        b"PK\x03\x04": [8, 18, 22, 26, 28],
        b"PK\x05\x06": [8, 10, 12, 16],
    }
    at = start + int(rng.choice(fields[bytes(content[start : start + 4])]))
    struct.pack_into("<I", content, at, number(rng) % 2**32)
    path.write_bytes(content)


def edit_hdf5(path, rng):
    """One array or attribute of an HDF5 file changed, left out or replaced, in a file that is sound."""
    import h5py

    with h5py.File(path, "r+") as file:
        is_sparse = "X/indptr" in file
        group = file["X"] if is_sparse else file
        name = str(rng.choice(["data", "indices", "indptr"])) if is_sparse else "X" if "X" in file else "group/rows"
        values = group[name][:]
        match rng.integers(6):
            case 0 if is_sparse:
                group.attrs["shape"] = np.array([number(rng) % 2**63 for _ in range(rng.choice([1, 2, 2, 2, 3]))])
            case 1 if "X" in file:
                kinds = ["csc_matrix", "csr_matrix", "array", "", np.arange(3), 7, b"csr_matrix"]
                file["X"].attrs["encoding-type"] = kinds[rng.integers(len(kinds))]
            case 2:
                del group[name]
            case 3:
                links = [h5py.SoftLink(f"/{name}"), h5py.SoftLink("/"), h5py.ExternalLink("other.h5", "/")]
                del group[name]
                group[name] = links[rng.integers(len(links))]
            case 4:
                del group[name]
                shape = tuple(number(rng) % 2**40 for _ in values.shape)
                chunks = tuple(int(rng.integers(1, 100)) for _ in shape)
                group.create_dataset(name, shape=shape, maxshape=[None] * len(shape), chunks=chunks, dtype=values.dtype)
            case _:
                del group[name]
                held = np.lib.format.read_array(io.BytesIO(_one_value_changed(_as_npy(values), rng)))
                group[name] = held if rng.random() < 0.8 else held.reshape(-1)[: rng.integers(held.size + 1)]


def _as_npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def edit_numbers(path, rng):
    """Some numbers of a text file changed, mostly in its first lines."""
    text = path.read_text()
    found = list(re.finditer(r"-?\d+", text))
    for _ in range(rng.integers(1, 3)):
        if found:
            match = found[rng.integers(min(len(found), 6 if rng.random() < 0.7 else len(found)))]
            text = text[: match.start()] + str(number(rng)) + text[match.end() :]
            found = list(re.finditer(r"-?\d+", text))
    path.write_text(text)


def edit_banner(path, rng):
    text = path.read_text()
    words = ["matrix", "vector", "coordinate", "array", "real", "integer", "complex", "pattern", "general", "symmetric"]
    words += ["skew-symmetric", "hermitian", "unsigned-integer", "double", "bogus"]
    banner = text.split("\n", 1)[0].split(" ")
    banner[rng.integers(1, len(banner))] = str(rng.choice(words))
    path.write_text(" ".join(banner) + "\n" + text.split("\n", 1)[-1])


def edit_text(path, rng):
    """Separators, quotes, ends of lines, names and values of a CSV file changed."""
    text = path.read_text()
    for _ in range(rng.integers(1, 4)):
        at = int(rng.integers(len(text) + 1))
        match rng.integers(8):
            case 0:
                text = (
                    text[:at]
                    + str(rng.choice(['"', ",", "\n", ";", "\r", "\0", "\t", "''", '""', "é", "\ufeff"]))
                    + text[at:]
                )
            case 1:
                text = text.replace(",", str(rng.choice([";", "\t", ",,", ', "', " "])), int(rng.choice([1, -1])))
            case 2:
                text = text.replace("column 1", "column 0")
            case 3:
                text = re.sub(
                    r"\d+\.\d+", str(rng.choice(["nan", "1e999", "x" * 50, "", "true", "2020-01-01"])), text, count=3
                )
            case 4:
                text = text.replace("\n", str(rng.choice(["\r\n", "\r", "\n\n", ""])))
            case 5:
                text = text.split("\n", 1)[0] + "\n" * int(rng.integers(2))
            case 6:
                text = text.split("\n", 1)[-1]
            case _:
                text = text[:at]
    path.write_text(text, encoding=str(rng.choice(["utf-8", "utf-16", "latin-1"])), errors="replace")


def edit_footer(path, rng):
    """Bytes of the footer of a Parquet or Arrow file changed, or its length."""
    content = bytearray(path.read_bytes())
    end = len(content) - len(b"PAR1" if path.suffix == ".parquet" else b"ARROW1")
    (length,) = struct.unpack("<I", content[end - 4 : end])
    if rng.random() < 0.2:
        content[end - 4 : end] = struct.pack("<I", number(rng) % 2**32)
    else:
        for _ in range(rng.integers(1, 4)):
            content[end - 4 - int(rng.integers(1, min(length, end - 4) + 1))] = rng.integers(256)
    path.write_bytes(content)


def edit_schema(path, rng):
    """Columns of other types, of equal names, with missing values, and metadata of pandas that is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow.feather import write_feather

    table = _arrow_table(path)
    n_rows, first = table.num_rows, table.column_names[0]
    pandas = [
        "",
        "{",
        "[]",
        "null",
        '{"index_columns": 3}',
        '{"index_columns": [["a"], {}, null]}',
        "[" * 9000,
        "\udcff",
    ]
    pandas += [json.dumps({"index_columns": table.column_names})]
    match rng.integers(6):
        case 0:
            table = table.append_column(first, table[0])
        case 1:
            odd = [
                pa.array(["a"] * n_rows),
                pa.array([[1.0]] * n_rows),
                pa.array([None] * n_rows),
                pa.array([{"a": 1}] * n_rows),
            ]
            odd += [pa.array([True, *[None] * (n_rows - 1)]), pa.array([1, *[None] * (n_rows - 1)], pa.uint64())]
            table = table.append_column(
                str(rng.choice(["more", f"{first}.more", "", "a\nb"])), odd[rng.integers(len(odd))]
            )
        case 2:
            table = table.select([])
        case 3:
            table = table.slice(0, 0)
        case _:
            metadata = str(rng.choice(pandas)).encode("utf-8", "surrogateescape")
            table = table.replace_schema_metadata({b"pandas": metadata})
    pq.write_table(table, path) if path.suffix == ".parquet" else write_feather(table, str(path))


def _arrow_table(path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix == ".parquet":
        return pq.read_table(path)
    content = path.read_bytes()
    return (pa.ipc.open_file if content.startswith(b"ARROW1") else pa.ipc.open_stream)(content).read_all()


def edit_description(path, rng):
    """A field of ``zarr.json`` or ``.zarray`` changed or left out."""
    if path.name not in ("zarr.json", ".zarray"):
        path = next(file for file in _files(_root(path)) if file.name in ("zarr.json", ".zarray"))
    document = json.loads(path.read_text())
    codecs = [
        "pickle",
        "json2",
        "msgpack2",
        "vlen-utf8",
        "blosc",
        "zlib",
        "numcodecs.pickle",
        "bytes",
        "no codec",
        "crc32c",
    ]
    values = [None, "", "x", [], {}, True, 1.5, "<f8", "|O", "float32", "int8", "NaN", [0, 0], [-1, 2], "/", "."]
    for _ in range(rng.integers(1, 3)):
        holder, key = _place_in(document, rng)
        match rng.integers(4):
            case 0:
                holder[key] = values[rng.integers(len(values))]
            case 1 if isinstance(holder, dict):
                del holder[key]
            case 2 if key in ("id", "name"):
                holder[key] = str(rng.choice(codecs))
            case _:
                holder[key] = number(rng)
        if not document:
            break
    path.write_text(json.dumps(document) if rng.random() < 0.95 else "[" * 100_000)


def _place_in(document, rng):
    places = [(document, key) for key in document]
    for holder, key in places:
        inner = holder[key]
        if isinstance(inner, dict | list):
            places += [(inner, within) for within in (inner if isinstance(inner, dict) else range(len(inner)))]
    return places[rng.integers(len(places))]


def inside(edit, path, rng):
    """A compressed file, edited and compressed again."""
    path.write_bytes(gzip.decompress(path.read_bytes()))
    edit(path, rng)
    path.write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def _root(path):
    return next(parent for parent in path.parents if parent.suffix == ".zarr")


ARROW_EDITS = {"footer edited": edit_footer, "schema edited": edit_schema}

EDITS = {
    "npy": {"header edited": edit_npy},
    "npz": {"array edited": edit_members, "directory edited": edit_zip_directory},
    "mtx": {"numbers edited": edit_numbers, "banner edited": edit_banner},
    "mtx.gz": {"numbers edited": partial(inside, edit_numbers), "banner edited": partial(inside, edit_banner)},
    "csv": {"text edited": edit_text, "numbers edited": edit_numbers},
    "csv.gz": {"text edited": partial(inside, edit_text), "numbers edited": partial(inside, edit_numbers)},
    "parquet": ARROW_EDITS,
    "feather": ARROW_EDITS,
    "arrow": ARROW_EDITS,
    "vectors": ARROW_EDITS,
    "zarr": {"description edited": edit_description},
    "shards": {},
    "hdf5": {"array edited": edit_hdf5},
    "h5ad": {"array edited": edit_hdf5},
}


def case(seed):
    """The name of a case, and what it does in an empty folder.

    Parameters
    ----------
    seed : int

    Returns
    -------
    name : str
        Such as "npz csr, bits flipped".
    run : callable
        Writes a file to the folder it is given and reads all of it; returns what is silently wrong, or None.
    """
    rng = np.random.default_rng(seed)
    kind = str(rng.choice(GROUPS))
    damages = {**DAMAGES, **EDITS[kind.split(" ")[0]]}
    # as often what all formats have as what one has
    own = [name for name in damages if name not in DAMAGES]
    damage = str(rng.choice(own if own and rng.random() < 0.5 else list(DAMAGES)))

    def run(folder):
        X = rows_of(rng)
        source = MAKERS[kind](folder, X, rng)
        files = _files(source) if source.is_dir() else [source]
        damages[damage](files[rng.integers(len(files))], rng)
        return whats_wrong(source, None if damages[damage] is not nothing else X, rng)

    return f"{kind}, {damage}", run


def _files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def whats_wrong(source, X, rng):
    """What is silently wrong with the table of a source, which should equal X if that is known."""
    table = as_table(source, block_rows=int(rng.integers(1, 50)) if rng.random() < 0.7 else None)
    if table.n_rows > 1000:  # so that small blocks are not too many
        table = as_table(source)
    n_rows, n_cols, dtype = table.n_rows, table.n_cols, table.dtype
    if not (type(n_rows) is type(n_cols) is int and n_rows > 0 and n_cols > 0 and dtype in (np.float32, np.float64)):
        return f"facts {n_rows}, {n_cols}, {dtype}"
    if table.names is not None and len({*table.names}) != n_cols:
        return f"{n_cols} columns with the names {table.names}"
    (odd, count) = table.sum_blocks(lambda block: (int(not _fits(block, n_cols, dtype)), block.shape[0]))
    if odd or count != n_rows:
        return f"{int(odd)} blocks that do not fit; {count} of {n_rows} rows"
    everything = table.rows()
    if everything.shape != (n_rows, n_cols) or everything.dtype != dtype:
        return f"all rows: {everything.shape} and {everything.dtype}, not {(n_rows, n_cols)} and {dtype}"
    chosen = rng.integers(n_rows, size=5)
    if not _are_equal(table.take(chosen), everything[chosen]):
        return f"rows {chosen} by number are not those of a pass"
    if X is not None and not _are_equal(everything, X.astype(dtype)):
        return f"what was written is not what was read: {X.dtype} {X.shape}"
    return None


def _fits(block, n_cols, dtype):
    kind_fits = block.format == "csr" if sparse.issparse(block) else isinstance(block, np.ndarray)
    return kind_fits and block.shape[1] == n_cols and block.dtype == dtype


def _are_equal(A, B):
    if sparse.issparse(A) and sparse.issparse(B):
        pairs = [(A.indptr, B.indptr), (A.indices, B.indices), (A.data, B.data)]
        return A.shape == B.shape and all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)
    A, B = (M.toarray() if sparse.issparse(M) else np.asarray(M) for M in (A, B))
    return np.array_equal(A, B, equal_nan=True)


def is_clear(error):
    """Whether an exception is a proper refusal: of one sentence, which names the file."""
    said = str(error)
    return (
        isinstance(error, ValueError | TypeError | OSError | ImportError)
        and not isinstance(error, UnicodeError)
        and NAME in said
        # a claim that nobody checked, which nobody can of a chunk of Zarr's
        and ("takes more memory than there is" not in said or "Zarr" in said)
        and said.endswith(".")
        and "\n" not in said
        and "Traceback" not in said
        and len(said) < 1000
    )
