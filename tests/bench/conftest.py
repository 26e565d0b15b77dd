import pytest

MINE = """
paper = "mine"
number = "Table 1"
title = "Digits"
kind = "score"
rows = ["classes"]
columns = ["method"]

[cell]
data = "digits"
protocol = "clustering"
show = "accuracy"
runs = 2

[classes]
ten = {}
three = { classes = 3 }

[method]
FSC = { method = "FSC", params.n_anchors = 50, grid.n_neighbors = [3, 5] }
ULGE = { protocol = "embedding", method = "ULGE", options.kmeans = 2 }

[printed]
ten = ["80.0 ± 1.5", 75]
three = [70, "—"]
"""
FORMS = """
[digits]
load = "digits"
prepare = [{ divide = 16 }]
mark = "scikit-learn's"
"""


@pytest.fixture
def mine(tmp_path):
    """An experiment on scikit-learn's digits."""
    (tmp_path / "forms").mkdir()
    (tmp_path / "forms" / "mine.toml").write_text(FORMS)
    path = tmp_path / "mine.1.toml"
    path.write_text(MINE)
    return path
