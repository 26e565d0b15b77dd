"""Files that are models, were models, or never were."""

import io
import json
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import joblib
import numpy as np
import pytest
from safetensors.numpy import save as to_bytes

from anchorgraph import FSC, load, save
from fitted_models import ROWS, fitted


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


class Payload:
    """Leaves a file where it is read by pickle."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def function_node(**content):
    """A node of skops' files for a function that is found by names from a module."""
    return {
        "__class__": "FunctionNode",
        "__loader__": "FunctionNode",
        "__module__": "anchorgraph.table.files",
    } | content


EXPLOITS = {
    "func of a scaler": {
        "__class__": "FunctionTransformer",
        "__module__": "sklearn.preprocessing",
        "content": function_node(__class__="re.enum.bltns.exec"),
    },
    "called while reading": {
        "__class__": "write_shard",
        "__module__": "anchorgraph.table.target",
        "__loader__": "ListNode",
        "content": [function_node()],
    },
}


@pytest.mark.parametrize("name", EXPLOITS)
def test_skops_files_are_refused_unread(name, tmp_path, monkeypatch):
    path = tmp_path / "model.skops"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", json.dumps(EXPLOITS[name] | {"protocol": 2}))
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_, **__: pytest.fail("opened"))
    sentence = r"model\.skops is a zip archive; .* no longer supported: fit the model again and save it\."
    with pytest.raises(ValueError, match=sentence):
        load(path)
    assert "skops" not in sys.modules
    assert os.listdir(tmp_path) == ["model.skops"]


@pytest.mark.parametrize("dump", [pickle.dump, lambda thing, file: joblib.dump(thing, file)], ids=["pickle", "joblib"])
@pytest.mark.parametrize("name", ["model.pkl", "model.safetensors"])
def test_pickles_are_never_read(dump, name, tmp_path):
    path, trace = tmp_path / name, tmp_path / "trace"
    with path.open("wb") as file:
        dump(Payload(trace), file)
    with pytest.raises(ValueError, match=r"is a pickle file, which is never read because it can run arbitrary code"):
        load(path)
    assert not trace.exists()
    with path.open("rb") as file:  # the payload is a real one
        pickle.load(file).close()
    assert trace.exists()


def test_the_payload_of_a_compressed_joblib_file_does_not_run(tmp_path):
    for compress in ("zlib", "gzip", "lzma"):
        joblib.dump(Payload(tmp_path / "trace"), tmp_path / "model", compress=compress)
        with pytest.raises(ValueError, match="is not a model of anchorgraph"):
            load(tmp_path / "model")
    assert not (tmp_path / "trace").exists()


def npy():
    file = io.BytesIO()
    np.save(file, ROWS)
    return file.getvalue()


OTHERS = {
    "empty": b"",
    "short": b"abc",
    "text": b"a,b\n1,2\n" * 10,
    "npy": npy(),
    "only ones": b"\xff" * 100,
    "deep": (10**5).to_bytes(8, "little") + b"[" * 10**5,
    "safetensors of another": to_bytes({"weight": np.zeros(3)}),
    "other metadata": to_bytes({}, {"format": "pt"}),
    "no JSON": to_bytes({}, {"anchorgraph": "{"}),
    "a list": to_bytes({}, {"anchorgraph": "[]"}),
    "a number": to_bytes({}, {"anchorgraph": "1" * 10_000}),
    "not a number": to_bytes({}, {"anchorgraph": '{"format": NaN}'}),
    "deep lists": to_bytes({}, {"anchorgraph": "[" * 10**6}),
    "deep objects": to_bytes({}, {"anchorgraph": '{"format": ' + '{"a":' * 10**5}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_model(name, path):
    path.write_bytes(OTHERS[name])
    with pytest.raises(
        ValueError, match=r"model\.safetensors is not a model of anchorgraph(: |; pass a file that).*\.$"
    ) as told:
        load(path)
    assert str(told.value).count("\n") == 0


@pytest.mark.parametrize("depth", [200, 900, 990, 5000])
@pytest.mark.parametrize("field", ["steps", "scaler", "estimator", "format"])
def test_a_deep_header_is_refused(depth, field, path):
    header = {"format": 4, "version": "9", "steps": None, "scaler": None, "estimator": None}
    text = json.dumps(header | {field: "deep"}).replace('"deep"', "[" * depth + "]" * depth)
    path.write_bytes(to_bytes({}, {"anchorgraph": text}))
    with pytest.raises(ValueError, match=r"model\.safetensors (is not a|has format)") as told:
        load(path)
    assert len(str(told.value)) < 400 + len(str(path))


def test_types_that_numpy_does_not_have(path):
    for kind in ("BF16", "F8_E4M3"):
        text = json.dumps({"a": {"dtype": kind, "shape": [2], "data_offsets": [0, 4 if kind == "BF16" else 2]}})
        data = len(text).to_bytes(8, "little") + text.encode() + b"1234"[: 4 if kind == "BF16" else 2]
        path.write_bytes(data)
        with pytest.raises(ValueError, match="is not a model of anchorgraph"):
            load(path)


def test_another_format_is_not_guessed_at(path, monkeypatch):
    monkeypatch.setattr("anchorgraph.models.file.FORMAT", 99)
    save(fitted("fsc"), path)
    monkeypatch.undo()
    with pytest.raises(ValueError, match=r"has format 99 of anchorgraph '0\..*', but this version reads format 4; fit"):
        load(path)


def test_missing_files_and_folders(tmp_path):
    for place in (tmp_path / "none.safetensors", tmp_path):
        message = r"(does not exist|is not a regular file); pass the path of a file that anchorgraph\.save"
        with pytest.raises(FileNotFoundError, match=message):
            load(place)


def test_a_file_that_may_not_be_read(path):
    save(fitted("fsc"), path)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root may read everything")
    with pytest.raises(PermissionError):
        load(path)


def test_places_that_cannot_hold_a_model(tmp_path):
    for place in (tmp_path, tmp_path / "none" / "model.safetensors", tmp_path / "rows.csv"):
        with pytest.raises(ValueError, match=r"cannot hold a model; name a \.safetensors file in an existing folder"):
            save(fitted("fsc"), place)


def test_paths_as_text(path):
    save(fitted("fsc"), str(path))
    assert isinstance(load(str(path)), FSC)


def test_the_same_model_gives_the_same_file(path, tmp_path):
    save(fitted("fsc"), path)
    save(fitted("fsc"), tmp_path / "other")
    assert path.read_bytes() == (tmp_path / "other").read_bytes()


def test_a_file_may_be_read_by_whom_other_files_may(path, tmp_path):
    save(fitted("fsc"), path)
    (tmp_path / "other").write_text("")
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_leaves_the_old_file_and_says_so(path, monkeypatch):
    path.write_text("of yesterday")
    monkeypatch.setattr("anchorgraph.table.target.token_hex", lambda n: "0")
    (path.parent / f".{path.name}.0.unfinished").symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"model\.safetensors: no space left on the disk after 0 bytes of about [\d,]+; "):
        save(fitted("knnsc"), path)
    assert path.read_text() == "of yesterday"
    assert os.listdir(path.parent) == ["model.safetensors"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_only_a_regular_file_is_replaced(path, tmp_path):
    os.mkfifo(path)
    with pytest.raises(ValueError, match=r"model\.safetensors is not a regular file and cannot be replaced"):
        save(fitted("fsc"), path)
    with pytest.raises(FileNotFoundError, match=r"model\.safetensors is not a regular file; pass the path"):
        load(path)
    assert path.is_fifo()


def test_a_link_stays_a_link(path, tmp_path):
    path.symlink_to(tmp_path / "elsewhere")
    save(fitted("fsc"), path)
    assert path.is_symlink()
    assert type(load(tmp_path / "elsewhere")).__name__ == "FSC"


def test_without_safetensors(path, monkeypatch):
    save(fitted("fsc"), path)
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(ImportError, match=r'^Saving a model requires safetensors: pip install "anchorgraph\[io\]"\.$'):
        save(fitted("fsc"), path)
    with pytest.raises(ImportError, match=r'^Reading .* requires safetensors: pip install "anchorgraph\[io\]"\.$'):
        load(path)


def test_another_process_reads_it(path):
    model = fitted("ongr")
    save(model, path)
    code = "import sys, anchorgraph; print(type(anchorgraph.load(sys.argv[1])).__name__)"
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert done.stdout == "ONGR\n"
