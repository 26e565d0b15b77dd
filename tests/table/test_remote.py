"""Files of other file systems: a real S3 protocol on this machine, fsspec, and URLs of local files."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PureWindowsPath
from threading import Thread

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv, fs
from pyarrow.feather import write_feather

from anchorgraph import FSC
from anchorgraph.table import as_table, read_column
from anchorgraph.table.location import Location, locate
from anchorgraph.table.reasons import short_reason
from anchorgraph.urls import shown
from sources import frame_of, vector_table

ROWS = np.arange(40.0).reshape(20, 2)


@pytest.fixture(scope="module")
def bucket():
    """The beginning and the end of URLs of a bucket, and its file system."""
    server = pytest.importorskip("moto.server", reason="moto[server], a server of S3 on this machine, is not installed")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    try:
        host, port = running.get_host_and_port()
        known = {"access_key": "someone", "secret_key": "secret", "region": "us-east-1", "scheme": "http"}
        remote = fs.S3FileSystem(**known, endpoint_override=f"{host}:{port}", allow_bucket_creation=True)
        remote.create_dir("data")
        yield "s3://someone:secret@data", f"?scheme=http&region=us-east-1&endpoint_override={host}%3A{port}", remote
    finally:
        running.stop()


def test_parquet_in_a_bucket(bucket):
    start, end, remote = bucket
    for number in (0, 1):
        pq.write_table(
            vector_table(ROWS, "list"), f"data/year={number}/{number}.parquet", filesystem=remote, row_group_size=6
        )
    one = as_table(f"{start}/year=0/0.parquet{end}")
    np.testing.assert_array_equal(one.rows(), ROWS)
    np.testing.assert_array_equal(one.take(np.array([19, 3])), ROWS[[19, 3]])
    assert one.description == "0.parquet: 20 rows, vector column 'emb' of 2 float64"
    folder = as_table(f"{start}/{end}", columns=["emb", "year"])
    np.testing.assert_array_equal(folder.rows(), np.c_[np.vstack([ROWS, ROWS]), np.repeat([0, 1], 20)])
    assert read_column(f"{start}/{end}", "id").tolist() == [f"row {i}" for i in range(20)] * 2
    model = FSC(2, n_anchors=8, random_state=0).fit(f"{start}/year=0/0.parquet{end}")
    np.testing.assert_array_equal(model.labels_, FSC(2, n_anchors=8, random_state=0).fit(ROWS.astype("f4")).labels_)


def test_csv_and_arrow_files_in_a_bucket(bucket):
    start, end, remote = bucket
    with remote.open_output_stream("data/other/rows.csv") as file:
        csv.write_csv(pa.table(frame_of(ROWS)), file)
    with remote.open_output_stream("data/other/rows.csv.gz", compression="gzip") as file:
        csv.write_csv(pa.table(frame_of(ROWS)), file)
    with remote.open_output_stream("data/other/rows.feather") as file:
        write_feather(pa.table(frame_of(ROWS)), file)
    for name in ("rows.csv", "rows.csv.gz", "rows.feather"):
        np.testing.assert_array_equal(as_table(f"{start}/other/{name}{end}").rows(), ROWS)


def test_what_is_not_in_a_bucket_is_named_without_the_key(bucket):
    start, end, remote = bucket
    with pytest.raises(FileNotFoundError, match=r"^s3://data/none\.parquet does not exist"):
        as_table(f"{start}/none.parquet{end}")
    with remote.open_output_stream("data/broken.parquet") as file:
        file.write(b"PAR1 and nothing else")
    with pytest.raises((ValueError, OSError), match=r"^s3://data/broken\.parquet ") as caught:
        as_table(f"{start}/broken.parquet{end}")
    assert "secret" not in str(caught.value)
    with remote.open_output_stream("data/rows.npy") as file:
        np.save(file, ROWS)
    with pytest.raises(ValueError, match=r"rows\.npy cannot be read from a remote file system; download it"):
        as_table(f"{start}/rows.npy{end}")


def test_file_systems_of_fsspec():
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    with memory.open("/anchorgraph/rows.parquet", "wb") as file:
        pq.write_table(vector_table(ROWS, "list"), file)
    with memory.open("/anchorgraph-csv/year=3/rows.csv", "wb") as file:
        file.write(b"a;b\n1,5;2\n")
    for url in ("memory://anchorgraph/rows.parquet", "memory://anchorgraph"):
        np.testing.assert_array_equal(as_table(url).rows(), ROWS)
    np.testing.assert_array_equal(as_table("memory://anchorgraph-csv", columns=["a", "year"]).rows(), [[1.5, 3]])


def test_urls_of_local_files(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    table = as_table(f"file://{tmp_path}/rows.npy")
    np.testing.assert_array_equal(table.rows(), ROWS)
    with pytest.raises(ValueError, match="is the input"):
        table.write_rows(lambda block: block, tmp_path / "rows.npy", ["a", "b"])


def test_urls_that_lead_nowhere(tmp_path):
    pytest.importorskip("fsspec")
    with pytest.raises(ValueError, match=r"s3:/data/rows\.parquet is a URL that pathlib has changed; pass URLs as str"):
        as_table(Path("s3://data/rows.parquet"))
    with pytest.raises(ValueError, match=r"strange://data/rows\.parquet is not a URL that pyarrow or fsspec knows"):
        as_table("strange://data/rows.parquet")
    with pytest.raises(
        OSError, match=r"^ftp://127\.0\.0\.1:9/rows\.csv cannot be reached \(.*\); check the URL, or use a"
    ):
        as_table("ftp://127.0.0.1:9/rows.csv")
    for url in ("ftp://", "https:///rows.csv"):
        with pytest.raises(ValueError, match=rf"^{url} names no host; pass a URL such as ftp://host/rows\.csv\.$"):
            as_table(url)
    with pytest.raises(OSError, match=r"^data://rows\.csv cannot be read; check the URL, or use a local file\.$"):
        as_table("data://rows.csv")


def test_suffixes_and_names():
    assert [locate(name).suffix for name in ("a/b.csv", "b.CSV.gz", "b.2024.parquet", "folder", ".csv")] == [
        ".csv",
        ".csv.gz",
        ".parquet",
        "",
        "",
    ]
    signed = Location("https://host/rows.parquet", "https://host/a/rows.csv.gz?X-Amz-Signature=a/b.npy", object())
    assert (signed.suffix, signed.base_name) == (".csv.gz", "rows.csv.gz")


def test_the_last_part_of_a_path_of_windows(monkeypatch):
    monkeypatch.setattr("anchorgraph.table.location.Path", PureWindowsPath)
    hidden = r"C:\rows\.rows.npy.0.unfinished"  # which a folder is read without
    assert Location(hidden, hidden).base_name == ".rows.npy.0.unfinished"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("s3://key:secret@bucket/a%20b.csv?x=1", "s3://bucket/a%20b.csv"),
        ("s3://key:sec/ret@bucket/a.csv", "s3://bucket/a.csv"),
        ("s3://key:sec#ret@bucket/a.csv?x=1", "s3://…"),
        ("s3://key:sec@ret@bucket/a.csv#secret", "s3://bucket/a.csv"),
        ("s3://key:sec?ret@bucket/a.csv", "s3://…"),
        ("https://host/a.csv?token=sec@ret", "https://…"),
        ("https://host/a.csv?X-Amz-Signature=secret", "https://host/a.csv"),
        ("https://host/a.csv#secret@", "https://…"),
        ("zip://a.csv::https://key:secret@host/a.zip?x=secret", "zip://a.csv::https://host/a.zip"),
        ("zip://a.csv::s3://key:sec::ret@bucket/a.zip", "zip://a.csv::s3://bucket/a.zip"),
        ("zip://a.csv::https://host/a.zip?token=sec@ret", "zip://…"),
        ("simplecache::https://key:secret@host/a.csv?x=secret", "simplecache::https://host/a.csv"),
        ("simplecache::zip://a.csv::s3://key:secret@bucket/a.zip", "simplecache::zip://a.csv::s3://bucket/a.zip"),
        ("https:/key:secret@host/a.csv?x=secret", "https:/host/a.csv"),
        ("--out=s3://key:secret@bucket/a.csv?x=secret", "--out=s3://bucket/a.csv"),
        ("folder/a@b.csv", "folder/a@b.csv"),
        ("folder/what?.csv", "folder/what?.csv"),
        ("C:/folder/a@b.csv", "C:/folder/a@b.csv"),
    ],
)
def test_urls_are_shown_without_secrets(url, name):
    assert shown(url) == name
    spaced = url.replace("%20", " "), name.replace("%20", " ")
    assert shown(spaced[0]) == spaced[1]
    assert short_reason(OSError(f"no {spaced[0]}"), spaced[0]) == f"no {spaced[1]}"
    assert short_reason(OSError(f"404, url={url!r}")) == f"404, url={name!r}"


class WithRanges(SimpleHTTPRequestHandler):
    """Files with the ranges that readers ask for; those without the right signature are forbidden."""

    def do_GET(self):
        if not self.path.endswith("?signature=secret"):
            self.send_error(403)
            return
        content = Path(self.translate_path(self.path)).read_bytes()
        first, last = 0, len(content) - 1
        if asked := self.headers.get("Range"):
            start, _, stop = asked.removeprefix("bytes=").partition("-")
            first, last = int(start), min(int(stop or last), last)
        self.send_response(206 if asked else 200)
        self.send_header("Content-Length", str(last + 1 - first))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content[first : last + 1])

    def do_HEAD(self):
        self.do_GET()

    def log_message(self, *words):
        pass


@pytest.fixture
def served(tmp_path):
    """The URL of a folder that a server on this machine offers."""
    for package in ("fsspec", "aiohttp", "requests"):
        pytest.importorskip(package, reason=f"{package}, which fsspec needs for https, is not installed")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(WithRanges, directory=tmp_path)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_signed_urls_of_a_web_server(served, tmp_path):
    pq.write_table(vector_table(ROWS, "list"), tmp_path / "rows.parquet", row_group_size=6)
    (tmp_path / "rows.csv").write_text("a;b\n1,5;2\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    table = as_table(f"{served}/rows.parquet?signature=secret")
    np.testing.assert_array_equal(table.rows(), ROWS)
    assert table.description == "rows.parquet: 20 rows, vector column 'emb' of 2 float64"
    np.testing.assert_array_equal(as_table(f"{served}/rows.csv?signature=secret").rows(), [[1.5, 2]])
    for name in ("broken.parquet?signature=secret", "rows.parquet?signature=other-secret"):
        with pytest.raises((ValueError, OSError), match=rf"^{served}/{name.partition('?')[0]} ") as caught:
            as_table(f"{served}/{name}")
        assert "secret" not in str(caught.value)
