"""``anchorgraph map``: positions as those of AnchorMap, and new rows among them."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

from anchorgraph import AnchorMap
from anchorgraph.cli.app import run


@pytest.fixture
def cells(tmp_path, monkeypatch):
    """A file of 300 cells with ids, and one of 50 others; their features."""
    monkeypatch.chdir(tmp_path)
    frame = load_digits(as_frame=True).data[:350]
    frame.insert(0, "cell", [f"c{i}" for i in range(350)])
    frame[:300].to_parquet("cells.parquet")
    frame[300:].to_parquet("more.parquet")
    return frame.drop(columns="cell").to_numpy()


def test_a_map_has_two_columns_next_to_the_ids(cells, capsys):
    options = ["--id", "cell", "--out", "map.csv", "--save", "map.safetensors", "--report", "map.html", "--json"]
    assert run(["map", "cells.parquet", *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["method"], told["rows"], told["dimensions"]) == ("AnchorMap", 300, 2)
    assert "note" not in told  # two dimensions are what a map has
    rows = pd.read_csv("map.csv")
    model = AnchorMap(random_state=0).fit(cells[:300])
    assert list(rows.columns) == ["cell", *model.get_feature_names_out()]
    assert list(rows["cell"][:2]) == ["c0", "c1"]
    np.testing.assert_allclose(rows.iloc[:, 1:], model.embedding_, rtol=1e-5)
    with open("map.html", encoding="utf-8") as page:
        assert "<h1>cells.parquet</h1>" in page.read()
    options = ["--model", "map.safetensors", "--id", "cell", "--out", "new.csv", "--quiet"]
    assert run(["transform", "more.parquet", *options]) == 0
    np.testing.assert_allclose(pd.read_csv("new.csv").iloc[:, 1:], model.transform(cells[300:]), rtol=1e-4, atol=1e-4)


def test_a_map_takes_the_options_of_embed_but_the_method(cells, capsys):
    options = "--id cell -p 1 --seed 4 --set n_neighbors=5 --out map.csv --quiet"
    assert run(["map", "cells.parquet", *options.split()]) == 0
    expected = AnchorMap(1, n_neighbors=5, random_state=4).fit(cells[:300]).embedding_
    np.testing.assert_allclose(pd.read_csv("map.csv").iloc[:, 1:], expected, rtol=1e-5)
    capsys.readouterr()
    assert run(["map", "cells.parquet", "--method", "ulge"]) == 2
    assert "--method" in capsys.readouterr().err
