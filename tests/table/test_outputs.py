"""Output files: replaced when they are complete, together if they belong together, with the permissions they had."""

import os
import stat

import numpy as np
import pytest

from anchorgraph.table import together, write_atomically, write_rows

ROWS = np.arange(6.0).reshape(3, 2)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def write(path, text, error=None):
    with write_atomically(path) as unfinished:
        unfinished.write_text(text)
        if error is not None:
            raise error


def test_files_are_replaced_together(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("old")
    with together():
        write(one, "new")
        write(other, "new")
        assert one.read_text() == "old"
        assert not other.exists()
    assert [path.read_text() for path in (one, other)] == ["new", "new"]
    assert names(tmp_path) == ["one", "other"]


@pytest.mark.parametrize("error", [ValueError("odd"), KeyboardInterrupt("odd")])
def test_after_an_error_none_is_replaced(error, tmp_path):
    (tmp_path / "one").write_text("old")

    def fail():
        with together():
            write(tmp_path / "one", "new")
            write_rows([ROWS], 3, tmp_path / "folder", ["a", "b"])
            raise error

    with pytest.raises(type(error), match="odd"):
        fail()
    assert ((tmp_path / "one").read_text(), names(tmp_path)) == ("old", ["one"])
    write(tmp_path / "one", "new")  # by itself again
    assert (tmp_path / "one").read_text() == "new"


def test_what_failed_is_not_written_by_others(tmp_path):
    with together():
        with pytest.raises(ValueError, match="half"):
            write(tmp_path / "one", "half", ValueError("half"))
        write(tmp_path / "other", "whole")
    assert names(tmp_path) == ["other"]


def test_uploads_come_before_renames(tmp_path, monkeypatch):
    """They may fail: files on this machine are then as before."""
    memory = pytest.importorskip("fsspec", reason="fsspec has a file system in memory").filesystem("memory")

    def write_both():
        with together():
            for target in (tmp_path / "rows.npy", "memory://together/rows.npy"):
                write_rows([ROWS], 3, target, ["a", "b"])
            assert not memory.exists("/together/rows.npy")

    def fail(*parts, **options):
        raise OSError("no network")

    (tmp_path / "rows.npy").write_text("old")
    monkeypatch.setattr("pyarrow.fs.copy_files", fail)
    with pytest.raises(OSError, match=r"cannot be written \(no network\); check the URL"):
        write_both()
    monkeypatch.undo()
    assert (tmp_path / "rows.npy").read_text() == "old"
    write_both()
    assert memory.exists("/together/rows.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "rows.npy"), ROWS)


with_modes = pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")


@with_modes
@pytest.mark.parametrize("before", [0o600, 0o640, 0o664, 0o444])
@pytest.mark.parametrize("name", ["rows.npy", "rows.csv", "rows.parquet"])
def test_the_permissions_of_a_file_are_kept(name, before, tmp_path):
    path, seen = tmp_path / name, []
    path.touch()
    path.chmod(before)

    def blocks():
        yield ROWS
        seen.extend(mode(unfinished) for unfinished in tmp_path.glob(".*.unfinished"))

    write_rows(blocks(), 3, path, ["a", "b"])
    assert path.stat().st_size > 0
    assert (mode(path), seen) == (before, [0o600])


@with_modes
def test_a_new_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "usual").touch()
    write_rows([ROWS], 3, tmp_path / "rows.npy", ["a", "b"])
    assert mode(tmp_path / "rows.npy") == mode(tmp_path / "usual")
