"""Files that ended the interpreter, never ended, ran code or said something that nobody understands."""

import base64
import gzip
import json
import os
import pickle
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse

from anchorgraph.table import Target, as_table, identity
from anchorgraph.table import write_rows as write_blocks
from fuzz.files import case, is_clear
from sources import frame_of

ROWS = np.arange(40.0).reshape(20, 2) + 1


# What took the process down: each file is read by a child of a process of its own, with limits


READ_APART = """
import os, resource, signal, sys, warnings
from pathlib import Path
import h5py, numpy, pyarrow.csv, pyarrow.parquet, zarr
from anchorgraph.table import as_table, identity

for path in sorted(Path(sys.argv[1]).iterdir()):
    sys.stdout.flush()
    if (child := os.fork()) == 0:
        resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(20)
        try:
            table = as_table(path)
            table.sum_blocks(lambda block: (block.sum(),))
            table.take(numpy.array([0, table.n_rows - 1]))
            said = f"read {table.rows().shape}"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        print(path.name, said, sep="|", flush=True)
        os._exit(0)
    if (status := os.waitpid(child, 0)[1]):
        print(path.name, f"ended by signal {status}", sep="|")
"""


def npy(path, shape, descr="<f8", header=None, version=1, n_bytes=640):
    text = (header or repr({"descr": descr, "fortran_order": False, "shape": shape})).encode()
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    path.write_bytes(b"\x93NUMPY" + bytes([version, 0]) + length + text + bytes(n_bytes))


def sparse_npz(path, layout="csr", shape=(2, 2), data=(1.0, 2.0), **arrays):
    np.savez(path, format=np.array(layout), shape=np.array(shape), data=np.array(data), **arrays)


def compressed(path, layout="csr", indices=(0, 1), indptr=(0, 1, 2), **others):
    arrays = {"indices": np.array(indices), "indptr": np.array(indptr)}
    sparse_npz(path, layout, **{name: array.astype(np.int32) for name, array in arrays.items()}, **others)


def zip_bomb(path):
    """Eight GiB of zeros as an array in 8 MB: one compressed MiB again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", 118)
    head += repr({"descr": "<f8", "fortran_order": False, "shape": (2**27 - 1, 8)}).encode().ljust(118)
    first = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    again = zlib.compressobj(9, zlib.DEFLATED, -15)
    mib = again.compress(bytes(2**20)) + again.flush(zlib.Z_FULL_FLUSH)
    content = first + mib * 2**13
    size, name = len(head) + (2**27 - 1) * 64, b"X.npy"
    extra = struct.pack("<HHQ", 1, 8, size)
    local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 45, 0, 8, 0, 0, 0, len(content), 2**32 - 1, len(name), len(extra))
    local += name + extra
    entry = struct.pack(
        "<4sHHHHHHIIIHHHHHII",
        b"PK\1\2", 45, 45, 0, 8, 0, 0, 0, len(content), 2**32 - 1, len(name), len(extra), 0, 0, 0, 0, 0,
    )  # fmt: skip
    entry += name + extra
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local) + len(content), 0)
    path.write_bytes(local + content + entry + end)


SPACES = b"%%MatrixMarket matrix array real general\n1 2\n" + b" " * 2**26 + b"1\n2\n"


def mtx(path, text):
    path.write_text(f"%%MatrixMarket matrix {text}\n")


def zarr_array(path, document, chunks=("c/0/0",)):
    for chunk in chunks:
        (path / chunk).parent.mkdir(parents=True, exist_ok=True)
        (path / chunk).write_bytes(bytes(100))
    (path / ("zarr.json" if document["zarr_format"] == 3 else ".zarray")).write_text(json.dumps(document))


def zarr_2(path, shape=(4, 2), chunks=(4, 2), **others):
    given = {"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "<f8", "order": "C"}
    zarr_array(path, {**given, "fill_value": 0, "filters": None, "compressor": None, **others}, ["0.0"])


def zarr_3(path, shape, chunks, codecs=()):
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": "float64",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0,
        "codecs": codecs or [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": {},
    }
    zarr_array(path, document)


def sharded(path):
    inner = [{"name": "bytes", "configuration": {"endian": "little"}}]
    sizes = {"chunk_shape": [1, 1], "codecs": inner, "index_codecs": inner}
    zarr_3(path, [2**20, 8], [2**20, 8], [{"name": "sharding_indexed", "configuration": sizes}])


def many_rows(path):
    """A Parquet file that says it has two billion rows: equal numbers take a few bytes, however many they are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"a": np.zeros(999_983, np.int8)}), path)
    content = path.read_bytes()
    (length,) = struct.unpack("<I", content[-8:-4])
    footer = content[-8 - length : -8].replace(thrift_integer(999_983), thrift_integer(2 * 10**9))
    path.write_bytes(content[: -8 - length] + footer + struct.pack("<I", len(footer)) + b"PAR1")


def thrift_integer(number):
    groups, rest = [], number << 1
    while rest:
        groups.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*groups[:-1], groups[-1] & 127])


def too_large(path):
    """A sound file of 4 GiB, all of it a hole."""
    npy(path, (1, 2**29), n_bytes=0)
    os.truncate(path, path.stat().st_size + 2**32)


def hdf5(path, shape, chunks, stored):
    """A file whose chunks all have the same few bytes, or are not there."""
    import h5py

    with h5py.File(path, "w") as file:
        rows = file.create_dataset("X", shape, "f8", chunks=chunks, compression="gzip")
        for number in np.ndindex(*(-(-n // size) for n, size in zip(shape, chunks, strict=True)) if stored else (0,)):
            rows.id.write_direct_chunk(tuple(i * size for i, size in zip(number, chunks, strict=True)), stored)


def hdf5_csr(path, **arrays):
    import h5py

    held = {"data": [1.0, 2.0], "indices": [0, 1], "indptr": [0, 1, 2], **arrays}
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs.update({"encoding-type": "csr_matrix", "shape": (2, 2)})
        for name, values in held.items():
            group[name] = np.array(values)


HOSTILE = {
    # sparse, three ways of the first kind, and what SciPy's own check lets pass
    "indices.npz": (
        lambda path: compressed(path, indices=(0, 10**9)),
        r"indices: values from 0 to 1000000000 are not all in \[0, 1\]",
    ),
    "negative.npz": (lambda path: compressed(path, indices=(0, -(10**9))), r"are not all in \[0, 1\]"),
    "indptr.npz": (lambda path: compressed(path, indptr=(0, 10**9, 2)), "indptr does not increase from 0 to at most 2"),
    "descending.npz": (lambda path: compressed(path, indptr=(0, -(10**9), 2)), "indptr does not increase"),
    "overflow.npz": (
        lambda path: compressed(path, indptr=(0, 2**31 - 1, -2, 2), shape=(3, 2)),
        "indptr does not increase",
    ),
    "last_is_0.npz": (
        lambda path: compressed(path, indices=(), data=(), indptr=(0, 10**9, 0)),
        "indptr does not increase from 0 to at most 0",
    ),
    "csc.npz": (lambda path: compressed(path, "csc", indices=(0, 10**9)), "indices: values from 0 to 1000000000"),
    "bsr.npz": (
        lambda path: compressed(path, "bsr", data=np.ones((2, 1, 1)), indices=(0, 10**9)),
        "indices: values from 0 to 1000000000",
    ),
    "bsr_blocks.npz": (
        lambda path: compressed(path, "bsr", data=np.ones((2, 3, 2)), indices=(0, 0), shape=(7, 2)),
        r"blocks of shape \(3, 2\) do not fill shape \(7, 2\)",
    ),
    "coo.npz": (
        lambda path: sparse_npz(path, "coo", row=np.array([0, 2**40]), col=np.array([0, 1])),
        "row: values from 0 to 1099511627776 are not all",
    ),
    "dia.npz": (
        lambda path: sparse_npz(path, "dia", data=np.ones((1, 2)), offsets=np.array([-(2**62)])),
        "offsets: values from -4611686018427387904",
    ),
    "rows.npz": (
        lambda path: compressed(path, "csc", indptr=(0, 1, 2), shape=(2**40, 2)),
        "hold 1,099,511,627,776 rows in 16 bytes",
    ),
    "columns.npz": (lambda path: compressed(path, shape=(2, 2**40)), "store between 1 and 2,147,483,647 columns"),
    "format.npz": (lambda path: sparse_npz(path, "lil"), "a sparse matrix of format 'lil'; save one of csr, csc"),
    "float_indices.npz": (
        lambda path: sparse_npz(path, indices=np.array([0.0, 1.0]), indptr=np.array([0, 1, 2])),
        "indices have dtype float64, not integers",
    ),
    "unsigned.npz": (
        lambda path: sparse_npz(path, indices=np.array([0, 2**63], np.uint64), indptr=np.array([0, 1, 2])),
        "index 9223372036854775808 is out of range",
    ),
    "lengths.npz": (
        lambda path: compressed(path, indices=(0, 1, 1)),
        r"indices \(3,\) and indptr \(3,\) do not fit data \(2,\) of \(2, 2\)",
    ),
    "coo_lengths.npz": (
        lambda path: sparse_npz(path, "coo", row=np.array([0]), col=np.array([0, 1])),
        r"row \(1,\) and col \(2,\) do not fit data \(2,\)",
    ),
    "dia_twice.npz": (
        lambda path: sparse_npz(path, "dia", data=np.ones((2, 2)), offsets=np.array([1, 1])),
        r"offsets \(2,\) do not fit data \(2, 2\)",
    ),
    "no_arrays.npz": (lambda path: np.savez(path), "contains no arrays; save one with numpy.savez"),
    "shape.npz": (lambda path: compressed(path, shape=np.arange(5000)), r"its array 'shape' has shape \(5000,\)"),
    # sizes that overflow, are negative, or are simply not there
    "overflow.npy": (
        lambda path: npy(path, (2**62, 8)),
        r"has \d+ bytes, but its header requires at least 2951479051793528\d+:",
    ),
    "huge.npy": (lambda path: npy(path, (10**15, 10**6)), r"requires at least 80000000000000000000\d\d:"),
    "beyond.npy": (lambda path: npy(path, (10**30, 2)), ": the file is incomplete; write it again"),
    "negative.npy": (lambda path: npy(path, (-(2**63), 8)), "has a negative length"),
    "no_columns.npy": (lambda path: npy(path, (4, 0)), r"has 4 rows of 0 columns; store between 1 and"),
    "no_rows.npy": (lambda path: npy(path, (0, 4)), "has no rows; store at least one"),
    "no_rows_wide.npy": (lambda path: npy(path, (0, 2**70)), "store between 1 and 2,147,483,647 columns"),
    "minus.npy": (lambda path: npy(path, (), header="-" * 9000 + "1"), "is not a valid .npy file"),
    "open.npy": (lambda path: npy(path, (), header="{'descr': ("), "is not a valid .npy file"),
    "version.npy": (lambda path: npy(path, (4, 2), version=9), "version 9.0 of the NumPy format does not exist"),
    "objects.npy": (lambda path: npy(path, (4, 2), "|O"), "holds Python objects, not numbers"),
    "memory.npy": (too_large, r"has 4,294,967,296 bytes, and reading them takes more memory than there is"),
    "bomb.npz": (
        zip_bomb,
        r"hold 8,589,934,\d+ bytes of numbers in 8,\d+,\d+ bytes; .*100 times .*, with numpy\.savez or as",
    ),
    "blocks.npz": (
        lambda path: compressed(path, "bsr", (), (0, 0), data=np.zeros((0, 2**22, 1)), shape=(2**22, 1)),
        "hold 4,194,304 rows in 0 bytes",
    ),
    "no_columns.npz": (lambda path: np.savez(path, X=np.ones((4, 0))), "has 4 rows of 0 columns"),
    "longer.npz": (lambda path: longer_member(path), "bytes for the array 'X', which takes"),
    "nul.mtx": (
        lambda path: mtx(path, "array real general\n1 2\n1\n2\0"),
        "it contains null bytes, which text files do not have",
    ),
    "huge.mtx": (lambda path: mtx(path, "coordinate real general\n9999999999999 2 1\n1 1 1"), "hold 9,999,999,999,999"),
    "wide.mtx": (lambda path: mtx(path, "coordinate real general\n2 9999999999999 1\n1 1 1"), "store between 1 and"),
    "entries.mtx": (
        lambda path: mtx(path, "coordinate real general\n2 2 99999999999\n1 1 1"),
        "requires at least 399999999996:",
    ),
    "array.mtx": (lambda path: mtx(path, "array real general\n999999999 999999999\n1"), "the file is incomplete"),
    "symmetric.mtx": (lambda path: mtx(path, "array real symmetric\n999999999 999999999\n1"), "the file is incomplete"),
    "not_square.mtx": (
        lambda path: mtx(path, "array real symmetric\n1 200000000\n1"),
        "1 row and 200,000,000 columns cannot be symmetric",
    ),
    "no_rows.mtx": (lambda path: mtx(path, "array real general\n0 3"), "has no rows; store at least one"),  # SIGFPE
    "skew.mtx": (  # SciPy would write beyond its array
        lambda path: mtx(path, "array real skew-symmetric\n1 1\n" + "1\n" * 5000 + "1"),
        "a skew-symmetric matrix of one row holds nothing",
    ),
    "no_rows.mtx.gz": (
        lambda path: path.write_bytes(gzip.compress(b"%%MatrixMarket matrix array integer general\n0 3\n1\n")),
        "has no rows; store at least one",
    ),
    "comment.mtx": (
        lambda path: mtx(path, f"array real general\n%{'x' * 2**21}\n1 2\n1\n2"),
        "does not give its size within the first 1,048,576 bytes; remove comments before it",
    ),
    "size.mtx": (
        lambda path: mtx(path, f"array real general\n1 {' ' * 2**21}2\n1\n2"),
        "does not give its size within",
    ),
    "spaces.mtx.gz": (
        lambda path: path.write_bytes(gzip.compress(SPACES, 1)),
        "above 67,108,864 bytes, at most 100 times the stored size is accepted; store it uncompressed, as .mtx",
    ),
    "no_columns.mtx": (lambda path: mtx(path, "coordinate real general\n4 0 0"), "has 4 rows of 0 columns"),
    "grid_3.zarr": (lambda path: zarr_3(path, [2**50, 8], [1, 1]), "has 1 of 9,007,199,254,740,992 chunks"),
    "grid_2.zarr": (lambda path: zarr_2(path, [2**50, 8], [1, 1]), "has 1 of 9,007,199,254,740,992 chunks"),
    "chunk_3.zarr": (
        lambda path: zarr_3(path, [2**40, 8], [2**40, 8]),
        "hold 70,368,744,177,664 bytes of numbers in 100 bytes",
    ),
    "chunk_2.zarr": (
        lambda path: zarr_2(path, [2**40, 8], [2**40, 8]),
        "hold 70,368,744,177,664 bytes of numbers in 100 bytes",
    ),
    "no_columns.zarr": (lambda path: zarr_2(path, [4, 0], [4, 1]), "has 4 rows of 0 columns"),
    "no_chunks.zarr": (lambda path: zarr_2(path, chunks=[0, 0]), "(has chunks of shape|is not a Zarr array)"),
    "fill_value.zarr": (lambda path: zarr_2(path, fill_value=[0, 0]), r"has the fill value \[0, 0\], which is not a"),
    "shards_3.zarr": (sharded, "hold shards of 8,388,608 chunks in 100 bytes"),
    "rows.parquet": (many_rows, r"hold 16,000,000,000 bytes of numbers.*write it with smaller row groups"),
    "bomb.h5": (
        lambda path: hdf5(path, (2**15, 2**15), (2**14, 2**13), zlib.compress(b"")),
        r"bomb\.h5/X claims to hold 8,589,934,592 bytes of numbers in 64 bytes",
    ),
    "wide_chunk.h5": (
        lambda path: hdf5(path, (2**14, 2**15 - 1), (2**14, 2**14), zlib.compress(b"")),
        r"claims to hold 4,294,967,296 bytes of numbers in 16 bytes",
    ),
    "missing.h5": (
        lambda path: hdf5(path, (2**50, 8), (1024, 8), b""),
        r"missing\.h5/X has 0 of 1,099,511,627,776 chunks: it is incomplete",
    ),
    "indices.h5ad": (
        lambda path: hdf5_csr(path, indices=[0, 10**9]),
        r"array 'X' \(row 1 has the column index 1000000000, not in \[0, 1\]\); write it again",
    ),
    "indptr.h5ad": (
        lambda path: hdf5_csr(path, indptr=[0, 10**9, 2]),
        "array 'X' .indptr does not increase from 0 to at most 2; it descends at row 1",
    ),
    "overflow.h5ad": (
        lambda path: hdf5_csr(path, indptr=np.array([0, 2**64 - 1, 2], "u8")),
        "indptr does not increase from 0 to at most 2",
    ),
    "wide.csv": (
        lambda path: path.write_bytes(b"," * 10**6 + b"\n"),
        "has at least 1,000,001 columns; CSV files may have at most 131,072",
    ),
}


SOUND = {
    "comments.mtx": (lambda path: mtx(path, "array real general\n" + "%\n" * 2**18 + "1 2\n1\n2"), (1, 2)),
    # SciPy reads on into the memory where the last line has no end
    "space.mtx": (lambda path: path.write_text("%%MatrixMarket matrix array real general\n1 2\n1\n2 "), (1, 2)),
    "more.mtx": (lambda path: path.write_text("%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 1\r"), (1, 2)),
}


def longer_member(path):
    np.savez(path, X=ROWS)
    with zipfile.ZipFile(path) as archive:
        content = archive.read("X.npy")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X.npy", content + bytes(8))


@pytest.fixture(scope="module")
def said_of(tmp_path_factory):
    if sys.platform != "linux":
        pytest.skip("files are read in forked processes with Linux's limits of memory")
    folder = tmp_path_factory.mktemp("hostile")
    for name, (write, _) in (HOSTILE | SOUND).items():
        write(folder / name)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READ_APART, folder], capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split("|", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_file_is_read(name, said_of):
    assert said_of[name] == f"read {SOUND[name][1]}"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_a_sentence(name, said_of):
    if name.endswith("_3.zarr"):
        pytest.importorskip("zarr", "3")
    said = said_of[name]
    assert said.startswith(("InvalidFileError: ", "ValueError: "))
    assert name in said
    assert said.endswith(".")
    assert re.search(HOSTILE[name][1], said)


# Code in files


class Exploit:
    """What a pickle of this runs is its author's choice: here, a folder is made."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (str(self.marker),)


@pytest.fixture
def exploit(tmp_path, monkeypatch):
    """A pickle that makes a folder, which is seen to do so with the codec of numcodecs."""
    numcodecs = pytest.importorskip("numcodecs")
    monkeypatch.setattr(
        "numcodecs.pickles.ALLOW_UNSAFE_PICKLE_DECODE", True, raising=False
    )  # of late, it must be asked
    content = pickle.dumps(Exploit(tmp_path / "marker"))
    numcodecs.get_codec({"id": "pickle"}).decode(content)
    (tmp_path / "marker").rmdir()
    return content


@pytest.mark.parametrize("place", ["filters", "compressor"])
def test_a_zarr_array_runs_no_code_of_its_author(place, exploit, tmp_path):
    path = tmp_path / "rows.zarr"
    zarr_2(path, **{place: [{"id": "pickle"}] if place == "filters" else {"id": "pickle"}})
    (path / "0.0").write_bytes(exploit)
    with pytest.raises(ValueError, match=r"rows\.zarr") as caught:
        as_table(path).rows()
    assert not (tmp_path / "marker").exists()
    caught.match(r"rows\.zarr is stored with the codec 'pickle', .* could run code")


@pytest.mark.parametrize("place", ["filters", "compressors"])
def test_codecs_of_open_arrays_are_looked_at(place, tmp_path):
    zarr, numcodecs = pytest.importorskip("zarr", "3"), pytest.importorskip("numcodecs")
    codecs = {place: [numcodecs.Base64()]} if place == "filters" else {place: numcodecs.Base64()}
    array = zarr.create_array(tmp_path / "rows.zarr", shape=(4, 2), chunks=(4, 2), dtype="f8", zarr_format=2, **codecs)
    with pytest.raises(ValueError, match=r"rows\.zarr is stored with the codec 'base64'"):
        as_table(array)


def test_a_zarr_array_runs_no_code_when_it_is_opened(exploit, tmp_path):
    """Zarr 2 decodes the fill value of objects at once."""
    path, fill_value = tmp_path / "rows.zarr", base64.standard_b64encode(exploit).decode()
    zarr_2(path, dtype=[["a", "|O"]], filters=[{"id": "pickle"}], fill_value=fill_value)
    with pytest.raises(ValueError, match=r"rows\.zarr") as caught:
        as_table(path)
    assert not (tmp_path / "marker").exists()
    caught.match("is stored with the codec 'pickle'")


@pytest.mark.parametrize(
    "codecs",
    [
        [{"name": "numcodecs.pickle"}],
        [{"id": "zstd", "name": "strange"}],
        ["strange"],
        [{"name": "sharding_indexed", "configuration": {"codecs": [{"name": "bytes"}, {"name": "strange"}]}}],
    ],
)
def test_codecs_within_codecs_are_looked_at(codecs, tmp_path):
    zarr_3(tmp_path / "rows.zarr", [4, 2], [4, 2], codecs)
    with pytest.raises(ValueError, match=r"codec '(numcodecs\.pickle|strange)'"):
        as_table(tmp_path / "rows.zarr")


@pytest.mark.parametrize("name", ["rows.npy", "rows.npz"])
def test_objects_are_not_unpickled(name, tmp_path):
    marker = tmp_path / "marker"
    held = np.array([[Exploit(marker)]], dtype=object)
    (np.save if name == "rows.npy" else np.savez)(tmp_path / name, held)
    with pytest.raises(ValueError, match="holds Python objects, not numbers"):
        as_table(tmp_path / name)
    assert not marker.exists()


# Files that are sound, but seldom


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("dtype", ["f4", "i1", "?"])
def test_sparse_layouts_are_read(layout, dtype, tmp_path):
    X = (ROWS * (ROWS % 3 > 0)).astype(dtype)
    sparse.save_npz(tmp_path / "rows.npz", sparse.csr_array(X).asformat(layout))
    np.testing.assert_array_equal(as_table(tmp_path / "rows.npz").rows().toarray(), X)


def test_sparse_rows_of_other_machines_are_read(tmp_path):
    held = sparse.csr_array(ROWS)
    arrays = {"indices": held.indices.astype(">u8"), "indptr": held.indptr.astype("u2")}
    for number, dtype in enumerate(["f2", ">f8"]):
        sparse_npz(tmp_path / f"{number}.npz", "csr", ROWS.shape, held.data.astype(dtype), **arrays)
    sparse_npz(tmp_path / "2.npz", "coo", ROWS.shape, held.data, coords=np.array(held.tocoo().coords))
    np.testing.assert_array_equal(as_table(tmp_path).rows().toarray(), np.vstack([ROWS] * 3))


@pytest.mark.parametrize("separator", [".", "/"])
@pytest.mark.parametrize("zarr_format", [2, 3])
def test_chunks_are_found_by_the_names_that_they_have(zarr_format, separator, tmp_path):
    zarr = pytest.importorskip("zarr", "3")
    encoding = {"name": "v2" if zarr_format == 2 else "default", "separator": separator}
    array = zarr.create_array(
        tmp_path / "rows.zarr",
        shape=ROWS.shape,
        chunks=(7, 1),
        dtype="f8",
        zarr_format=zarr_format,
        chunk_key_encoding=encoding,
    )
    array[:] = ROWS
    np.testing.assert_array_equal(as_table(tmp_path / "rows.zarr").rows(), ROWS)
    document = tmp_path / "rows.zarr" / (".zarray" if zarr_format == 2 else "zarr.json")
    text = document.read_text()
    other = {".": "/", "/": "."}[separator]
    document.write_text(text.replace(f'"{separator}"', f'"{other}"'))  # else, zeros would be read
    with pytest.raises(ValueError, match="has 0 of 6 chunks"):
        as_table(tmp_path / "rows.zarr")


def test_shards_of_zarr_are_read(tmp_path):
    zarr = pytest.importorskip("zarr", "3")
    array = zarr.create_array(tmp_path / "rows.zarr", shape=ROWS.shape, chunks=(5, 1), shards=(10, 2), dtype="f8")
    array[:] = ROWS
    np.testing.assert_array_equal(as_table(tmp_path / "rows.zarr").rows(), ROWS)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_missing_booleans_are_nan(suffix, tmp_path):
    frame = pd.DataFrame({"a": pd.array([True, None, False], dtype="boolean"), "b": [1.0, 2.0, 3.0]})
    path = tmp_path / f"rows.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    np.testing.assert_array_equal(as_table(path).rows(), [[1, 1], [np.nan, 2], [0, 3]])


# Files with names


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n3,4\n5", r"ends in the middle of line 4 and was probably cut off"),
        ('a,b\n1,2\n3,"4', r"ends in the middle of line 3 and was probably cut off"),
        ('a,b\n1,"2\n3,4\n5,6\n', r"ends in the middle of line 5 and was probably cut off"),
        ('a,"b\n1,2\n', r"ends in the middle of line 3"),
        ("a,b\n1,2\n3\n4,5\n", "has 1 value, but the file has 2 columns; correct it"),
        ("a,b,a\n1,2,3\n", "has two columns named 'a'; rename one of them"),
        ("", "is not a valid CSV file"),
        ("\n\n", "is not a valid CSV file"),
        ("a,b\n", "has no rows; store at least one"),
        ("a,b", "is not a valid CSV file"),
        (b"\xff\xfe\x00a,\x80\n1,2\n", "is not text in the encoding 'utf-8'; pass the right one"),
        (b"\x80" * 200_000 + b"\n1,2,3", "is not text in the encoding 'utf-8'"),
    ],
)
def test_csv_that_is_broken_or_cut_off(content, message, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ValueError, match=rf"rows\.csv.* {message}" if message[0] != "i" else message) as caught:
        as_table(path)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_quotes_within_words_are_no_open_quotes(tmp_path):
    (tmp_path / "rows.csv").write_text('id,a\n7" pipe,1\n"x ""y""",2\n')
    np.testing.assert_array_equal(as_table(tmp_path, columns=["a"]).rows(), [[1], [2]])


def test_an_empty_csv_shard_is_passed_over(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n")
    (tmp_path / "b.csv").write_text("a,b\n1,2\n")
    np.testing.assert_array_equal(as_table(tmp_path).rows(), [[1, 2]])


@pytest.mark.parametrize("pandas", [b"", b"{", b"[]", b"null", b'{"index_columns": 3}', b"[" * 100_000, b"\xff"])
def test_broken_metadata_of_pandas(pandas, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"a": [1.0]}).replace_schema_metadata({b"pandas": pandas}), tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match=r"rows\.parquet is not a valid Parquet file \(.+\); write it again\.$"):
        as_table(tmp_path / "rows.parquet")


def test_parquet_with_equal_names_and_without_columns(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table([pa.array([1.0]), pa.array([2.0])], names=["a", "a"]), tmp_path / "twice.parquet")
    with pytest.raises(ValueError, match=r"twice\.parquet has two columns named 'a'; rename one of them\.$"):
        as_table(tmp_path / "twice.parquet")
    pq.write_table(pa.table({"a": [1.0]}), tmp_path / "one.parquet")
    with pytest.raises(ValueError, match=r"one\.parquet has no columns to read; store or choose at least one\.$"):
        as_table(tmp_path / "one.parquet", without="a")


def test_a_broken_parquet_footer_is_told_on_one_line(tmp_path):
    """Thrift ends what it says with a line of its own."""
    path = tmp_path / "rows.parquet"
    frame_of(ROWS).to_parquet(path)
    content = bytearray(path.read_bytes())
    content[-60:-8] = b"\xff" * 52
    path.write_bytes(content)
    with pytest.raises(
        ValueError, match=r"rows\.parquet is not a valid Parquet file \(.+\); write it again\.$"
    ) as caught:
        as_table(path)
    assert "\n" not in str(caught.value)


def test_a_file_that_changes_while_it_is_read_is_noticed(tmp_path):
    path = tmp_path / "rows.parquet"
    frame_of(ROWS).to_parquet(path)
    table = as_table(path)
    np.savez(tmp_path / "rows.npz", X=ROWS)
    other = as_table(tmp_path / "rows.npz")
    np.savez(tmp_path / "rows.npz", X=ROWS[:-1])
    with pytest.raises(ValueError, match=r"rows\.npz should have shape \(20, 2\) .*, but has \(19, 2\)"):
        other.rows()
    path.unlink()
    with pytest.raises(FileNotFoundError, match=r"rows\.parquet cannot be read \(No such file or directory\)\.$"):
        table.rows()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_pipes_are_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "rows.npy")
    with pytest.raises(ValueError, match=r"rows\.npy is a device or a pipe; pass the path of a regular file"):
        as_table(tmp_path / "rows.npy")
    with pytest.raises(ValueError, match=r"rows\.npy is not a regular file; remove it from the folder"):
        as_table(tmp_path)


# Full disks: every write to /dev/full fails as on a disk without space

full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.fixture
def known_names(monkeypatch):
    """Names of unfinished files that can be guessed."""
    monkeypatch.setattr("anchorgraph.table.target.token_hex", lambda n: "0")


def unfinished(path):
    return path.with_name(f".{path.name}.0.unfinished")


@full
@pytest.mark.parametrize("name", ["rows.npy", "rows.parquet", "rows.csv"])
def test_a_full_disk_is_named_with_the_bytes(name, tmp_path, known_names):
    target = tmp_path / name
    unfinished(target).symlink_to("/dev/full")
    message = rf"{name}: no space left on the disk after 0 bytes of about 320; free some space or write elsewhere\.$"
    with pytest.raises(OSError, match=message):
        as_table(ROWS, block_rows=5).write_rows(identity, Target(target), ["a", "b"])
    assert list(tmp_path.iterdir()) == []


@full
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # zipfile tries again to close itself
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_disk_that_fills_with_shards(kind, tmp_path, known_names):
    target = tmp_path / "shards"

    def blocks():
        yield kind(ROWS)
        suffix = "npy" if kind is np.asarray else "npz"
        (unfinished(target) / f"part-000001.{suffix}").symlink_to("/dev/full")
        yield kind(ROWS)

    with pytest.raises(
        OSError, match=r"shards: no space left on the disk after [\d,]{3,} bytes of about \d+; free some"
    ):
        write_blocks(blocks(), 40, target, ["a", "b"])
    assert list(tmp_path.iterdir()) == []


@full
def test_a_full_temporary_folder_is_named(tmp_path, monkeypatch):
    np.save(tmp_path / "rows.npy", ROWS)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))

    def fill_the_disk(block):
        for folder in (tmp_path / "temporary").iterdir():
            (folder / "part-000003.npy").symlink_to("/dev/full")
        return block

    message = r"temporary/anchorgraph-\w+: no space left on the disk after \d+ bytes of about 320; .* set TMPDIR"
    table = as_table(tmp_path / "rows.npy", block_rows=5)
    with sklearn.config_context(working_memory=1e-4), pytest.raises(OSError, match=message):
        table.keep(lambda block: fill_the_disk(block) if np.array_equal(block, ROWS[10:15]) else block)
    assert list((tmp_path / "temporary").iterdir()) == []


# The fuzzer


def outcome(seed, folder):
    folder.mkdir()
    name, run = case(seed)
    try:
        said = run(folder)
    except (ValueError, OSError) as error:
        said = str(error).replace(str(folder), "")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return name, said, [path.read_bytes() for path in files]


@pytest.mark.parametrize("seed", range(3, 9))
def test_a_seed_is_always_the_same_case(seed, tmp_path):
    pytest.importorskip("zarr", "3")
    assert outcome(seed, tmp_path / "once") == outcome(seed, tmp_path / "again")


def test_what_a_clear_refusal_is():
    assert is_clear(ValueError("/folder/fuzzed.npy has no rows; store at least one."))
    for unclear in (
        ValueError("has no rows."),
        ValueError("fuzzed.npy has\nno rows."),
        ValueError("fuzzed.npy"),
        KeyError("fuzzed.npy has no rows."),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "fuzzed."),
    ):
        assert not is_clear(unclear)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes and devices")
@pytest.mark.parametrize("make", [lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/null")])
def test_pipes_and_devices_are_not_replaced(make, tmp_path):
    make(tmp_path / "rows.npy")
    with pytest.raises(ValueError, match="is not a regular file and cannot be replaced; choose another path"):
        as_table(ROWS).write_rows(identity, tmp_path / "rows.npy", ["a", "b"])
    assert [path.name for path in tmp_path.iterdir()] == ["rows.npy"]


def test_diagonals_are_read_as_scipy_reads_them(tmp_path):
    rows = sparse.dia_array((np.arange(1.0, 21).reshape(4, 5), [-3, 0, 1, 4]), shape=(6, 5))
    sparse.save_npz(tmp_path / "rows.npz", rows)
    np.testing.assert_array_equal(as_table(tmp_path / "rows.npz").rows().toarray(), rows.toarray())
