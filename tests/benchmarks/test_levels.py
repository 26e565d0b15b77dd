"""The benchmark of clusters without a given number: data, the rule of the plateau, and what is kept and printed."""

import argparse

import levels
import numpy as np
import pytest
from communities import Clusterer, Rows
from sklearn.metrics import adjusted_rand_score

Y = np.repeat([0, 1, 2], 30)


@pytest.fixture
def blobs():
    centres = np.array([[0.0, 0], [20, 0], [0, 20]])
    return Rows((centres[Y] + np.random.default_rng(0).standard_normal((90, 2))).astype(np.float32), Y, 3)


@pytest.fixture
def results(blobs, monkeypatch, tmp_path):
    """Two methods on two data sets, one of which has noise in its truth; one method labels few rows, and fails once."""

    def few(data, *_):
        if data is noisy:
            raise ValueError("no such cluster")
        return np.where(np.arange(90) % 3, -1, data.y)

    noisy = blobs._replace(y=np.where(np.arange(90) % 9, Y, -1))
    methods = {levels.OURS: Clusterer(lambda data, *_: Y), "few": Clusterer(few, is_slow=True)}
    monkeypatch.setattr(levels, "METHODS", methods)
    monkeypatch.setattr(levels, "REAL", ("blobs",))
    kinds = {"real": {"blobs": lambda: blobs}, "shapes": {"noisy": lambda: noisy}, "nothing": {"empty": lambda: blobs}}
    monkeypatch.setattr(levels, "KINDS", kinds)
    monkeypatch.setattr(levels, "MOST_SLOW", 50)
    monkeypatch.setattr(levels, "compile_first", lambda clusterer: None)
    monkeypatch.setattr(levels, "surroundings", lambda: {"commit": "a" * 40, "machine": "one"})
    found = levels.Results(tmp_path / "levels.json")
    chosen = argparse.Namespace(kinds=list(kinds), methods=list(methods), data=[], seeds=2, slow_seeds=1, again=False)
    levels.run(chosen, found)
    return found


def test_what_is_kept(results):
    assert [line["seed"] for line in results.of("real", levels.OURS)] == [0, 1]
    assert results.mean("shapes", levels.OURS, "noisy") == pytest.approx(
        {"ari": 1, "nmi": 1, "found": 3, "labelled": 1, "seconds": 0}, abs=0.1
    )
    few = results.mean("real", "few", "blobs")
    assert (few["found"], few["labelled"]) == (3, pytest.approx(1 / 3))
    assert 0 < few["ari"] < 1  # rows without a label are one more cluster
    assert results.get("shapes", "noisy", "few", 0)["failed"] == "ValueError: no such cluster"
    assert results.of("nothing", "few") == []  # slow methods are left out
    again = levels.Results(results.path)
    assert again.of("real", "few") == results.of("real", "few")
    again.forget(["real"], ["few"])
    assert again.of("real", "few") == []
    assert again.of("real", levels.OURS)


def test_tables_of_what_is_kept(results):
    table = "\n".join(levels.table_of_real(results))
    assert "| blobs | 3 | **1.000**, 3 |" in table
    assert "| mean labelled of 1 | | 1 | 0.333 |" in table
    numbers = "\n".join(levels.table_of_numbers(results))
    assert "| shapes | 1 | 100 % (1.00) |" in numbers
    assert "| nothing | 1 | 100 % |" in numbers


def test_the_longest_plateau_of_clear_blobs_is_near_the_truth(blobs):
    assert adjusted_rand_score(Y, levels.plateau(blobs, 0, None)) > 0.8


@pytest.mark.parametrize("kind", levels.NOTHING)
def test_rows_without_clusters(kind):
    data = levels.nothing(kind, 100)
    assert data.X.shape[0] == 100
    assert np.isfinite(data.X).all()
    assert len(np.unique(data.X, axis=0)) == 100


def test_there_are_so_many_kinds_and_shapes():
    assert len(levels.NOTHING) == 20
    assert [len(levels.KINDS[kind]) for kind in ("shapes", "mixtures", "nothing")] == [81, 48, 80]
