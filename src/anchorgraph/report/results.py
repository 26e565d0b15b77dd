"""Published tables and figures beside ours, as a page or as Markdown with pictures."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Any

import anchorgraph
from anchorgraph.bench.compare import HIGHER, NOT_REPRODUCED, REPRODUCED
from anchorgraph.report.figures import curve, matrix, scatter, standalone
from anchorgraph.report.place import check_place
from anchorgraph.report.templates import template
from anchorgraph.table import appearing

SIGNS = {REPRODUCED: "=", HIGHER: "↑", NOT_REPRODUCED: "↓"}
FORMATS = (".html", ".md")


def check_results_page(path: Path) -> None:
    """Refuse a ``--report`` that no page can be written to, or to begin without what makes it."""
    check_place(path, f"--report {path}", FORMATS)
    template(f"results{path.suffix}")


def write_results(results: list[dict[str, Any]], path: str | PathLike[str], *, title: str, command: str) -> None:
    """Write tables and figures to a file: HTML with everything in it, or Markdown with pictures beside it.

    Parameters
    ----------
    results : list of dict
        Of :func:`anchorgraph.bench.compare`.
    path : path-like
        ``.html`` or ``.md``.
    title : str
    command : str
        What made them, to be shown.
    """
    path = Path(path)
    check_place(path, f"path={str(path)!r}", FORMATS)
    page = template(f"results{path.suffix}")
    views = [_view(result) for result in results]
    if path.suffix == ".md":
        for view in views:
            for figure in view["figures"]:
                figure["file"] = f"{view['key']}-{_plain(figure['title'])}.svg"
                with appearing(path.parent / figure["file"]) as unfinished:
                    unfinished.write_text(standalone(figure["svg"]), encoding="utf-8")
    compared = any(cell["printed"] for view in views for line in view["table"] for cell in line["cells"])
    words = {"title": title, "command": command, "version": anchorgraph.__version__}
    text = page.render(views=views, compared=compared, overview=_overview(views), **words)
    with appearing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def _plain(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _overview(views: list[dict[str, Any]]) -> dict[str, int]:
    """How many cells of all tables of scores came out how."""
    verdicts = [cell["verdict"] for view in views for line in view["table"] for cell in line["cells"]]
    return {word: verdicts.count(word) for word in SIGNS}


def _view(result: dict[str, Any]) -> dict[str, Any]:
    """What a page shows of a result."""
    by_place = {(cell["row"], cell["column"]): cell for cell in result["cells"]}
    table = []
    if result["kind"] != "picture":
        for row in result["rows"]:
            cells = [_shown(by_place[row, column]) for column in result["columns"]]
            table.append({"row": row, "cells": cells})
    stopped = [cell for cell in result["cells"] if cell.get("why", "").startswith(("over", "The process"))]
    return result | {
        "table": table,
        "figures": list(_figures(result, by_place)),
        "marks": list(dict.fromkeys(cell["mark"] for cell in result["cells"] if cell["mark"])),
        "missing": sorted({cell["why"].removeprefix("no data: ") for cell in result["cells"] if _no_data(cell)}),
        "lower": [_sentence(cell) for cell in result["cells"] if cell.get("verdict") == NOT_REPRODUCED],
        "stopped": [f"{cell['row']} · {cell['column']} ({cell['why']})" for cell in stopped],
        "effort": _effort(result["cells"]),
    }


def _no_data(cell: dict[str, Any]) -> bool:
    return str(cell.get("why", "")).startswith("no data")


def _sentence(cell: dict[str, Any]) -> str:
    return f"{cell['row']} · {cell['column']} ({number(cell['ours'], cell['spread'])}, printed {cell['printed as']})"


def _shown(cell: dict[str, Any]) -> dict[str, Any]:
    found = "ours" in cell
    return {
        "ours": number(cell["ours"], cell["spread"]) if found else "",
        "printed": cell["printed as"],
        "verdict": cell.get("verdict", ""),
        "sign": SIGNS.get(cell.get("verdict", ""), ""),
        "mark": "*" if cell["mark"] and found else "",
        "why": cell.get("why", ""),
        "detail": _detail(cell) if found else "",
    }


def _detail(cell: dict[str, Any]) -> str:
    """What is said of a cell to who points at it."""
    runs, fits = cell["runs"], cell["fits"]
    parts = [f"{runs} results of {_counted(fits, 'fit')}" if runs > fits else _counted(runs, "run")]
    if "choices" in cell:
        choice = ", ".join(f"{name} {value}" for name, value in cell["choice"].items())
        parts.append(f"best of {cell['choices']} of {cell['all choices']} choices: {choice}")
    return "; ".join(parts)


def _counted(n: int, thing: str) -> str:
    return f"{n} {thing}" + "s" * (n != 1)


def _effort(cells: list[dict[str, Any]]) -> str:
    """How often cells were run, from the least to the most."""
    runs = [cell["runs"] for cell in cells if "ours" in cell]
    if not runs:
        return ""
    few, many = min(runs), max(runs)
    words = f"{few} to {many} runs a cell" if few < many else f"{_counted(many, 'run')} a cell"
    choices = [(cell["choices"], cell["all choices"]) for cell in cells if "choices" in cell]
    if choices:
        tried, there = [c for c, _ in choices], max(a for _, a in choices)
        some = f"{min(tried)} to {max(tried)}" if min(tried) < max(tried) else f"{tried[0]}"
        words += f", the best of {some} choices" + (f" of up to {there}" if there > max(tried) else "")
    return words


def _figures(result: dict[str, Any], by_place: dict[tuple[str, str], dict[str, Any]]) -> Any:
    """A picture for each column of curves, or for each cell of pictures."""
    if result["kind"] == "curves":
        for column in result["columns"]:
            cells = [by_place[row, column] for row in result["rows"]]
            known = [cell for cell in cells if "ours" in cell]
            if known:
                words = f"{column} by {result['x']}"
                svg = curve([cell["row"] for cell in known], [cell["ours"] for cell in known], words)
                yield {"title": words, "svg": svg}
    if result["kind"] == "picture":
        for cell in result["cells"]:
            if "picture" in cell:
                title = f"{cell['row']} · {cell['column']}"
                draw = scatter if cell["show"] == "points" else matrix
                yield {"title": title, "svg": draw(cell["picture"], title)}


def number(value: float, spread: float | None) -> str:
    """A number with its spread, with as many digits as are worth reading."""
    digits = next(digits for digits, least in ((1, 10), (2, 0.1), (3, 0)) if abs(value) >= least)
    return f"{value:.{digits}f}" + ("" if spread is None else f" ± {spread:.{digits}f}")
