"""HDF5 files and AnnData's: which array is read, how much of it at once, and files that are refused."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from anchorgraph import ULGE
from anchorgraph.table import as_table
from sources import write_csr

h5py = pytest.importorskip("h5py", reason="HDF5 files are read with h5py")

ROWS = np.arange(1.0, 61).reshape(20, 3) * (np.arange(60).reshape(20, 3) % 4 > 0)
CSR = sparse.csr_array(ROWS)
REAL = Path(__file__).with_name("anndata.h5ad")
"""Written by anndata: X is ROWS in CSR format, and obsm/X_pca its first two columns."""


def dense(block):
    return block.toarray() if sparse.issparse(block) else block


def rows_at(path):
    return dense(as_table(path).rows())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rows.h5"


@pytest.fixture
def small_parts(monkeypatch):
    for module in ("hdf5_dataset", "hdf5_csr"):
        monkeypatch.setattr(f"anchorgraph.table.{module}.PART_BYTES", 200)


# Which array


def test_a_path_goes_on_inside_the_file(path):
    with h5py.File(path, "w") as file:
        file["group/rows"], file["rows"], file["group/link"] = ROWS, ROWS + 1, h5py.SoftLink("/group/./rows")
        file["same"] = h5py.SoftLink("group")
    np.testing.assert_array_equal(rows_at(path / "group" / "rows"), ROWS)
    np.testing.assert_array_equal(rows_at(f"{path}/same/link"), ROWS)


@pytest.mark.parametrize("suffix", [".h5", ".hdf5"])
def test_the_only_array_needs_no_name(suffix, path):
    with h5py.File(path.with_suffix(suffix), "w") as file:
        file["group/rows"], file["labels"], file["cube"] = ROWS, np.arange(20), np.zeros((2, 2, 2))
    np.testing.assert_array_equal(rows_at(path.with_suffix(suffix)), ROWS)


def test_the_only_sparse_group_needs_no_name(path):
    with h5py.File(path, "w") as file:
        write_csr(file, "deep/matrix", CSR)
    np.testing.assert_array_equal(rows_at(path), ROWS)


def test_several_arrays_are_listed(path):
    with h5py.File(path, "w") as file:
        file["group/rows"], file["more"] = ROWS, ROWS
        write_csr(file, "sparse", CSR)
    message = (
        r"rows\.h5 has 3 two-dimensional arrays, not one; its arrays are 'group/rows', 'more', 'sparse': pass one of "
        r"them in the path, as in 'rows\.h5/group/rows'\.$"
    )
    with pytest.raises(ValueError, match=message):
        as_table(path)


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ("", r"rows\.h5 has 0 two-dimensional arrays, not one; store a two-dimensional array in it\.$"),
        ("no/rows", r"rows\.h5 has no array 'no/rows'; store a two-dimensional array in it\.$"),
        ("line/more", r"rows\.h5 has no array 'line/more'"),
        ("group", r"rows\.h5/group is not an array"),
        ("line", r"rows\.h5/line has shape \(20,\) and dtype float64; store two-dimensional real numbers\.$"),
        ("text", r"rows\.h5/text has shape \(\) and dtype object; store two-dimensional real numbers\.$"),
    ],
)
def test_what_is_no_table_is_refused(inside, message, path):
    with h5py.File(path, "w") as file:
        file["line"], file["text"] = np.arange(20.0), "words"
        file.create_group("group")
    with pytest.raises(ValueError, match=message):
        as_table(path / inside)


def test_a_missing_file_is_named_with_the_array(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cells\.h5ad/X does not exist"):
        as_table(tmp_path / "cells.h5ad" / "X")


def test_several_files_follow_each_other(tmp_path):
    for name, rows in (("a", ROWS), ("b", ROWS + 1)):
        with h5py.File(tmp_path / f"{name}.h5", "w") as file:
            file["rows"] = rows
    np.testing.assert_array_equal(rows_at(tmp_path), np.vstack([ROWS, ROWS + 1]))
    chosen = [tmp_path / "b.h5" / "rows", tmp_path / "a.h5"]
    np.testing.assert_array_equal(as_table(chosen).rows(), np.vstack([ROWS + 1, ROWS]))


def test_h5py_is_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match=rf'^Reading {REAL} requires h5py: pip install "anchorgraph\[io\]"\.$'):
        as_table(REAL)


# AnnData


def test_a_file_of_anndata():
    table = as_table(REAL)
    assert table.is_sparse
    np.testing.assert_array_equal(table.rows().toarray(), ROWS)
    np.testing.assert_array_equal(rows_at(REAL / "obsm" / "X_pca"), ROWS[:, :2])
    assert as_table(REAL / "obsm" / "X_pca").description == f"anndata.h5ad/obsm/X_pca: {len(ROWS)} rows, 2 columns"
    with pytest.raises(ValueError, match=r"its arrays are 'X', 'obsm/X_pca': pass one of them"):
        as_table(REAL / "layers" / "counts")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [sparse.csr_matrix, np.asarray])
def test_what_anndata_writes_now(kind, tmp_path):
    anndata = pytest.importorskip("anndata", reason="not a requirement of the tests, because it limits pandas")
    cells = anndata.AnnData(kind(ROWS), obsm={"X_pca": ROWS[:, :2]})
    cells.write_h5ad(tmp_path / "cells.h5ad", compression="gzip")
    np.testing.assert_array_equal(rows_at(tmp_path / "cells.h5ad"), ROWS)
    np.testing.assert_array_equal(rows_at(tmp_path / "cells.h5ad" / "obsm" / "X_pca"), ROWS[:, :2])


def test_the_former_encoding_is_read(path):
    with h5py.File(path, "w") as file:
        group = write_csr(file, "X", CSR)
        group.attrs.clear()
        group.attrs["h5sparse_format"], group.attrs["h5sparse_shape"] = np.bytes_("csr"), CSR.shape
    np.testing.assert_array_equal(rows_at(path), ROWS)


def test_columns_are_not_rows(path):
    with h5py.File(path, "w") as file:
        write_csr(file, "X", sparse.csc_array(ROWS)).attrs["encoding-type"] = "csc_matrix"
    told = (
        r"rows\.h5/X is a sparse matrix in CSC format, .*adata\.to_memory\(\), set adata\.X = adata\.X\.tocsr\(\) and"
    )
    with pytest.raises(ValueError, match=told):
        as_table(path)


# How rows are stored, and how many are read


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"chunks": (7, 2)},
        {"chunks": (7, 2), "compression": "gzip", "shuffle": True, "fletcher32": True},
        {"chunks": (20, 1), "compression": "lzf"},
        {"chunks": (30, 5), "maxshape": (None, None)},
    ],
)
@pytest.mark.parametrize("block_rows", [1, 6, None])
def test_chunks_and_blocks_change_nothing(options, block_rows, path, small_parts):
    with h5py.File(path, "w") as file:
        file.create_dataset("rows", data=ROWS, **options)
    table = as_table(path, block_rows=block_rows)
    np.testing.assert_array_equal(table.rows(), ROWS)
    np.testing.assert_array_equal(table.take(np.array([19, 0, 7, 7])), ROWS[[19, 0, 7, 7]])


@pytest.mark.parametrize("block_rows", [1, 6, None])
@pytest.mark.parametrize("dtype", ["f2", "f4", ">f8", "i1", "?"])
def test_sparse_rows_and_blocks(dtype, block_rows, path, small_parts):
    rows = np.where(np.arange(20)[:, None] // 4 == 1, 0, ROWS)  # some of them empty
    held = sparse.csr_array(rows.astype(np.float32 if dtype == "f2" else np.dtype(dtype).newbyteorder("=")))
    with h5py.File(path, "w") as file:
        group = write_csr(file, "X", held)
        del group["data"]
        group["data"] = held.data.astype(dtype)
    table = as_table(path, block_rows=block_rows)
    assert table.dtype == as_table(held).dtype
    np.testing.assert_array_equal(table.rows().toarray(), held.toarray())
    np.testing.assert_array_equal(table.take(np.array([19, 6, 0])).toarray(), held.toarray()[[19, 6, 0]])


@pytest.mark.parametrize("layout", ["csr", "dense"])
def test_a_pass_reads_everything_once_and_never_much_at_once(layout, path, monkeypatch):
    """Of 4 MB, at most 64 KiB are read at a time (``indptr``, one number for each row, is read as a whole)."""
    X = np.random.default_rng(0).random((8000, 64))
    with h5py.File(path, "w") as file:
        if layout == "csr":
            write_csr(file, "X", sparse.csr_array(X), chunks=(500,))
        else:
            file.create_dataset("X", data=X, chunks=(50, 8))
    for module in ("hdf5_dataset", "hdf5_csr"):
        monkeypatch.setattr(f"anchorgraph.table.{module}.PART_BYTES", 2**16)
    sizes, get = [], h5py.Dataset.__getitem__

    def counted(dataset, *args, **options):
        found = get(dataset, *args, **options)
        sizes.append((dataset.name, found.nbytes))
        return found

    monkeypatch.setattr(h5py.Dataset, "__getitem__", counted)
    table = as_table(path)
    assert sum(size for _, size in sizes) <= 8 * 8001
    (total,) = table.sum_blocks(lambda block: (block.sum(),))
    np.testing.assert_allclose(total, X.sum())
    of_rows = [size for name, size in sizes if not name.endswith("indptr")]
    assert max(of_rows) <= 2**16
    assert sum(of_rows) == X.nbytes * (1.5 if layout == "csr" else 1)


@pytest.mark.parametrize("layout", ["csr", "dense"])
def test_rows_with_nan_are_numbered_as_in_the_file(layout, path, small_parts):
    model = ULGE(1, n_anchors=4, n_neighbors=2, random_state=0).fit(ROWS)
    X = ROWS.copy()
    X[17, 1] = np.nan
    with h5py.File(path, "w") as file:
        write_csr(file, "X", sparse.csr_array(X)) if layout == "csr" else file.create_dataset("X", data=X)
    with pytest.raises(ValueError, match=r"row 17 of .*rows\.h5/X"):
        model.transform(path)


# Hostile files


def sparse_file(path, **arrays):
    with h5py.File(path, "w") as file:
        group = write_csr(file, "X", CSR)
        for name, values in arrays.items():
            if name == "shape":
                group.attrs[name] = values
            else:
                del group[name]
                group[name] = values


def changed(array, at, value):
    array = array.copy()
    array[at] = value
    return array


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"indices": changed(CSR.indices, CSR.indptr[9], 3)}, r"row 9 has the column index 3, not in \[0, 2\]"),
        ({"indices": changed(CSR.indices, CSR.indptr[9], -1)}, r"row 9 has the column index -1, not in \[0, 2\]"),
        ({"indptr": changed(CSR.indptr, 9, 44)}, "indptr does not increase from 0 to at most 45; it descends at row 9"),
        ({"indptr": changed(CSR.indptr, 0, 1)}, "indptr does not increase from 0"),
        ({"indptr": changed(CSR.indptr, -1, 10**6)}, "indptr does not increase from 0 to at most 45"),
        ({"indptr": CSR.indptr.astype(float)}, r"indptr has shape \(21,\) and dtype float64"),
        ({"indptr": CSR.indptr[:-1]}, r"indptr \(20,\) do not fit shape \(20, 3\)"),
        ({"indices": CSR.indices[:-1]}, r"indices \(44,\), indptr \(21,\) do not fit"),
        ({"data": np.array(["a"] * 45, object)}, r"data has shape \(45,\) and dtype object"),
        ({"data": CSR.data[:, None]}, r"data has shape \(45, 1\)"),
        ({"shape": (19, 3)}, r"do not fit shape \(19, 3\)"),
        ({"shape": (2**40, 3)}, "hold 1,099,511,627,776 rows in"),
        ({"shape": (20, 2**40)}, "store between 1 and 2,147,483,647 columns"),
        ({"shape": (20, 3, 1)}, r"its attribute 'shape' has shape \(3,\)"),
        ({"shape": "20 3"}, "its attribute 'shape' has shape"),
    ],
)
def test_a_sparse_group_is_checked(arrays, message, path, small_parts):
    sparse_file(path, **arrays)
    with pytest.raises(ValueError, match=message) as caught:
        as_table(path / "X").rows()
    assert "rows.h5" in str(caught.value)
    assert "X" in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_sparse_group_needs_its_encoding(path):
    sparse_file(path)
    with h5py.File(path, "a") as file:
        del file["X"].attrs["encoding-type"]
    with pytest.raises(ValueError, match=r"rows\.h5/X has the arrays of a sparse matrix, but not the attributes"):
        as_table(path / "X")


def test_a_sparse_group_that_is_replaced_is_checked_again(path):
    sparse_file(path)
    table = as_table(path / "X")
    sparse_file(path, indptr=CSR.indptr[:-1])
    with pytest.raises(ValueError, match="indptr does not increase from row 0 to row 20"):
        table.rows()
    with h5py.File(path, "w") as file:
        file["X"] = ROWS
    with pytest.raises(ValueError, match="it is not a sparse matrix any more"):
        table.rows()


def outside(folder):
    """A file that no other file may read."""
    with h5py.File(folder / "secret.h5", "w") as file:
        file["rows"] = ROWS
        write_csr(file, "X", CSR)
    ROWS.tofile(folder / "secret.bin")


def link(file):
    file["rows"] = h5py.ExternalLink("secret.h5", "/rows")


def link_behind_a_link(file):
    file["group/far"], file["rows"] = h5py.ExternalLink("secret.h5", "/"), h5py.SoftLink("/group/far/rows")


def linked_member(file):
    del write_csr(file, "rows", CSR)["data"]
    file["rows/data"] = h5py.ExternalLink("secret.h5", "/X/data")


def virtual(file):
    layout = h5py.VirtualLayout(ROWS.shape, ROWS.dtype)
    layout[:] = h5py.VirtualSource("secret.h5", "rows", ROWS.shape)
    file.create_virtual_dataset("rows", layout)


def virtual_member(file):
    del write_csr(file, "rows", CSR)["data"]
    layout = h5py.VirtualLayout((45,), "f8")
    layout[:] = h5py.VirtualSource("secret.h5", "X/data", (45,))
    file.create_virtual_dataset("rows/data", layout)


def external(file):
    file.create_dataset("rows", ROWS.shape, "f8", external=[("secret.bin", 0, ROWS.nbytes)])


def circle(file):
    file["rows"], file["other"] = h5py.SoftLink("/other"), h5py.SoftLink("/rows")


def never_written(file):
    file.create_dataset("rows", (2**40, 8), "f8", chunks=(1024, 8), compression="gzip")


def partly_written(file):
    file.create_dataset("rows", ROWS.shape, "f8", chunks=(5, 3))[:7] = ROWS[:7]


def no_space(file):
    file.create_dataset("rows", (2**40, 8), "f8")


def bomb(file):
    """Eight GiB of zeros in a chunk of a few bytes: its index claims what its content does not hold."""
    rows = file.create_dataset("rows", (2**15, 2**15), "f8", chunks=(2**14, 2**13), compression="gzip")
    for chunk in np.ndindex(2, 4):
        rows.id.write_direct_chunk((chunk[0] * 2**14, chunk[1] * 2**13), b"x\x9c\x03\x00\x00\x00\x00\x01")


def strange_filter(file):
    file.create_dataset("rows", data=ROWS, chunks=(5, 3), scaleoffset=3)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (link, "rows is a link to another file, which is not followed"),
        (link_behind_a_link, "rows is a link to another file, which is not followed"),
        (linked_member, "rows is not an array"),
        (virtual, "rows refers to other files, which are not read"),
        (virtual_member, "rows/data refers to other files, which are not read"),
        (external, "rows refers to other files, which are not read"),
        (circle, "rows is a link that leads through more than 16 others"),
        (never_written, "rows has 0 of 1,073,741,824 chunks: it is incomplete; write all of its rows"),
        (partly_written, "rows has 2 of 4 chunks: it is incomplete"),
        (no_space, "rows has 0 of 70,368,744,177,664 bytes: it is incomplete"),
        (bomb, r"hold 8,589,934,592 bytes of numbers in 64 bytes; .* store it in smaller chunks"),
        (
            strange_filter,
            "rows is stored with the filter 'scaleoffset', .* one of gzip, shuffle, fletcher32, szip, lzf",
        ),
    ],
)
def test_a_hostile_file_is_refused_in_a_sentence(write, message, path, monkeypatch):
    monkeypatch.chdir(path.parent)
    outside(path.parent)
    with h5py.File(path, "w") as file:
        write(file)
    with pytest.raises(ValueError, match=message) as caught:
        as_table(path / "rows")
    assert "rows.h5" in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", [0, 100, -200])
def test_a_truncated_file_is_named(size, path):
    with h5py.File(path, "w") as file:
        file["rows"] = ROWS
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ValueError, match=r"rows\.h5 is not a valid HDF5 file .*; write it again\.$"):
        as_table(path)


def test_a_broken_chunk_is_named_with_the_array(path):
    with h5py.File(path, "w") as file:
        rows = file.create_dataset("rows", data=ROWS, chunks=(5, 3), compression="gzip")
        rows.id.write_direct_chunk((10, 0), b"no chunk")
    with pytest.raises(
        ValueError, match=r"rows\.h5 is not a valid HDF5 file with an array 'rows' \(.*; write it again"
    ):
        as_table(path).rows()


def test_a_file_that_is_replaced_reads_no_others(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    outside(path.parent)
    with h5py.File(path, "w") as file:
        file["rows"] = ROWS
    table = as_table(path)
    with h5py.File(path, "w") as file:
        virtual(file)
    with pytest.raises(ValueError, match="rows refers to other files"):
        table.rows()
