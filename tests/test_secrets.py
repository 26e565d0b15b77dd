"""Secrets in URLs appear in nothing that comes out: pages, both outputs of the program, model files and tracebacks."""

import io
import sys
import traceback
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import anchorgraph
import anchorgraph.datasets
from anchorgraph.cli.app import app, run
from anchorgraph.report import Report
from anchorgraph.table import as_table, column_names, read_column
from anchorgraph.table.files import ARRAY_FORMATS, COLUMN_FORMATS
from anchorgraph.urls import shown, without_secrets

fsspec = pytest.importorskip("fsspec", reason="fsspec is the file system of these tests")
memory_file_system = pytest.importorskip("fsspec.implementations.memory")
pytest.importorskip("pyarrow")

LOGIN = "user-xyzzy:pass%20xyzzy@"
QUERY = "?sig=query-xyzzy&key=a%2Fxyzzy#fragment-xyzzy"
ROWS = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0], [9]], 20, axis=0)


class Failing(memory_file_system.MemoryFileSystem):
    """A file system whose errors have the whole URL, parts of it, and a cause that has them too."""

    store, pseudo_dirs = {}, [""]

    def fail(self, *_, **__):
        try:
            raise KeyError(f"http://{LOGIN}host{QUERY}")
        except KeyError as error:
            raise RuntimeError(f"GET {self.protocol}://{LOGIN}host/x{QUERY}: /x{QUERY} of {LOGIN}") from error


class FailingStart(Failing):
    protocol = "failing-start"
    __init__ = Failing.fail


class FailingInfo(Failing):
    protocol = "failing-info"
    info = ls = _open = Failing.fail


class FailingOpen(Failing):
    protocol = "failing-open"
    _open = Failing.fail

    def info(self, path, **_):
        return {"name": path, "size": 99, "type": "file"}


@pytest.fixture(autouse=True)
def _file_systems():
    memory = fsspec.filesystem("memory")
    for kind in (FailingStart, FailingInfo, FailingOpen):
        fsspec.register_implementation(kind.protocol, kind, clobber=True)
    yield
    memory.store.clear()


def remote(name, scheme="memory"):
    return f"{scheme}://{LOGIN}host/{name}{QUERY}"


def put(name, content):
    """Write a file to the file system in memory, whose paths have the login and the query; its URL."""
    with fsspec.filesystem("memory").open(f"/{LOGIN}host/{name}{QUERY}", "wb") as file:
        file.write(content)
    return remote(name)


def csv_rows():
    return ("a,b\n" + "\n".join(f"{a},{b}" for a, b in ROWS)).encode()


def traceback_of(work, *arguments, **options):
    """The text of the error of a call and of its causes, if it has one."""
    try:
        return str(work(*arguments, **options))
    except Exception as error:
        return "".join(traceback.format_exception(error))


WRONG = {
    "missing": remote,
    "broken": lambda name: put(name, b"something else"),
    "start": lambda name: remote(name, "failing-start"),
    "info": lambda name: remote(name, "failing-info"),
    "open": lambda name: remote(name, "failing-open"),
    "unknown": lambda name: remote(name, "unknown"),
    "nobody": lambda name: f"http://{LOGIN}127.0.0.1:9/{name}{QUERY}",
    "ftp": lambda name: f"ftp://{LOGIN}127.0.0.1:9/{name}{QUERY}",
    "data": lambda name: remote(name, "data"),
    "zip": lambda name: f"zip://{name}::{remote('rows.zip')}",
    "zip of nobody": lambda name: f"zip://{name}::http://{LOGIN}127.0.0.1:9/rows.zip{QUERY}",
    "cache": lambda name: f"simplecache::{remote(name, 'failing-info')}",
    "cache of nobody": lambda name: f"simplecache::http://{LOGIN}127.0.0.1:9/{name}{QUERY}",
    "one slash": lambda name: f"http:/{LOGIN}host/{name}{QUERY}",
    "pathlib": lambda name: Path(f"http://{LOGIN}host/{name}{QUERY}"),
    "pathlib, chain": lambda name: Path(f"zip://{name}::{remote('rows.zip')}"),
}
"""URLs that cannot be read, by what is wrong with them."""

ONE_SUFFIX = {reader: suffix for suffix, reader in {**ARRAY_FORMATS, **COLUMN_FORMATS}.items()}
"""A suffix for each reader."""


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("suffix", [*ONE_SUFFIX.values(), ".csv.gz", ".zarr", ".txt", ""])
def test_readers(suffix, wrong):
    source = WRONG[wrong](f"rows{suffix}")
    told = traceback_of(as_table, source, transpose=True)
    assert "Traceback" in told
    for work in (as_table, column_names, anchorgraph.FSC(2).fit, anchorgraph.load):
        told += traceback_of(work, source)
    told += traceback_of(read_column, source, "a") + traceback_of(as_table, [source, source])
    assert "xyzzy" not in told


def test_urls_in_place_of_other_arguments(tmp_path):
    url, frame = remote("rows.csv"), pd.DataFrame(ROWS, columns=["a", "b"])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    told = ""
    for X in (frame, ROWS, tmp_path / "rows.csv"):
        told += traceback_of(anchorgraph.FSC(2).fit, X, sample_weight=url) + traceback_of(as_table, X, columns=url)
        told += traceback_of(anchorgraph.LADA().fit, X, url)
    for name in ("anchors", "metric", "n_clusters", "n_jobs", "search"):
        told += traceback_of(anchorgraph.FSC(**{"n_clusters": 2, name: url}).fit, ROWS)
    told += traceback_of(anchorgraph.datasets.load, url) + traceback_of(read_column, tmp_path / "rows.csv", url)
    assert told.count("Traceback") >= 10
    assert "xyzzy" not in told


def test_zarr_arrays_at_urls():
    zarr = pytest.importorskip("zarr", minversion="3", reason="Zarr 2 does not open URLs here")
    url = f"memory://{LOGIN}rows.zarr"
    array = zarr.create_array(url, shape=ROWS.shape, chunks=(20, 2), dtype=float)
    array[:] = ROWS
    table = as_table(url)
    np.testing.assert_array_equal(table.rows(), ROWS)
    assert table.description == "rows.zarr: 40 rows, 2 columns"
    store = fsspec.filesystem("memory")
    (chunk, *_) = (path for path in store.store if path.endswith("c/0/0"))
    store.pipe_file(chunk, b"short")
    assert "xyzzy" not in traceback_of(as_table(url).rows)
    store.rm_file(chunk)
    assert "xyzzy" not in traceback_of(as_table, url)


@pytest.fixture(scope="module")
def model():
    return anchorgraph.FSC(2, n_anchors=8, random_state=0).fit(ROWS)


@pytest.mark.parametrize("wrong", [name for name in WRONG if name not in ("missing", "broken")])
@pytest.mark.parametrize("suffix", [".npy", ".csv", ".html", ".safetensors", ".txt", ""])
def test_writers(suffix, wrong, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    target = WRONG[wrong](f"rows{suffix}")
    told = traceback_of(model.predict, ROWS, out=target)
    assert "Traceback" in told
    told += traceback_of(Report({}).save, target) + traceback_of(anchorgraph.save, model, target)
    assert "xyzzy" not in told


def test_chains_are_read(tmp_path):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("rows.csv", csv_rows())
    url = put("rows.zip", archive.getvalue())
    for chain in (f"zip://rows.csv::{url}", f"simplecache::{put('rows.csv', csv_rows())}"):
        table = as_table(chain)
        np.testing.assert_allclose(table.rows(), ROWS)
        assert table.description.startswith("rows.csv: 40 rows")


@pytest.fixture
def outputs(tmp_path, monkeypatch, capsys):
    """A function that runs a command, and returns its exit code and all that comes out but results."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["anchorgraph"])
    np.save("rows.npy", ROWS)

    def collect(*arguments):
        monkeypatch.setattr("sys.argv", ["anchorgraph", *arguments])
        code = run(list(arguments))
        files = [file.read_bytes().decode(errors="replace") for file in tmp_path.rglob("*") if file.is_file()]
        return code, "".join([*capsys.readouterr(), *files, *map(str, tmp_path.rglob("*"))])

    return collect


def test_reports_and_models_of_a_url(outputs):
    url = put("rows.csv", csv_rows())
    arguments = ("-k", "2", "--report", "page.html", "--save", "model", "--out", remote("labels.csv"))
    code, told = outputs("cluster", url, *arguments)
    assert (code, "xyzzy" in told) == (0, False)
    assert f"anchorgraph cluster {shown(url)} -k 2" in told
    assert "memory://host/labels.csv" in told
    for more in (("--json",), ("--quiet",), ()):
        code, told = outputs("predict", url, "--model", "model", f"--out={remote('labels.csv')}", *more)
        assert (code, "xyzzy" in told) == (0, False)
    for command in ("embed", "map"):
        code, told = outputs(
            command, url, "--report", "page.html", "--save", "model", "-p", "1", f"-o{remote('x.npy')}"
        )
        assert (code, "xyzzy" in told) == (0, False)
    code, told = outputs("transform", url, "--model", "model", "--out", "x.csv")
    assert (code, "xyzzy" in told) == (0, False)


COMMANDS = [
    *(f"{command} URL {more}" for command in ("cluster", "embed", "map") for more in ("", "--transpose", "--label x")),
    *(
        f"{command} rows.npy {option} URL"
        for command in ("cluster", "embed", "map")
        for option in ("--save", "--report")
    ),
    *(f"cluster rows.npy --{option} URL" for option in ("out", "label", "set", "method", "image", "clusters", "seed")),
    "cluster rows.npy --set anchors=URL",
    "cluster rows.npy URL",
    "predict URL --model rows.npy --out labels.csv",
    "predict rows.npy --model URL --out labels.csv",
    "transform URL --model rows.npy --out labels.csv",
    "transform rows.npy --model URL --out labels.csv",
    "methods URL",
    "datasets URL",
    "demo --report URL",
    "reproduce URL",
    "reproduce fsc.2 --show --report URL",
    "reproduce fsc.2 --show --records URL",
    "bench URL",
    "bench digits --report URL",
    "bench digits --records URL",
    "bench digits --methods URL",
    "URL",
    "--option=URL",
]


def test_all_commands_are_here():
    assert {command.name for command in app.registered_commands} <= {line.split()[0] for line in COMMANDS}


@pytest.mark.parametrize("wrong", ["cache", "one slash"])
@pytest.mark.parametrize("line", COMMANDS)
def test_commands(line, wrong, outputs, monkeypatch):
    def nothing(name):
        pytest.fail("a URL was made part of a request")

    monkeypatch.setattr(sys.modules["anchorgraph.datasets.load"], "_download", nothing)
    for suffix in (".csv", ".npy"):
        code, told = outputs(*line.replace("URL", WRONG[wrong](f"rows{suffix}")).split())
        assert code != 0
        assert "xyzzy" not in told


def test_short_secrets_are_replaced_where_they_are_words():
    url = "ftp://ab:Zq7@host/x?sig=S#t"
    assert without_secrets("530 PASS Zq7 of ab, S: not Stars", url) == "530 PASS … of …, …: not Stars"


def test_texts_that_begin_as_a_url(outputs):
    with pytest.raises(ValueError, match="X holds texts") as caught:
        as_table(['http:/user:Zq7"Zq7@host/x'])
    assert "Zq7" not in str(caught.value)


def test_tracebacks_of_the_program(outputs, monkeypatch):
    def fails(name):
        raise RuntimeError(f"{remote('x')} of {LOGIN}")

    monkeypatch.setattr("anchorgraph.cli.source.column_names", lambda path, *_: fails(path))
    assert "RuntimeError: memory://host/x of … (set" in outputs("cluster", remote("rows.csv"))[1]
    monkeypatch.setenv("ANCHORGRAPH_TRACEBACK", "1")
    code, told = outputs("cluster", remote("rows.csv"))
    assert (code, "xyzzy" in told) == (1, False)
    assert "Traceback" in told
