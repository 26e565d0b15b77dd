"""The benchmark of maps: its measures on rows with known answers, and what becomes of what was measured."""

import argparse
import json
import sys

import map_quality
import maps
import numpy as np
import pytest
from isolated import OverTimeError
from lines import Lines
from maps import CHEAP, OURS, Method, Task
from maps_picture import HEAD, HEIGHT, WIDTH, Panel, limits_of, picture
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph.plot.colours import COLOURS

FIGURES = {
    "rows": 70_000,
    "columns": 784,
    "before": 0.5,
    "seconds": 4.25,
    "seconds_of_g": 0.6,
    "peak_mib": 2048,
    "mib": 95.2,
}
FIGURES |= {"accuracy": 0.97, "trustworthiness": 0.96, "silhouette": 0.5, "placed": 0.9}


@pytest.fixture
def islands():
    """Four groups of fifty rows in eight columns."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(4), 50)
    return rng.normal(size=(4, 8))[y] * 3 + rng.normal(size=(200, 8)), y


def test_neighbours_vote_as_in_scikit_learn(islands):
    X, y = islands
    others = [np.delete(np.arange(len(X)), row) for row in range(len(X))]
    votes = [KNeighborsClassifier(10).fit(X[own, :2], y[own]).predict(X[[row], :2]) for row, own in enumerate(others)]
    share = np.mean(np.concatenate(votes) == y)
    assert 0.3 < share < 0.99  # two of the columns do not tell all groups apart
    assert map_quality.neighbor_accuracy(X[:, :2], y) == share


def test_a_row_has_no_vote_on_itself_where_many_are_at_one_place():
    y = np.arange(40) % 2
    assert map_quality.neighbor_accuracy(np.zeros((40, 2)), y) <= 0.5
    assert map_quality.neighbor_accuracy(np.repeat([[0.0, 0.0], [9.0, 9.0]], 20, axis=0), np.repeat([0, 1], 20)) == 1


def test_new_rows_have_the_votes_of_old_ones(islands):
    X, y = islands
    is_new = np.arange(len(X)) % 7 == 6
    expected = KNeighborsClassifier(10).fit(X[~is_new, :2], y[~is_new]).score(X[is_new, :2], y[is_new])
    assert map_quality.placed_accuracy(X[~is_new, :2], y[~is_new], X[is_new, :2], y[is_new]) == expected


def test_a_map_without_structure_is_bad_by_every_measure(islands):
    X, y = islands
    good = map_quality.quality(X, y, PCA(2).fit_transform(X))
    bad = map_quality.quality(X, y, np.random.default_rng(1).random((len(X), 2)))
    assert all(bad[key] + 0.2 < good[key] <= 1 for key in ("accuracy", "trustworthiness", "silhouette"))


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """PCA in place of every method, made rows in place of data sets, and folders that are not those of the project."""
    methods = {name: Method(lambda seed: StandIn(2), "numpy", name, 50) for name in maps.METHODS}
    monkeypatch.setattr(maps, "METHODS", methods)
    monkeypatch.setattr(maps, "MADE", {"million": (300, 6, 3), "ten_million": (400, 5, 3)})
    monkeypatch.setattr(maps, "POSITIONS", tmp_path / "maps")
    monkeypatch.setattr(maps, "seconds_of_g", lambda runs: 0.5)
    monkeypatch.setattr(maps, "memory_of", lambda work: (work(), {"peak": 2**31, "beyond": 2**20}))
    monkeypatch.setattr(maps, "end_after", lambda seconds: None)
    monkeypatch.setattr(maps, "surroundings", dict)
    return tmp_path


class StandIn(PCA):
    """Reads and writes files, as AnchorMap does."""

    def fit(self, X, y=None):
        return super().fit(np.load(X) if isinstance(X, str) else X)

    def transform(self, X, out=None):
        found = super().transform(np.load(X) if isinstance(X, str) else X)
        return found if out is None else np.save(out, found)


def test_a_map_is_measured_and_kept(quick):
    task = Task("digits", OURS)
    found = maps.measure(task, 350, 60.0, "")
    assert (found["rows"], found["columns"]) == (350, 64)
    assert 40 < found["new_rows"] < 60  # a seventh of the digits
    assert found["seconds_of_g"] == 0.5
    assert (found["peak_mib"], found["mib"]) == (2048, 1)
    with np.load(maps.positions_file(task, 350)) as kept:
        assert kept["positions"].shape == (350, 2)
        assert map_quality.neighbor_accuracy(kept["positions"], kept["y"]) == pytest.approx(found["accuracy"], abs=0.02)
    assert 0.4 < found["placed"] <= 1


def test_made_rows_have_no_new_ones(quick):
    assert "placed" not in maps.measure(Task("million", OURS), sys.maxsize, 60.0, "")


def test_a_map_of_a_file_is_a_file(quick):
    found = maps.measure_file(Task("ten_million", CHEAP), sys.maxsize, 60.0, quick)
    assert (found["rows"], found["columns"]) == (400, 5)
    assert found["us_a_row"] == pytest.approx(1e6 * found["seconds"] / 400)
    assert np.load(quick / "map.npy").shape == (400, 2)
    assert found["accuracy"] > 0.5


@pytest.fixture
def measured(quick, monkeypatch):
    """Tasks that were measured, each instead of a process."""
    found = []

    def answer(script, data, method, seed, most, limit, folder):
        found.append(Task(data, method, seed))
        if method == "openTSNE":
            raise OverTimeError
        return FIGURES | {"accuracy": 0.97 + 0.01 * seed, "seconds_of_g": 0.9 - 0.1 * seed}

    monkeypatch.setattr(maps, "in_a_process", answer)
    monkeypatch.setattr(maps, "is_available", lambda name: name != "fashion_mnist")
    return found


def lines_at(folder):
    return Lines(folder / "maps.json", Task._fields)


def test_what_is_known_is_measured_again_only_if_asked(measured, tmp_path):
    tasks = maps.SECTIONS["mnist"] + maps.SECTIONS["peers"]
    maps.run(tasks, sys.maxsize, 600.0, lines_at(tmp_path), again=False)
    assert measured[:5] == [Task("mnist", OURS, seed) for seed in range(5)]
    assert measured.count(Task("mnist", OURS)) == 1  # for both sections
    assert {task.data for task in measured} == set(maps.PEER_DATA) - {"fashion_mnist"}
    measured.clear()
    maps.run(tasks, sys.maxsize, 600.0, lines_at(tmp_path), again=False)
    assert measured == []
    maps.run(tasks[:2], sys.maxsize, 600.0, lines_at(tmp_path), again=True)
    assert measured == tasks[:2]


def test_the_table_has_a_row_for_each_map(measured, tmp_path):
    lines, tasks = lines_at(tmp_path), [Task("mnist", method) for method in (OURS, "openTSNE", "UMAP")]
    maps.run(tasks[:2], sys.maxsize, 600.0, lines, again=False)
    rows = list(maps.table_of(lines, tasks))
    assert rows[2] == "| MNIST, 70,000 × 784 | AnchorMap | 4.25 | 0.5 | 95 | 0.970 | 0.960 | 0.500 | 0.900 |"
    assert rows[3].startswith("| MNIST | openTSNE | over 600 |")
    assert len(rows) == 4
    assert len({row.count("|") for row in rows}) == 1


def test_targets_are_means_over_seeds(measured, tmp_path):
    lines = lines_at(tmp_path)
    maps.run([*maps.SECTIONS["mnist"], Task("million", OURS)], sys.maxsize, 600.0, lines, again=False)
    by_name = {target.what.partition(" (")[0]: target for target in maps.targets_of_mnist(lines)}
    accuracy = by_name["10-NN accuracy in the map"]
    assert accuracy.what.endswith("(0.97 to 1.01, 5 seeds)")
    assert (accuracy.got, accuracy.limit, accuracy.is_least) == (pytest.approx(0.99), 0.96, True)
    of_g = by_name["G of a fit"]
    assert (of_g.got, of_g.limit, of_g.is_least) == (pytest.approx(4.25 / 0.5), 8, False)  # the shortest G
    seconds, memory = maps.targets_of_size(lines)
    assert (seconds.got, seconds.limit) == (4.25, 120)
    assert (memory.got, memory.limit) == (pytest.approx(2.147, abs=0.001), 4)


def test_the_picture_is_of_what_was_measured(quick, monkeypatch):
    """Of MNIST's maps and of the clusters in the results of peers, or a sentence on what is missing."""
    monkeypatch.setattr(maps, "RESULTS", quick)
    drawn = []
    monkeypatch.setattr(maps, "picture", lambda panels, path: drawn.append((panels, path)))
    chosen = argparse.Namespace(sections=[], data=[], only=[], again=False, rows=None, limit=600.0, picture=True)
    with pytest.raises(SystemExit, match="AnchorMap or Communities was not measured here"):
        maps.main(chosen)
    clusters = [
        {"data": "mnist", "method": name, "nmi": 0.9, "seconds": 3.14} for name in ("Communities", "UMAP + k-means")
    ]
    (quick / "peers.json").write_text(json.dumps({"lines": clusters}))
    maps.POSITIONS.mkdir()
    for method in (OURS, "UMAP"):
        lines_at(quick).add(Task("mnist", method)._asdict() | FIGURES | {"rows": 3})
        np.savez(maps.positions_file(Task("mnist", method), 3), positions=np.eye(3)[:, :2], y=np.arange(3))
    maps.main(chosen)
    ((ours, others), path) = drawn[0]
    assert path == maps.PICTURE
    assert ours.title == "AnchorMap: 4.2 s\nclusters by Communities: NMI 0.90, 3.1 s"
    assert others.title == "UMAP: 4.2 s\nclusters by UMAP + k-means: NMI 0.90, 3.1 s"
    np.testing.assert_array_equal(ours.y, [0, 1, 2])


def test_every_class_has_its_colour(tmp_path):
    pytest.importorskip("matplotlib", reason="the picture is drawn with matplotlib")
    from PIL import Image

    y = np.arange(1000) % 2
    panel = Panel("a map\nof two classes", np.column_stack([y, np.linspace(0, 1, 1000)]), y)
    picture([panel, panel], tmp_path / "maps.png")
    with Image.open(tmp_path / "maps.png") as drawn:
        assert drawn.size == (2 * WIDTH, HEIGHT + HEAD)
        left = np.asarray(drawn.convert("RGB"))[HEAD:, :WIDTH].reshape(-1, 3).astype(int)
    for colour in COLOURS[:2]:
        assert np.abs(left - list(bytes.fromhex(colour[1:]))).max(1).min() < 24


def test_a_picture_has_one_scale_and_its_middle_in_the_middle():
    positions = np.random.default_rng(0).random((1000, 2)) * (10, 1)
    (left, right), (bottom, top) = limits_of(positions)
    assert (right - left) / (top - bottom) == pytest.approx(WIDTH / HEIGHT)
    assert (left + right) / 2 == pytest.approx(5, abs=0.1)
    assert (left < 0, right > 10) == (True, True)
