"""``anchorgraph demo``: clusters and a map first, a report that is opened where somebody sees it, then all methods."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from anchorgraph.catalogue import CATALOGUE
from anchorgraph.cli import all_methods
from anchorgraph.cli.app import run
from anchorgraph.cli.browser import open_page
from anchorgraph.cli.text_map import HEIGHT, WIDTH, text_map


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def opened(monkeypatch):
    """Pages that a browser was asked to open."""
    pages = []
    monkeypatch.setattr(all_methods, "open_page", pages.append)
    return pages


@pytest.fixture
def without_others(monkeypatch):
    """The long table has one line, and nothing is fitted for it."""
    monkeypatch.setattr(all_methods, "OTHERS", [])
    monkeypatch.setattr(all_methods, "_scikit_learn", lambda data: [("KMeans", "itself", lambda: (data.y, data.y))])


def test_the_demo_shows_all_methods(there, opened, capsys):
    assert run(["demo", "--json", "--report", "page.html"]) == 0
    page = (there / "page.html").read_text()
    assert "<h1>Digits</h1>" in page
    assert "Communities" in page
    rows = json.loads(capsys.readouterr().out)
    assert [row["method"] for row in rows[:4]] == ["Communities", "AnchorMap", "KMeans", "SpectralClustering"]
    accuracy = {row["method"]: row["accuracy"] for row in rows}
    shown = {method.__name__ for method in CATALOGUE.values() if method.card.task in ("clustering", "embedding")}
    assert set(accuracy) == shown | {"KMeans", "SpectralClustering"}
    assert accuracy["Communities"] > accuracy["FSC"] > accuracy["KMeans"]
    assert accuracy["AnchorMap"] > accuracy["KMeans"]
    assert opened == []


def test_clusters_map_and_report_come_before_the_comparison(there, opened, without_others, capsys):
    (there / "page.html").touch()
    assert run(["demo", "--report", "page.html"]) == 0
    told = capsys.readouterr().out
    assert "page.html (replaced)\n" in told
    places = [told.index(word) for word in ("Communities", "AnchorMap", "Each character", "report:", "KMeans")]
    assert places == sorted(places)
    assert str(there / "page.html") in told
    assert opened == [Path("page.html")]


@pytest.mark.parametrize("options", [["--report", "page.html", "--no-open"], ["--report", "page.html", "--quiet"], []])
def test_nothing_is_opened_that_was_not_asked_for(options, there, opened, without_others, capsys):
    assert run(["demo", *options]) == 0
    assert opened == []
    assert (capsys.readouterr().out == "") == ("--quiet" in options)


@pytest.fixture
def asked(monkeypatch):
    """Command lines that were started, none of them really."""
    lines = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: lines.append(command))
    return lines


def sit_in_front(monkeypatch, *, terminal=True, platform="linux", **variables):
    for name in ("CI", "SSH_CONNECTION", "SSH_TTY", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "platform", platform)


@pytest.mark.parametrize(
    "here", [{"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"platform": "darwin"}, {"platform": "win32"}]
)
def test_a_page_is_opened_where_somebody_sees_it(here, there, asked, monkeypatch):
    sit_in_front(monkeypatch, **here)
    assert open_page(Path("page.html"))
    assert asked == [[sys.executable, "-m", "webbrowser", (there / "page.html").as_uri()]]


@pytest.mark.parametrize(
    "here",
    [
        {},
        {"DISPLAY": ":0", "terminal": False},
        {"DISPLAY": ":0", "CI": "true"},
        {"DISPLAY": ":10", "SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"},
        {"platform": "darwin", "SSH_TTY": "/dev/ttys000"},
        {"platform": "win32", "terminal": False},
    ],
)
def test_elsewhere_none_is(here, asked, monkeypatch):
    sit_in_front(monkeypatch, **here)
    assert not open_page(Path("page.html"))
    assert asked == []


def test_the_map_as_text_has_up_above_and_right_on_the_right():
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    found = text_map(corners, np.array([1, 2, 3, 4, 4, 5]), np.array([0, 1, 1, 2, 2, 0]))
    lines = found.plain.splitlines()
    assert (len(lines), {len(line) for line in lines}) == (HEIGHT, {WIDTH})
    assert (lines[0][0], lines[0][-1], lines[-1][0], lines[-1][-1]) == ("3", "4", "1", "2")
    assert sum(character != " " for line in lines for character in line) == 4
    above_left, above_right, below_left, below_right = (span.style for span in found.spans)
    assert above_left == below_right
    assert len({above_right, below_left, below_right}) == 3


def test_a_map_of_equal_places_is_one_character():
    assert text_map(np.ones((3, 2)), np.array([7, 7, 8]), np.zeros(3, int)).plain.strip() == "7"
