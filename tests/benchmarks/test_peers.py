"""What becomes of measured peers: kept lines, a table and a picture; nothing is measured here."""

import json
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import peers
import pytest
from isolated import OverTimeError, in_a_process
from peers_picture import FRAME, Panel, Point, label_boxes, picture

FIGURES = {"columns": 784, "seconds": 2.5, "before": 0.1, "mib": 95.2, "accuracy": 0.97, "nmi": 0.92, "clusters": 10}


@pytest.fixture
def measured(monkeypatch):
    """Names of the methods that were measured, each instead of a process."""
    names = []

    def answer(script, method, name, n_rows, limit):
        names.append(method)
        if method == "HDBSCAN":
            raise OverTimeError
        if method == "ONGR":
            raise RuntimeError("ONGR failed (1):\nImportError: no module")
        return FIGURES

    monkeypatch.setattr(peers, "in_a_process", answer)
    monkeypatch.setattr(peers, "version", lambda package: "1.0")
    monkeypatch.setattr(peers, "surroundings", dict)
    return names


def measure(path, limit=600.0, methods=()):
    results = peers.Results(path)
    peers.run(["mnist"], methods, {"mnist": 70_000}, limit, results)
    return results


def test_what_is_known_is_not_measured_again(measured, tmp_path):
    path = tmp_path / "results" / "peers.json"
    measure(path)
    assert measured == list(peers.PEERS)
    measured.clear()
    measure(path)
    assert measured == ["ONGR"]  # what failed may do better
    measured.clear()
    measure(path, limit=700.0)
    assert measured == ["ONGR", "HDBSCAN"]
    measured.clear()
    measure(path, methods=["FSC"])
    assert measured == ["FSC"]


def test_each_line_is_kept_as_it_comes(measured, tmp_path):
    path = tmp_path / "peers.json"
    measure(path, methods=["FSC"])
    measure(path, methods=["HDBSCAN"])
    kept = json.loads(path.read_text())["lines"]
    assert [line["method"] for line in kept] == ["FSC", "HDBSCAN"]
    assert kept[0]["nmi"] == 0.92
    assert kept[0]["package"] == "anchorgraph 1.0"
    assert kept[1]["over"] == 600


def test_the_table_says_what_each_took(measured, tmp_path):
    lines = list(peers.table_of(measure(tmp_path / "peers.json")))
    assert lines[0] == "| | MNIST, 70,000 × 784: s | MiB | ACC | NMI |"
    assert "| `FSC` | 2.5 | 95 | 0.970 | 0.920 |" in lines
    assert "| HDBSCAN | over 600 | | | |" in lines
    assert "| `ONGR` | failed | | | |" in lines
    assert len({line.count("|") for line in lines}) == 1


def test_the_picture_has_a_point_for_what_was_in_time(measured, tmp_path):
    results = measure(tmp_path / "peers.json")
    panel = peers.panel_of("mnist", results.of("mnist"))
    assert panel.left_out == "over 600 s: HDBSCAN"
    root = ElementTree.fromstring(picture([panel, panel], "NMI"))
    circles = [node for node in root.iter() if node.tag.endswith("circle")]
    assert len(circles) == 2 * (len(peers.PEERS) - 2)
    ours = [node[0].text for node in circles if node.get("class") == "ours"]
    assert ours == 2 * [f"{name}: 2.50 s, NMI 0.920" for name in ("Communities", "FSC", "LSC")]


def test_a_process_that_takes_too_long_ends(tmp_path):
    script = tmp_path / "script.py"
    folder = str(Path(peers.__file__).parent)
    script.write_text(
        f"import sys, time\nsys.path.insert(0, {folder!r})\nfrom isolated import end_after\n"
        "end_after(float(sys.argv[2]))\ntime.sleep(600)"
    )
    with pytest.raises(OverTimeError):
        in_a_process(script, 0.01)


def test_up_is_better_and_left_is_faster():
    points = [Point("slow", 100.0, 0.9, False), Point("<fast>", 1.0, 0.4, True)]
    drawn = picture([Panel("made", points)], "NMI")
    (x_slow, y_slow), (x_fast, y_fast) = (map(float, found) for found in re.findall(r'cx="(.*?)" cy="(.*?)"', drawn))
    assert FRAME.left < x_fast < x_slow < FRAME.right
    assert FRAME.top < y_slow < y_fast < FRAME.bottom
    assert "&lt;fast&gt;" in drawn


def test_a_picture_of_nothing_is_one():
    assert "over 600 s: all" in picture([Panel("made", [], "over 600 s: all")], "NMI")


def test_names_do_not_cover_each_other():
    """Four methods of nearly the same figures, in a corner."""
    places = [(FRAME.right - 3, FRAME.top + 3 * n) for n in range(4)]
    boxes = label_boxes([Point(f"method number {n}", 1.0, 0.5, False) for n in range(4)], places)
    assert all(one.overlap(other) == 0 for one, other in combinations(boxes, 2))
    assert all(box.overlap(FRAME) == pytest.approx(box.area()) for box in boxes)
