import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.preprocessing import normalize

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(FOLDER.glob("plot_*.py"))


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore:Graph is not fully connected")
def test_example_runs_and_prints(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.fixture(scope="module")
def deduplicate():
    """What the script defines."""
    return runpy.run_path(str(FOLDER / "deduplicate.py"))


def test_deduplicate_finds_planted_copies_and_nothing_else(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["deduplicate.py", "--rows", "5_000", "--columns", "32", "--trees", "2"])
    runpy.run_path(str(FOLDER / "deduplicate.py"), run_name="__main__")
    told = capsys.readouterr().out
    shares = np.array(re.findall(r"([\d.]+)%", told), dtype=float).reshape(3, 5)  # all near copies, then each bin
    one_tree, two_trees, by_graph = shares[:, 0]
    assert one_tree < two_trees
    assert min(two_trees, by_graph) > 85
    np.testing.assert_array_equal(shares[:, -1], 100)
    assert re.findall(r"% of (equal|0\.\d+ to 0\.\d+)", told) == 3 * [
        "0.95 to 0.97",
        "0.97 to 0.99",
        "0.99 to 0.999",
        "equal",
    ]
    assert told.count(" 0 rows joined wrongly") == 3


def test_within_one_leaf_all_pairs_are_found(deduplicate):
    X, originals, similarities = deduplicate["plant_copies"](900, 16)
    directions = normalize(X)
    np.testing.assert_allclose(np.sum(directions * directions[originals], axis=1), similarities, atol=1e-5)
    pairs = deduplicate["similar_pairs"](X, np.zeros(900, dtype=np.int32), 0.95)
    expected = np.argwhere(np.triu(directions @ directions.T > 0.95, 1))
    np.testing.assert_array_equal(pairs.T, expected)


def test_the_row_farthest_from_the_centre_is_kept(deduplicate):
    X = np.array([[1, 0], [1, 0.1], [1, 0.2], [0, 1], [0, 1]])
    pairs = np.array([[0, 1, 3], [1, 2, 4]])
    groups = deduplicate["groups_of"](pairs, 6)
    np.testing.assert_array_equal(groups, [0, 0, 0, 1, 1, 2])
    tree = deduplicate["leaves"](X, seed=0)
    np.testing.assert_array_equal(deduplicate["kept_rows"](X, groups[:5], tree), [0, 3])
    np.testing.assert_array_equal(deduplicate["kept_rows"](X, np.arange(5), tree), np.arange(5))
