"""``--level`` and ``--levels``, and what is said about levels of clusters."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

from anchorgraph import Communities, load
from anchorgraph.cli.app import run


@pytest.fixture(scope="module")
def digits():
    return load_digits().data


@pytest.fixture(scope="module")
def model(digits):
    """Has several levels, and not the last one is chosen."""
    model = Communities(random_state=0).fit(digits)
    assert len(model.levels_) > 2
    assert model.level_ < len(model.levels_) - 1
    return model


@pytest.fixture
def last(model):
    return len(model.levels_) - 1


@pytest.fixture
def frame(digits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(digits, columns=[f"pixel{number}" for number in range(64)])
    frame.insert(0, "id", [f"r{number}" for number in range(len(frame))])
    return frame


@pytest.fixture
def path(frame):
    frame.to_parquet("rows.parquet")
    return "rows.parquet"


def labels_of(model):
    return {"label": model.labels_} | {f"level{number}": level.labels for number, level in enumerate(model.levels_)}


def sentence_of(model):
    *others, last = (str(level.n_clusters) for level in model.levels_)
    places = ", ".join(str(place) for place in range(len(model.levels_)))
    return f"{len(model.levels_)} levels of clusters: {', '.join(others)} and {last} (--level {places})"


@pytest.mark.parametrize("auto", [[], ["-k", "auto"]])
def test_levels_are_told(path, model, last, auto, capsys):
    command = ["cluster", path, "--id", "id", *auto]
    told = f"{sentence_of(model)}. Level {model.level_} was chosen by its persistence; --level chooses another, -k "
    assert run(command) == 0
    assert capsys.readouterr().err == f"{told}another number.\n"
    assert run([*command, "--level", str(last), "--json"]) == 0
    shown = capsys.readouterr()
    summary = json.loads(shown.out)
    assert shown.err == ""
    assert summary["note"] == (
        f"{sentence_of(model)}. Without --level, level {model.level_} is chosen by its persistence."
    )
    assert summary["levels"] == [level.n_clusters for level in model.levels_]
    assert (summary["level"], summary["clusters"]) == (last, model.levels_[last].n_clusters)
    assert summary["sizes"] == np.bincount(model.levels_[last].labels).tolist()
    assert "modularity" not in summary


def test_a_given_resolution_is_told(path, digits, capsys):
    found = Communities(resolution=1.5, random_state=0).fit(digits)
    assert len(found.levels_) > 1
    assert run(["cluster", path, "--drop", "id", "--set", "resolution=1.5"]) == 0
    told = f"Level {found.level_} was chosen by resolution=1.5; --level chooses another, -k another number.\n"
    assert capsys.readouterr().err == f"{sentence_of(found)}. {told}"


def test_a_given_number_is_not_explained(path, capsys):
    assert run(["cluster", path, "--id", "id", "-k", "5", "--json"]) == 0
    shown = capsys.readouterr()
    assert "note" not in json.loads(shown.out)
    assert "modularity" in json.loads(shown.out)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_all_levels_are_columns(frame, model, last, suffix):
    if suffix == "csv":
        frame.to_csv("rows.csv", index=False)
    else:
        frame.to_parquet("rows.parquet")
    command = ["cluster", f"rows.{suffix}", "--id", "id", "--out", f"labels.{suffix}", "--quiet"]
    read = getattr(pd, f"read_{suffix}")
    assert run([*command, "--levels", "--save", "model.safetensors"]) == 0
    expected = pd.DataFrame({"id": frame["id"]} | labels_of(model))
    pd.testing.assert_frame_equal(read(f"labels.{suffix}"), expected, check_dtype=False)
    assert run([*command, "--level", str(last)]) == 0
    expected = expected[["id", f"level{last}"]].set_axis(["id", "label"], axis=1)
    pd.testing.assert_frame_equal(read(f"labels.{suffix}"), expected, check_dtype=False)

    new = ["predict", f"rows.{suffix}", "--model", "model.safetensors", "--id", "id", "--out", f"new.{suffix}", "-q"]
    assert run([*new, "--level", str(last)]) == 0
    pd.testing.assert_frame_equal(read(f"new.{suffix}"), expected, check_dtype=False)
    assert run([*new, "--levels"]) == 0
    expected = pd.DataFrame({"id": frame["id"]} | labels_of(model))
    pd.testing.assert_frame_equal(read(f"new.{suffix}"), expected, check_dtype=False)
    assert run([*new, "--levels", "--level", str(last)]) == 0
    expected["label"] = expected[f"level{last}"]
    pd.testing.assert_frame_equal(read(f"new.{suffix}"), expected, check_dtype=False)


def test_all_levels_in_an_array_and_of_masked_rows(digits, frame):
    rows = digits.copy()
    rows[[3, 900], 5] = np.nan
    np.save("rows.npy", rows)
    options = ["--missing", "mask", "--levels", "--out", "labels.npy", "--save", "model.safetensors", "--quiet"]
    assert run(["cluster", "rows.npy", *options]) == 0
    expected = labels_of(Communities(missing="mask", random_state=0).fit(rows))
    np.testing.assert_array_equal(np.load("labels.npy"), np.column_stack(list(expected.values())))
    assert (np.load("labels.npy")[[3, 900]] == -1).all()
    assert run(["predict", "rows.npy", "--model", "model.safetensors", "--levels", "--out", "new.npy", "--quiet"]) == 0
    np.testing.assert_array_equal(np.load("new.npy"), np.load("labels.npy"))


def test_the_report_is_about_the_level(path, model, last):
    assert run(["cluster", path, "--id", "id", "--level", str(last), "--report", "page.html", "--quiet"]) == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert f"<b>{model.levels_[last].n_clusters}</b> clusters" in page
    assert f"the rest of the page is about level {last}." in page


def test_a_saved_model_has_all_levels(path, model, last, capsys):
    command = ["cluster", path, "--id", "id", "--save", "model.safetensors"]
    assert run([*command, "--level", str(last)]) == 0
    told = f"The saved model has all levels; predict needs --level {last}, too.\n"
    assert capsys.readouterr().err.endswith(told)
    assert run([*command, "--level", str(model.level_)]) == 0
    assert told not in capsys.readouterr().err
    new = ["predict", path, "--model", "model.safetensors", "--id", "id", "--out", "new.csv", "--json"]
    assert run([*new, "--level", str(last)]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["levels"], summary["level"]) == ([level.n_clusters for level in model.levels_], last)


def test_small_clusters_can_be_excluded(path, model):
    small = min(np.bincount(model.labels_)) + 1
    saved = ["--save", "model.safetensors", "--out", "labels.npy", "--quiet"]
    assert run(["cluster", path, "--drop", "id", "--set", f"min_cluster_size={small}", *saved]) == 0
    assert load("model.safetensors").min_cluster_size == small
    assert min(np.bincount(np.load("labels.npy"))) >= small


@pytest.mark.parametrize("option", [["--level", "1"], ["--levels", "--out", "labels.csv"]])
def test_methods_without_levels_are_refused(path, option, capsys):
    assert run(["cluster", path, "--id", "id", "--method", "fsc", "-k", "3", *option]) == 1
    told = f"{option[0]}: FSC has no levels; leave it out, or use a model of --method communities.\n"
    assert capsys.readouterr().err == told
    assert run(["cluster", path, "--id", "id", "--method", "fsc", "-k", "3", "--save", "fsc.model", "--quiet"]) == 0
    new = ["predict", path, "--model", "fsc.model", "--id", "id", "--out", "labels.csv"]
    assert run([*new, *option[: 1 + (option[0] == "--level")]]) == 1
    assert capsys.readouterr().err == told
    assert not Path("labels.csv").exists()


def test_levels_that_do_not_exist_are_refused(path, model, capsys):
    told = f"--level 90 does not exist; there are {sentence_of(model)}.\n"
    output = ["--id", "id", "--out", "labels.csv"]
    assert run(["cluster", path, *output, "--level", "90"]) == 1
    assert capsys.readouterr().err == told
    assert run(["cluster", path, *output, "--level", "90", "--save", "model.safetensors"]) == 1
    saved = "The model was saved to model.safetensors; predict takes --level, too.\n"
    assert capsys.readouterr().err == f"{told[:-1]} {saved}"
    assert run(["predict", path, "--model", "model.safetensors", *output, "--level", "90"]) == 1
    assert capsys.readouterr().err == told
    assert not Path("labels.csv").exists()
    assert run(["cluster", path, *output, "--level", "-1"]) == 2
    assert "'--level'" in capsys.readouterr().err


def test_all_levels_need_a_file(path, capsys):
    assert run(["cluster", path, "--id", "id", "--levels"]) == 2
    told = "Invalid value for '--levels': the labels of all levels are written to a file; pass --out too.\n"
    assert capsys.readouterr().err == told


def test_a_single_level_is_one(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    np.save("rows.npy", np.random.default_rng(0).normal(size=(200, 3)))
    assert run(["cluster", "rows.npy", "--level", "0", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["note"] == "-k was not given: Communities found 1 cluster; pass -k for another number."
    assert "levels" not in summary
    assert run(["cluster", "rows.npy", "--level", "1"]) == 1
    assert capsys.readouterr().err == "--level 1 does not exist; there is 1 level of clusters: 1 (--level 0).\n"
