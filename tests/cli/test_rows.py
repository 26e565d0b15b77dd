"""Options of the program about rows: by cosine, with weights, with missing values."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from anchorgraph import FSC, as_table, load
from anchorgraph.cli.app import run
from anchorgraph.cli.scaling import fit_scaler


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
    told = capsys.readouterr().err
    assert told.startswith("--metric: KNNSC has no parameter metric; leave it out, or use --method ")
    assert "communities" in told
    assert "sssc" not in told


def test_vectors_in_one_line(rows, capsys):
    import pyarrow as pa
    import pyarrow.parquet as pq

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.astype(np.float16).ravel()), 5)
    pq.write_table(pa.table({"id": [f"r{i}" for i in range(120)], "emb": vectors}), "rows.parquet")
    summary, labels = cluster(capsys, "rows.parquet", "--metric", "cosine")
    assert summary["source"] == "rows.parquet: 120 rows, vector column 'emb' of 5 float16"
    assert len(labels) == 120


@pytest.mark.parametrize(
    "command", ["cluster --method fsc -k 3", "cluster -k 3", "embed -p 2", "embed -p 3 --metric cosine"]
)
def test_a_page_with_masked_rows(command, rows, capsys):
    rows[[4, 9], [0, 3]] = np.nan
    as_frame(rows).to_csv("rows.csv", index=False)
    name, *options = command.split()
    assert run([name, "rows.csv", *options, "--missing", "mask", "--report", "page.html", "--quiet"]) == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<b>2</b> not clustered" in page or name == "embed"
    assert "120 rows." in " ".join(page.split())
    assert "2 have missing values" in page
    assert "NaN" not in page.partition('type="application/json"')[2].partition("</script>")[0]


def test_scaling_is_weighted_and_without_masked_rows(rows, capsys):
    weights = np.arange(120) % 4
    rows[4, 0] = np.nan
    rows[weights == 0] += 1000
    as_frame(rows).assign(n=weights).to_parquet("rows.parquet")
    cluster(capsys, "rows.parquet", "--weight", "n", "--missing", "mask", "--scale", "--save", "model.safetensors")
    scaler = load("model.safetensors")[0]
    counted = np.repeat(np.delete(rows, 4, axis=0), np.delete(weights, 4), axis=0)
    np.testing.assert_allclose(scaler.mean_, counted.mean(axis=0))
    np.testing.assert_allclose(scaler.var_, counted.var(axis=0))


@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_scaler_of_blocks_without_rows_that_count(is_sparse, rows):
    rows, weights = rows.astype(np.float32), np.r_[np.zeros(60), np.ones(40), np.full(20, 2.5)]
    rows[110] = np.nan
    with config_context(working_memory=0.001):
        scaler = fit_scaler(as_table(sparse.csr_array(rows) if is_sparse else rows), weights, masks=True)
    weights[110], rows[110] = 0, 0
    mean = np.average(rows.astype(float), axis=0, weights=weights)
    np.testing.assert_allclose(scaler.var_, np.average((rows - mean) ** 2, axis=0, weights=weights), rtol=1e-5)


def test_nothing_to_scale(rows):
    with pytest.raises(ValueError, match="--scale: no row counts"):
        fit_scaler(as_table(np.full((3, 2), np.nan)), masks=True)


@pytest.mark.parametrize(
    ("labels", "command"),
    [([None, *"ab" * 58, "a", "a", None], "cluster -k 3"), ([np.nan, *[0, 1] * 59, np.nan], "embed --method flrl")],
)
def test_missing_labels_are_named_before_the_fit(labels, command, rows, capsys, monkeypatch):
    as_frame(rows).assign(kind=labels).to_parquet("rows.parquet")
    monkeypatch.setattr("anchorgraph.cli.fit.Stopwatch", None)
    name, *options = command.split()
    assert run([name, "rows.parquet", "--label", "kind", *options]) == 1
    told = capsys.readouterr().err
    missing = (
        "Column 'kind' (--label) has no value in 2 of 120 rows, first in row 0; remove these rows or fill in their"
    )
    assert told.startswith(missing)
    assert ("--drop kind" in told) == (name == "cluster")


def test_masked_rows_need_no_label(rows, capsys):
    rows[0, 0] = np.nan
    as_frame(rows).assign(kind=[None, *"abb" * 39, "a", "a"]).to_parquet("rows.parquet")
    summary, _ = cluster(capsys, "rows.parquet", "--label", "kind", "--missing", "mask")
    assert 0 < summary["accuracy"] <= 1


def test_errors_speak_of_options(rows, capsys):
    as_frame(rows).to_csv("rows.csv", index=False)
    options = ["--metric", "cosine", "--method", "fsc", "-k", "3", "--quiet"]
    assert run(["cluster", "rows.csv", *options, "--save", "model.safetensors"]) == 0
    rows[3] = 0
    as_frame(rows).to_csv("rows.csv", index=False)
    assert run(["cluster", "rows.csv", *options]) == 1
    told = capsys.readouterr().err
    assert "which --metric cosine cannot compare; remove such rows, or use --missing mask, which" in told
    assert run(["predict", "rows.csv", "--model", "model.safetensors", "--out", "labels.csv"]) == 1
    assert "or use a model fitted with --missing mask, which" in capsys.readouterr().err
    rows[3, 0] = np.nan
    as_frame(rows).to_csv("rows.csv", index=False)
    assert run(["cluster", "rows.csv", "-k", "3"]) == 1
    assert ", or use --missing mask, which leaves these rows out." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (["a"] * 120, "Column 'n' (--weight) does not hold numbers; name a column of weights"),
        ([-1.0] * 120, "Column 'n' (--weight) is -1.0 in row 0; pass finite weights of at least 0."),
    ],
)
def test_weights_that_are_none_are_named(weights, sentence, rows, capsys):
    as_frame(rows).assign(n=weights).to_parquet("rows.parquet")
    assert run(["cluster", "rows.parquet", "-k", "3", "--weight", "n"]) == 1
    assert capsys.readouterr().err.startswith(sentence)
