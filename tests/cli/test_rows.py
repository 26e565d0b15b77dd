"""Options of the program about rows: by cosine, with weights, with missing values."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from anchorgraph import FSC
from anchorgraph.cli.app import run


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return make_blobs(120, 5, centers=3, cluster_std=2.0, random_state=0)[0]


def cluster(capsys, *arguments):
    """The summary, and the labels that were written."""
    assert run(["cluster", *arguments, "-k", "3", "--method", "fsc", "-o", "labels.npy", "--json"]) == 0
    return json.loads(capsys.readouterr().out), np.load("labels.npy")


def as_frame(rows):
    return pd.DataFrame(rows, columns=list("abcde"))


def test_cosine(rows, capsys):
    lengths = 2.0 ** np.random.default_rng(0).integers(-5, 5, (120, 1))
    as_frame(lengths * rows).to_csv("rows.csv", index=False)
    _, labels = cluster(capsys, "rows.csv", "--metric", "cosine")
    expected = FSC(3, metric="cosine", random_state=0).fit(rows).labels_
    assert adjusted_rand_score(labels, expected) == 1


def test_weights(rows, capsys):
    weights = np.arange(120) % 3
    as_frame(rows).assign(n=weights).to_parquet("rows.parquet")
    summary, labels = cluster(capsys, "rows.parquet", "--weight", "n")
    assert summary["columns"] == 5
    np.testing.assert_array_equal(labels, FSC(3, random_state=0).fit(rows, sample_weight=weights).labels_)


def test_missing_values(rows, capsys):
    rows[[4, 9], [0, 3]] = np.nan
    as_frame(rows).to_csv("rows.csv", index=False)
    assert run(["cluster", "rows.csv", "-k", "3"]) != 0
    assert "rows.csv, column 'a' (2 rows in all)" in capsys.readouterr().err.replace("\n", " ")
    summary, labels = cluster(capsys, "rows.csv", "--missing", "mask")
    assert summary["masked"] == 2
    np.testing.assert_array_equal(np.flatnonzero(labels == -1), [4, 9])


def test_a_method_without_weights(rows, capsys):
    as_frame(rows).assign(n=1).to_parquet("rows.parquet")
    assert run(["cluster", "rows.parquet", "--method", "knnsc", "-k", "3", "--weight", "n"]) != 0
    assert "KNNSC does not weigh rows; leave out --weight." in capsys.readouterr().err.replace("\n", " ")


def test_a_method_without_metrics(rows, capsys):
    np.save("rows.npy", rows)
    assert run(["cluster", "rows.npy", "--method", "knnsc", "-k", "3", "--metric", "cosine"]) != 0
    assert "metric" in capsys.readouterr().err


def test_vectors_in_one_line(rows, capsys):
    import pyarrow as pa
    import pyarrow.parquet as pq

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.astype(np.float16).ravel()), 5)
    pq.write_table(pa.table({"id": [f"r{i}" for i in range(120)], "emb": vectors}), "rows.parquet")
    summary, labels = cluster(capsys, "rows.parquet", "--metric", "cosine")
    assert summary["source"] == "rows.parquet: 120 rows, vector column 'emb' of 5 float16"
    assert len(labels) == 120
