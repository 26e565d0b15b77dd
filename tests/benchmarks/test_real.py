"""The benchmark of real data: what is kept, left out and printed; methods are stand-ins."""

import argparse
import json

import numpy as np
import pytest
import real
from communities import Clusterer, Rows
from real import EVOC, LEIDEN, OURS, UMAP_KMEANS, Cell, Method

from anchorgraph.datasets import DatasetUnavailableError

Y = np.repeat([0, 1], 20)
FOUND = {
    OURS: Y,
    "KMeans": np.arange(40) % 2,
    UMAP_KMEANS: np.where(np.arange(40) < 30, 0, 1),
    "FSC": 1 - Y,
    LEIDEN: np.arange(40) // 10,
    EVOC: np.where(np.arange(40) % 4, Y, -1),
}


@pytest.fixture
def measured(monkeypatch):
    """Cells that were measured, of two data sets, one of which has more rows than slow methods are given."""
    found = []

    def stand_in(method):
        def cluster(data, seed, _):
            found.append(Cell(data.X[0, 0], method, seed))
            if method == "FSC" and data.X[0, 0] == 1 and seed == 1:
                raise ValueError("no such eigenvalue")
            return np.tile(FOUND[method], len(data.X) // len(Y))

        return cluster

    def load_rows(name):
        if name == "secret":
            raise DatasetUnavailableError("secret is not there")
        repeats = {"few": 1, "many": 2}[name]
        return Rows(np.full((40 * repeats, 3), repeats), np.tile(Y, repeats), 2)

    methods = {
        name: Method(name, Clusterer(stand_in(name), is_slow=method.clusterer.is_slow), "numpy")
        for name, method in real.METHODS.items()
    }
    monkeypatch.setattr(real, "METHODS", methods)
    monkeypatch.setattr(real, "compile_first", lambda clusterer: None)
    monkeypatch.setattr(real, "load_rows", load_rows)
    monkeypatch.setattr(real, "surroundings", lambda: {"commit": "a" * 40, "machine": "one"})
    monkeypatch.setattr(real, "MANY_ROWS", 50)
    return found


def run(path, names=("few",), methods=real.METHODS, **options):
    chosen = {"seeds": 2, "slow_seeds": 1, "most_rows": 1000, "again": False} | options
    results = real.Results(path)
    real.run(list(names), list(methods), argparse.Namespace(**chosen), results)
    return results


def test_what_is_known_is_not_measured_again(measured, tmp_path):
    path = tmp_path / "results" / "real.json"
    run(path, seeds=1)
    assert measured == [Cell(1, method, 0) for method in real.METHODS]
    measured.clear()
    run(path, seeds=2)
    assert measured == [Cell(1, method, 1) for method in real.METHODS]
    measured.clear()
    run(path, seeds=2)
    assert measured == [Cell(1, "FSC", 1)]  # what failed may do better
    measured.clear()
    results = run(path, methods=[OURS], seeds=1, again=True)
    assert measured == [Cell(1, OURS, 0)]
    assert results.mean("few", OURS)["seeds"] == 1  # none of before
    assert results.mean("few", "KMeans")["seeds"] == 2


def test_slow_methods_have_fewer_seeds_or_none_on_many_rows(measured, tmp_path, capsys):
    run(tmp_path / "real.json", ["many"])
    assert [cell.method for cell in measured if cell.seed == 1] == [OURS, "KMeans", "FSC", LEIDEN]
    measured.clear()
    results = run(tmp_path / "other.json", ["many"], most_rows=79)
    assert {cell.method for cell in measured} == {OURS, "KMeans", "FSC", LEIDEN}
    assert results.get("many", EVOC, 0)["left_out"] == "more than 79 rows"
    assert "EVoC                     seed 0 left out: more than 79 rows" in capsys.readouterr().out
    measured.clear()
    run(tmp_path / "other.json", ["many"])
    assert measured == [Cell(2, UMAP_KMEANS, 0), Cell(2, EVOC, 0)]


def test_what_is_missing_is_said(measured, tmp_path, capsys):
    results = run(tmp_path / "real.json", ["secret", "few"])
    said = capsys.readouterr().out
    assert "secret is left out: secret is not there" in said
    assert "FSC                      seed 1 failed: ValueError: no such eigenvalue" in said
    assert results.mean("few", "FSC")["seeds"] == 1


def test_rows_without_a_cluster_are_one_more(measured, tmp_path):
    run(tmp_path / "real.json", methods=[EVOC, OURS])
    evoc, _, ours, _ = json.loads((tmp_path / "real.json").read_text())["lines"]
    assert (evoc["clusters"], evoc["labelled"], evoc["accuracy"]) == (3, 0.75, 0.75)
    assert evoc["nmi_larger"] < evoc["nmi"] < 1  # there are more clusters than classes
    assert (ours["accuracy"], ours["nmi"], ours["ari"], ours["labelled"]) == (1, pytest.approx(1), 1, 1)
    assert (ours["commit"], ours["machine"]) == ("a" * 40, "one")
    assert ours["versions"].startswith(f"numpy {np.__version__}, scipy ")


def test_the_summary_is_of_what_all_did(measured, tmp_path, capsys):
    results = run(tmp_path / "real.json", ["few", "many"], most_rows=79)
    common, means = real.means_of_methods(results, ["few", "many"])
    assert common == ["few"]
    assert list(means) == list(real.METHODS)
    assert means[OURS]["nmi"] == pytest.approx(1)
    (difference,) = real.differences(results, ["few", "many"])
    assert (difference.data, difference.is_met) == ("few", True)
    capsys.readouterr()
    real.show_summary(results, ["few", "many"])
    said = capsys.readouterr().out
    assert "met on 1 of 1 data sets" in said
    assert "without many, which not all of them did" in said
    assert "measured at aaaaaaaaaa (19)" in said


@pytest.mark.parametrize(("ours", "is_met"), [(0.85, True), (0.805, False), (0.7, False)])
def test_better_is_by_a_hundredth(ours, is_met):
    assert real.Difference("few", ours, 0.8).is_met == is_met


def test_the_table_is_made_without_measuring(measured, tmp_path):
    results = run(tmp_path / "real.json", ["few", "many"], most_rows=79)
    for line in list(results.measured("few")):
        results.add(line | {"seconds": 0.25 if line["method"] == OURS else 12.4})
    measured.clear()
    head, rule, few, many = real.table_of(real.Results(tmp_path / "real.json"), ["few", "many", "secret"])
    assert measured == []
    assert head.startswith(f"| data set | rows × columns | classes | {OURS} | KMeans |")
    assert few.startswith("| few | 40 × 3 | 2 | **1.000 / 1.000 / 1.000**, .25 | .500 / .000 / -.026, 12 | .750 / ")
    assert few.count("**") == 4  # FSC is as good
    assert few.endswith(", 12; 75 % labelled |")
    assert many.endswith(" | left out |")
    assert len({line.count("|") for line in (head, rule, few, many)}) == 1
