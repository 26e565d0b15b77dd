"""Models that the program saves, in Python."""

import numpy as np
import pytest
from sklearn.pipeline import Pipeline

from anchorgraph import LE, as_table, load
from anchorgraph.cli.app import run
from fitted_models import FRAME, GROUPS, ROWS


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.assign(group=GROUPS).to_csv("rows.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("method", ["fsc", "knnsc"])
def test_a_model_knows_the_columns_of_its_fit(there, method):
    columns = ["--columns", "e,width,length"]
    options = ["--save", "model.safetensors", "--out", "labels.npy", "--quiet"]
    assert run(["cluster", "rows.csv", "-k", "3", "--method", method, *columns, *options]) == 0
    model = load("model.safetensors")
    assert model.feature_names_in_.tolist() == ["e", "width", "length"]
    np.testing.assert_array_equal(model.predict(FRAME[["e", "width", "length"]]), np.load("labels.npy"))
    assert run(["predict", "rows.csv", "--model", "model.safetensors", "--out", "again.npy", "--quiet"]) == 0
    np.testing.assert_array_equal(np.load("again.npy"), np.load("labels.npy"))


def test_a_scaled_model_is_a_pipeline_for_frames(there):
    options = ["--scale", "--drop", "group", "--save", "model.safetensors", "--out", "rows.npy", "--quiet"]
    assert run(["embed", "rows.csv", "-p", "2", *options]) == 0
    model = load("model.safetensors")
    assert isinstance(model, Pipeline)
    assert model[0].feature_names_in_.tolist() == list(FRAME.columns)
    np.testing.assert_allclose(model.transform(FRAME), np.load("rows.npy"), rtol=1e-12)  # and warns of nothing


def test_methods_on_all_pairs_take_a_table_in_memory_with_its_names():
    table = as_table(FRAME)
    model = LE(random_state=0).fit(table)
    assert model.feature_names_in_.tolist() == list(FRAME.columns)
    np.testing.assert_array_equal(model.embedding_, LE(random_state=0).fit(ROWS).embedding_)
    np.testing.assert_array_equal(model.transform(table), model.transform(FRAME))


def test_a_stranger_s_file_gets_one_sentence(there, capsys):
    (there / "model.skops").write_bytes(b"PK\x03\x04" + b"\0" * 100)
    assert run(["predict", "rows.csv", "--model", "model.skops", "--out", "labels.csv"]) == 1
    told = capsys.readouterr().err
    assert "model.skops is a zip archive; models of earlier versions (skops) are no longer supported" in told
    assert told.count("\n") == 1
