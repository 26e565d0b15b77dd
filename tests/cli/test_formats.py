"""Data as people have them, through the program: vectors, other CSV files, partitions, URLs."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import load_digits

from anchorgraph import Communities
from anchorgraph.cli.app import run
from sources import frame_of, vectors_of

X = load_digits().data[:300]


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def labels():
    return Communities(5, random_state=0).fit(X).labels_


def cluster(*arguments, out="labels.npy"):
    return run(["cluster", *arguments, "-k", "5", "--out", out, "--json"])


def test_vectors(there, labels, capsys):
    ids = [f"r{i}" for i in range(300)]
    table = {"id": ids, "emb": vectors_of(X, "list"), "other, one": vectors_of(X, "fixed_size_list")}
    pq.write_table(pa.table(table), "rows.parquet")
    assert cluster("rows.parquet") == 1
    assert "rows.parquet has several columns of vectors: 'emb', 'other, one'; choose" in capsys.readouterr().err
    assert cluster("rows.parquet", "--column", "other, one") == 0
    assert (
        json.loads(capsys.readouterr().out)["source"]
        == "rows.parquet: 300 rows, vector column 'other, one' of 64 float64"
    )
    np.testing.assert_array_equal(np.load("labels.npy"), labels)
    pq.write_table(pa.table(table).select(["id", "emb"]), "one.parquet")
    save = ["--scale", "--save", "model.safetensors", "--quiet"]
    assert run(["cluster", "one.parquet", "-k", "5", "--id", "id", *save]) == 0
    assert capsys.readouterr().out == ""
    assert run(["predict", "one.parquet", "--model", "model.safetensors", "--id", "id", "--out", "new.csv"]) == 0
    assert "vector column 'emb' of 64 float64" in " ".join(capsys.readouterr().out.split())
    assert pd.read_csv("new.csv")["id"].tolist() == ids


def test_european_csv(there, labels, capsys):
    frame = frame_of(X / 4).assign(id=[f"é{i}" for i in range(300)])
    frame.to_csv("rows.csv", index=False, sep=";", decimal=",", encoding="latin-1")
    assert cluster("rows.csv", "--drop", "id") == 1
    assert "is not text in the encoding 'utf-8'" in capsys.readouterr().err
    assert cluster("rows.csv", "--id", "id", "--encoding", "latin-1", out="labels.csv") == 0
    source = json.loads(capsys.readouterr().out)["source"]
    assert source == "rows.csv: 300 rows, 64 columns (separator ';', decimal ',', encoding 'latin-1')"
    found = pd.read_csv("labels.csv")
    np.testing.assert_array_equal(found["label"], labels)
    assert found["id"][0] == "é0"


def test_a_format_that_is_given(there, labels, capsys):
    pd.DataFrame(X).to_csv("rows.tsv", index=False, header=False, sep="\t")
    options = ["--separator", "tab", "--decimal", ".", "--no-header"]
    assert cluster("rows.tsv", *options) == 0
    assert "no header" in json.loads(capsys.readouterr().out)["source"]
    np.testing.assert_array_equal(np.load("labels.npy"), labels)
    assert run(["embed", "rows.tsv", "-p", "2", *options, "--save", "model.safetensors", "--quiet"]) == 0
    new = ["transform", "rows.tsv", "--model", "model.safetensors", "--out", "new.npy"]
    assert run([*new, *options]) == 0
    assert "source" in capsys.readouterr().out
    assert np.load("new.npy").shape == (300, 2)


def test_a_first_line_of_numbers_is_not_taken_for_names(there, capsys):
    pd.DataFrame(X).to_csv("rows.csv", index=False, header=False)
    assert cluster("rows.csv") == 1
    assert "--no-header" in capsys.readouterr().err


def test_urls_and_partitions(there, labels, capsys):
    table = pa.table(frame_of(X)).append_column("part", pa.array(np.repeat([0, 1, 2], 100)))
    pq.write_to_dataset(table, "hive", partition_cols=["part"])
    assert cluster(f"file://{there}/hive", "--label", "part") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["source"] == "hive/: 3 files, 300 rows, 64 columns"
    assert 0 <= told["nmi"] <= 1
    np.testing.assert_array_equal(np.load("labels.npy"), labels)
    assert cluster("strange://x.csv") == 1
    assert "strange://x.csv is not a URL that pyarrow or fsspec knows" in capsys.readouterr().err
