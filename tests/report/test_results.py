"""Published tables and figures as a page and as Markdown."""

import pytest

from anchorgraph.report import format_number, write_results
from anchorgraph.report.charts import bars
from anchorgraph.report.figures import curve, matrix, scatter, standalone_svg
from anchorgraph.report.svg import svg_frame


def cell(row, column, **more):
    return {"row": row, "column": column, "printed": None, "printed as": "", "mark": ""} | more


def result(kind, cells, **more):
    rows, columns = (list(dict.fromkeys(cell[axis] for cell in cells)) for axis in ("row", "column"))
    texts = {"key": "a.1", "paper": "a", "number": "Table 1", "title": "Scores <&>", "x": "", "sentence": "So it is."}
    return texts | {"kind": kind, "rows": rows, "columns": columns, "notes": ["A note."], "cells": cells} | more


SCORES = [
    cell(
        "USPS",
        "FSC",
        ours=75.41,
        spread=0.42,
        runs=10,
        fits=10,
        least=74.9,
        most=76.2,
        printed=61.1,
        **{"printed as": "61.10"},
        difference=14.3,
        verdict="differs (higher)",
        evidence="More starts.",
    ),
    cell(
        "USPS",
        "SC",
        ours=60.0,
        spread=None,
        runs=1,
        fits=1,
        **{"printed as": "64.0"},
        difference=-4.0,
        verdict="not reproduced",
        choice={"k": 5},
        choices=3,
        **{"all choices": 4},
    ),
    cell("Covtype", "FSC", **{"printed as": "3.0"}, why="no data: covtype"),
    cell("Covtype", "SC", **{"printed as": "—"}, why="the paper has no number here"),
]
SCORES[0]["mark"] = SCORES[1]["mark"] = "USPS: a part of it"


@pytest.fixture
def results():
    curves = [
        cell("1", "accuracy", ours=50.0, spread=1.0, runs=3, fits=3),
        cell("2", "accuracy", ours=60.0, spread=1.0, runs=3, fits=3),
    ]
    pictures = [
        cell("moons", "FLRL", picture=[[0, 0, 0], [1, 1, 1]], show="points", runs=1),
        cell("moons", "W", picture=[[1, 0], [0.2, 1]], show="picture of W", runs=1),
    ]
    return [
        result("score", SCORES),
        result("curves", curves, key="a.fig1", x="m"),
        result("picture", pictures, key="a.fig2"),
    ]


def test_a_page_has_tables_and_figures_and_needs_no_network(results, tmp_path):
    write_results(results, tmp_path / "page.html", title="Ours", command="anchorgraph reproduce a <b>")
    page = (tmp_path / "page.html").read_text()
    assert "Scores &lt;&amp;&gt;" in page
    assert "<code>anchorgraph reproduce a &lt;b&gt;</code>" in page
    assert "<b>75.4 ± 0.4</b>* ↑<small>61.10</small>" in page
    assert 'class="lower" title="1 run; best of 3 of 4 choices: k 5; not reproduced"><b>60.0</b>* ↓' in page
    assert "Not reproduced: USPS · SC (60.0, printed 64.0; 3 of 4 choices)." in page
    assert (
        "Differs (higher): USPS · FSC (75.4 ± 0.4, printed 61.10; single results from 74.9 to 76.2). More starts."
        in page
    )
    assert "No data here: covtype." in page
    assert "* USPS: a part of it." in page
    assert page.count("<svg") == 3
    assert "http" not in page.replace("http://www.w3.org", "")


def test_markdown_has_the_same_tables_and_pictures_beside_it(results, tmp_path):
    write_results(results, tmp_path / "index.md", title="Ours", command="anchorgraph reproduce a")
    text = (tmp_path / "index.md").read_text()
    assert "| USPS | 75.4 ± 0.4\\* ↑ *61.10* | 60.0\\* ↓ *64.0* |" in text
    assert "| Covtype |  *3.0* |  *—* |" in text
    assert "|---|---|---|" in text
    assert "1 are *differs (higher)* (`↑`) and 1 are *not reproduced* (`↓`)." in text
    pictures = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert pictures == ["a.fig1-accuracy-by-m.svg", "a.fig2-moons-flrl.svg", "a.fig2-moons-w.svg"]
    assert all(f"]({name})" in text for name in pictures)
    assert (tmp_path / pictures[0]).read_text().startswith('<svg xmlns="http://www.w3.org/2000/svg"')


def test_figures_by_hand():
    line = curve(["a", "b"], [1.0, 3.0], "x by y")
    assert line.count("<circle") == 2
    assert 'aria-label="x by y"' in line
    points = scatter([[0, 0, 0], [1, 1, 0], [0.5, 0.5, 2]], "two groups")
    assert points.count("<path") == 2
    assert "M8 232h0M232 8h0" in points
    blocks = matrix([[0, 1], [0.25, 0]], "a matrix")
    assert "M1 0.5h1" in blocks
    assert blocks.count("<path") == 2
    assert curve(["a"], [2.0], "one").count("<text") == 2  # of one value there is no range
    assert standalone_svg(line).count("<style>") == 1


def test_charts_and_figures_have_the_same_frame():
    frame = svg_frame("<path/>", "0 0 2 1", 'a "label" & more', ' fill="red"')
    label = "a &quot;label&quot; &amp; more"
    assert frame == f'<svg viewBox="0 0 2 1" role="img" aria-label="{label}" fill="red"><path/></svg>'
    start = '<svg viewBox="{}" role="img" aria-label="{}"'
    assert bars([1], ["a"], "cluster", "rows").startswith(start.format("0 0 340 220", "1 bars: rows by cluster"))
    assert matrix([[1]], "one").startswith(start.format("0 0 1 1", "one"))


def test_numbers_have_the_digits_that_are_worth_reading():
    assert [
        format_number(75.41, 0.42),
        format_number(0.123, None),
        format_number(3.0, 0.0),
        format_number(0.0123, None),
    ] == [
        "75.4 ± 0.4",
        "0.12",
        "3.00 ± 0.00",
        "0.012",
    ]
