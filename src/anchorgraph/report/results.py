"""Published tables and figures next to our results, as an HTML page or as Markdown with pictures."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Any

import anchorgraph
from anchorgraph.bench.verdict import HIGHER, NOT_REPRODUCED, REPRODUCED, TOO_FEW, TOO_LONG
from anchorgraph.report.figures import curve, matrix, scatter, standalone_svg
from anchorgraph.report.output_path import check_output_path
from anchorgraph.report.templates import template
from anchorgraph.table import count, write_atomically

SIGNS = {REPRODUCED: "=", HIGHER: "↑", NOT_REPRODUCED: "↓", TOO_FEW: "?", TOO_LONG: "…"}
FORMATS = (".html", ".md")


def check_results_page(path: Path) -> None:
    """Raise an error if ``--report`` cannot be written, or jinja2 is missing."""
    check_output_path(path, "--report", FORMATS)
    template(f"results{path.suffix}")


def write_results(results: list[dict[str, Any]], path: str | PathLike[str], *, title: str, command: str) -> None:
    """Write tables and figures to a file: self-contained HTML, or Markdown with pictures in the same folder.

    What the papers claim is on the page itself, or beside Markdown in ``claims.md``.

    Parameters
    ----------
    results : list of dict
        Results of :func:`anchorgraph.bench.compare`.
    path : path-like
        ``.html`` or ``.md``.
    title : str
    command : str
        The command that produced the results, shown on the page.
    """
    path = Path(path)
    check_output_path(path, "path", FORMATS)
    page = template(f"results{path.suffix}")
    views = [_view(result) for result in results]
    if path.suffix == ".md":
        for view in views:
            for figure in view["figures"]:
                figure["file"] = f"{view['key']}-{_slug(figure['title'])}.svg"
                with write_atomically(path.parent / figure["file"]) as unfinished:
                    unfinished.write_text(standalone_svg(figure["svg"]), encoding="utf-8")
    compared = any(cell["printed"] for view in views for line in view["table"] for cell in line["cells"])
    header = {"title": title, "command": command, "version": anchorgraph.__version__}
    counts = _count_verdicts(views)
    text = page.render(views=views, compared=compared, counts=counts, papers=_claims_by_paper(results), **header)
    with write_atomically(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    if path.suffix == ".md" and any(result.get("claims") for result in results):
        with write_atomically(path.parent / "claims.md") as unfinished:
            claims = template("claims.md").render(papers=_claims_by_paper(results))
            unfinished.write_text(claims, encoding="utf-8")


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _count_verdicts(views: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The number of cells with each verdict, and its sign."""
    verdicts = [cell["verdict"] for view in views for line in view["table"] for cell in line["cells"]]
    counted = [{"verdict": word, "sign": sign, "n_cells": verdicts.count(word)} for word, sign in SIGNS.items()]
    return [one for one in counted if one["n_cells"]]


def _claims_by_paper(results: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The claims of each paper, with the table or figure that each is about."""
    papers: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        claims = [claim | {"where": result["number"]} for claim in result.get("claims", ())]
        if claims:
            papers.setdefault(result["paper"], []).extend(claims)
    return papers


def _view(result: dict[str, Any]) -> dict[str, Any]:
    """The result of an experiment as the templates use it."""
    by_position = {(cell["row"], cell["column"]): cell for cell in result["cells"]}
    table = []
    if result["kind"] != "picture":
        for row in result["rows"]:
            cells = [_table_cell(by_position[row, column]) for column in result["columns"]]
            table.append({"row": row, "cells": cells})
    stopped = [cell for cell in result["cells"] if cell.get("why", "").startswith(("over", "The process"))]
    return result | {
        "table": table,
        "figures": list(_figures(result, by_position)),
        "marks": list(dict.fromkeys(cell["mark"] for cell in result["cells"] if cell["mark"])),
        "missing": sorted({cell["why"].removeprefix("no data: ") for cell in result["cells"] if _has_no_data(cell)}),
        "averages": _averages(result),
        "lower": _described(result["cells"], NOT_REPRODUCED),
        "higher": _described(result["cells"], HIGHER),
        "stopped": [f"{cell['row']} · {cell['column']} ({cell['why']})" for cell in stopped],
        "effort": _effort(result["cells"]),
    }


def _has_no_data(cell: dict[str, Any]) -> bool:
    return str(cell.get("why", "")).startswith("no data")


def _described(cells: list[dict[str, Any]], verdict: str) -> list[dict[str, str]]:
    """The cells with a verdict by what is known of its reason: cells with the same one are told together."""
    by_reason: dict[str, list[str]] = {}
    for cell in cells:
        if cell.get("verdict") == verdict:
            by_reason.setdefault(cell.get("evidence", ""), []).append(_describe_cell(cell))
    return [{"cells": "; ".join(described), "why": why} for why, described in by_reason.items()]


def _describe_cell(cell: dict[str, Any]) -> str:
    parts = [f"{describe_ours(cell)}, printed {cell['printed as']}"]
    if cell["runs"] > 1 and "mean" not in cell:
        parts.append(f"single results from {format_number(cell['least'], None)} to {format_number(cell['most'], None)}")
    if "choices" in cell:
        parts.append(f"{cell['choices']} of {cell['all choices']} choices")
    if "mean" in cell:
        parts.append(f"{format_number(cell['mean'], cell['spread'])} in {count(cell['runs'], 'run')} of the best")
    return f"{cell['row']} · {cell['column']} ({'; '.join(parts)})"


def describe_ours(cell: dict[str, Any]) -> str:
    """Our number of a compared cell, with the spread of the runs if it is their mean."""
    return format_number(cell["ours"], None if "mean" in cell else cell["spread"])


def _averages(result: dict[str, Any]) -> list[str]:
    """A sentence for each line of means: ours and the printed ones over the same data."""
    lines: dict[str, list[dict[str, Any]]] = {}
    for average in result.get("averages", ()):
        lines.setdefault(average["line"], []).append(average)
    return [f"{line} over what was run: " + ", ".join(map(_average, averages)) for line, averages in lines.items()]


def _average(one: dict[str, Any]) -> str:
    ours, printed = (format_number(one[name], None) for name in ("ours", "printed"))
    return f"{one['method']} {ours} *{printed}* ({one['n_lines']})"


def _table_cell(cell: dict[str, Any]) -> dict[str, Any]:
    found = "ours" in cell
    return {
        "ours": describe_ours(cell) if found else "",
        "printed": cell["printed as"],
        "verdict": cell.get("verdict", ""),
        "sign": SIGNS.get(cell.get("verdict", ""), ""),
        "mark": "*" if cell["mark"] and found else "",
        "why": cell.get("why", ""),
        "detail": _detail(cell) if found else "",
    }


def _detail(cell: dict[str, Any]) -> str:
    """The tooltip of a cell."""
    runs, fits = cell["runs"], cell["fits"]
    parts = [f"{runs} results of {count(fits, 'fit')}" if runs > fits else count(runs, "run")]
    if "choices" in cell:
        choice = ", ".join(f"{name} {value}" for name, value in cell["choice"].items())
        parts.append(f"best of {cell['choices']} of {cell['all choices']} choices: {choice}")
    if "mean" in cell:
        parts.append(f"its mean is {format_number(cell['mean'], cell['spread'])}")
    return "; ".join(parts)


def _effort(cells: list[dict[str, Any]]) -> str:
    """The smallest and largest number of runs of a cell, and of choices tried."""
    runs = [cell["runs"] for cell in cells if "ours" in cell]
    if not runs:
        return ""
    few, many = min(runs), max(runs)
    text = f"{few} to {many} runs a cell" if few < many else f"{count(many, 'run')} a cell"
    choices = [(cell["choices"], cell["all choices"]) for cell in cells if "choices" in cell]
    if choices:
        tried, available = [c for c, _ in choices], max(a for _, a in choices)
        some = f"{min(tried)} to {max(tried)}" if min(tried) < max(tried) else f"{tried[0]}"
        text += f", the best of {some} choices" + (f" of up to {available}" if available > max(tried) else "")
    return text


def _figures(result: dict[str, Any], by_position: dict[tuple[str, str], dict[str, Any]]) -> Any:
    """A picture for each column of a figure of curves, or for each cell with a picture."""
    if result["kind"] == "curves":
        for column in result["columns"]:
            cells = [by_position[row, column] for row in result["rows"]]
            known = [cell for cell in cells if "ours" in cell]
            if known:
                title = f"{column} by {result['x']}"
                svg = curve([cell["row"] for cell in known], [cell["ours"] for cell in known], title)
                yield {"title": title, "svg": svg}
    if result["kind"] == "picture":
        for cell in result["cells"]:
            if "picture" in cell:
                title = f"{cell['row']} · {cell['column']}"
                draw = scatter if cell["show"] == "points" else matrix
                yield {"title": title, "svg": draw(cell["picture"], title)}


def format_number(value: float, spread: float | None) -> str:
    """A number with its spread, with 1 to 3 decimals depending on its size."""
    digits = next(digits for digits, least in ((1, 10), (2, 0.1), (3, 0)) if abs(value) >= least)
    return f"{value:.{digits}f}" + ("" if spread is None else f" ± {spread:.{digits}f}")
