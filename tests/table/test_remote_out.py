"""Results written to URLs: to a server that speaks S3 on this machine, and to a file system of fsspec."""

import io
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anchorgraph import FSC
from anchorgraph.cli.app import run
from anchorgraph.table import Target, as_table, identity

ROWS = np.arange(40.0).reshape(20, 2)


@pytest.fixture(scope="module")
def server():
    """The endpoint of an S3 server with a bucket ``rows``."""
    moto = pytest.importorskip("moto.server", reason="moto[server] is the S3 server of the tests")
    fs = pytest.importorskip("pyarrow.fs", reason="pyarrow writes to S3")
    if not hasattr(fs, "S3FileSystem"):
        pytest.skip("this pyarrow was built without S3")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(server, monkeypatch):
    """A function from the name of an object to its URL, and one that reads it."""
    from pyarrow import fs

    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    store = fs.S3FileSystem(
        access_key="test", secret_key="test", endpoint_override=server, scheme="http", region="us-east-1",
        allow_bucket_creation=True, allow_bucket_deletion=True,
    )  # fmt: skip
    store.create_dir("rows")
    yield Bucket(server, store)
    store.delete_dir("rows")


class Bucket:
    def __init__(self, server, store):
        self.server, self.store = server, store

    def url(self, name, bucket="rows"):
        return f"s3://{bucket}/{name}?scheme=http&endpoint_override={self.server}&region=us-east-1"

    def read(self, name):
        with self.store.open_input_stream(f"rows/{name}") as stream:
            return io.BytesIO(stream.read())

    def names(self):
        from pyarrow import fs

        return {info.path for info in self.store.get_file_info(fs.FileSelector("rows", recursive=True))}


@pytest.fixture(scope="module")
def model():
    return FSC(2, n_anchors=8, n_neighbors=2, random_state=0).fit(ROWS)


@pytest.mark.parametrize(("suffix", "read"), [("npy", np.load), ("parquet", pd.read_parquet), ("csv", pd.read_csv)])
def test_results_are_written_to_s3(suffix, read, model, bucket):
    url = bucket.url(f"folder/labels.{suffix}")
    assert model.predict(ROWS, out=url) == url
    np.testing.assert_array_equal(np.ravel(read(bucket.read(f"folder/labels.{suffix}"))), model.labels_)


def test_a_large_object_has_several_parts(bucket):
    rows = np.random.default_rng(0).random((2**15, 64))
    as_table(rows, block_rows=5000).write_rows(identity, bucket.url("rows.npy"), ["a"])
    np.testing.assert_array_equal(np.load(bucket.read("rows.npy")), rows)


def test_ids_go_before_the_rows(model, bucket):
    model.predict(ROWS, out=Target(bucket.url("labels.csv"), ("name", np.arange(20))))
    assert list(pd.read_csv(bucket.read("labels.csv")).columns) == ["name", "label"]


def test_the_program_writes_to_s3(bucket, tmp_path, capsys):
    np.save(tmp_path / "rows.npy", ROWS)
    assert run(["cluster", str(tmp_path / "rows.npy"), "-k", "2", "--out", bucket.url("labels.csv"), "-q"]) == 0
    assert len(pd.read_csv(bucket.read("labels.csv"))) == 20


def test_an_object_is_whole_or_as_before(model, bucket, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    model.predict(ROWS, out=bucket.url("labels.npy"))
    X = ROWS.copy()
    X[-1] = np.nan
    for name in ("labels.npy", "new.npy"):
        with pytest.raises(ValueError, match="NaN"):
            model.predict(as_table(X, block_rows=7), out=bucket.url(name))
    assert bucket.names() == {"rows/labels.npy"}
    np.testing.assert_array_equal(np.load(bucket.read("labels.npy")), model.labels_)
    assert list(tmp_path.iterdir()) == []


def test_impossible_targets_are_refused_before_the_work(bucket):
    def work(block):
        raise AssertionError("the work has begun")

    table = as_table(ROWS)
    for url, message in (
        (bucket.url("labels"), r"has no suffix, but folders of shards are written to local paths only"),
        (bucket.url("labels.txt"), "has the suffix '.txt', which is not supported"),
        (
            bucket.url("labels.npy", bucket="missing"),
            "is in the bucket 'missing', which does not exist; create it first",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            table.write_rows(work, url, ["a", "b"])


def test_an_upload_that_fails_is_named(bucket):
    def work(block):
        bucket.store.delete_dir("rows")
        return block

    try:
        with pytest.raises(
            OSError, match=r"^out='s3://rows/labels\.npy' cannot be written \(.*\); check the URL, or .*\.$"
        ) as caught:
            as_table(ROWS).write_rows(work, bucket.url("labels.npy"), ["a", "b"])
        assert "\n" not in str(caught.value)
    finally:
        bucket.store.create_dir("rows")


def test_an_unknown_url_is_refused_without_its_secrets():
    with pytest.raises(ValueError, match=r"^nothing://host/rows\.npy is not a URL that pyarrow .*\.$") as caught:
        as_table(ROWS).write_rows(identity, "nothing://user:secret@host/rows.npy?key=secret", ["a", "b"])
    assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match=r"^out='s3://rows/labels' has no suffix") as caught:
        as_table(ROWS).write_rows(identity, "s3://user:secret@rows/labels?key=secret", ["a", "b"])
    assert "secret" not in str(caught.value)


def test_file_systems_of_fsspec(model):
    fsspec = pytest.importorskip("fsspec", reason="fsspec knows more URLs")
    model.predict(ROWS, out="memory://folder/labels.npy")
    with fsspec.open("memory://folder/labels.npy") as file:
        np.testing.assert_array_equal(np.load(io.BytesIO(file.read())), model.labels_)


def test_a_file_url_is_a_path(model, tmp_path):
    path = tmp_path / "some labels.npy"
    assert model.predict(ROWS, out=path.as_uri()) == path
    np.testing.assert_array_equal(np.load(path), model.labels_)
    assert [found.name for found in Path(tmp_path).iterdir()] == [path.name]
