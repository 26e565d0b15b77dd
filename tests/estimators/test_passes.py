"""The page on scale says how often each method reads the rows: that often it does."""

import re
from pathlib import Path

import numpy as np
import pytest
import sklearn
from sklearn.datasets import make_blobs

from anchorgraph.anchors import sample
from anchorgraph.catalogue import CATALOGUE
from anchorgraph.table import as_table
from anchorgraph.table.shards import ShardTable

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text()
SAID = dict(re.findall(r"^\| `(\w+)` \| (\d+)\b", PAGE, flags=re.MULTILINE))
N_ROUNDS = 5


@pytest.mark.parametrize("key", [key for key, method in CATALOGUE.items() if method.card.streams])
def test_rows_are_read_as_often_as_the_page_says(key, tmp_path, monkeypatch):
    monkeypatch.setattr(sample, "MOST_ROWS", 200)  # so that trees are grown on a sample
    monkeypatch.setattr(sample, "ROWS_A_LEAF", 1)
    X, y = make_blobs(1000, 6, centers=3, cluster_std=3, random_state=0)
    np.save(tmp_path / "rows.npy", X)
    table, n_read = as_table(tmp_path / "rows.npy", block_rows=100), []
    read = ShardTable.read

    def counted(self, span):
        if self is table:
            n_read.append(span.stop - span.start)
        return read(self, span)

    monkeypatch.setattr(ShardTable, "read", counted)
    method = CATALOGUE[key]()
    small = {"n_anchors": 16, "n_clusters": 3, "max_iter": N_ROUNDS, "tol": 0.0, "random_state": 0}
    known = {name: value for name, value in small.items() if name in method.get_params()}
    sklearn.clone(method).set_params(**known).fit(table, y)
    of_rounds = N_ROUNDS if key == "flrl" else 0
    assert sum(n_read) / len(X) == int(SAID[CATALOGUE[key].__name__]) + of_rounds
