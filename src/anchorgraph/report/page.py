"""One self-contained page of a summary."""

from __future__ import annotations

import json
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

from anchorgraph.report.charts import bars, line
from anchorgraph.report.place import check_place
from anchorgraph.report.templates import template
from anchorgraph.table import appearing

SUFFIXES = (".html",)


def check_page(path: Path) -> None:
    """Refuse a ``--report`` that no page can be written to, or to begin without what makes it."""
    check_place(path, f"--report {path}", SUFFIXES)
    template("page.html")


def write_page(summary: dict[str, Any], path: str | PathLike[str]) -> None:
    """Write a page that needs nothing else: styles, script and data are in it.

    Parameters
    ----------
    summary : dict
        Of :func:`~anchorgraph.report.summarise`.
    path : path-like
        An ``.html`` file, which is replaced if it exists.
    """
    path = Path(path)
    check_place(path, f"path={str(path)!r}", SUFFIXES)
    data = json.dumps(summary["points"]).replace("<", "\\u003c")  # no name of a group ends the script
    page = template("page.html").render(summary, data=data, charts=_charts(summary))
    with appearing(path) as unfinished:
        unfinished.write_text(page, encoding="utf-8")


def _gap(values: list[float]) -> str:
    """The largest gap, from that after the first on: one cluster would be no news."""
    gaps = [before - after for before, after in pairwise(values)]
    if not gaps:
        return ""
    widest = max(range(len(gaps)), key=gaps.__getitem__) + 1
    return f" The largest gap, after number {widest}, would speak for {widest + 1} clusters."


def _charts(summary: dict[str, Any]) -> list[dict[str, str]]:
    """Title, sentence and picture of each chart that there are data for."""
    charts = []
    if sizes := summary["sizes"]:
        sentence = f"{len(sizes)} clusters of {min(sizes):,} to {max(sizes):,} rows."
        charts.append({"title": "Cluster sizes", "sentence": sentence, "svg": bars(sizes, "rows in cluster")})
    if values := summary["eigenvalues"]:
        sentence = f"Of the graph, without the trivial 1: {values[0]:.3g} to {values[-1]:.3g}.{_gap(values)}"
        charts.append({"title": "Eigenvalues", "sentence": sentence, "svg": line(values, "eigenvalue")})
    if degrees := summary["anchor_sizes"]:
        sentence = f"Rows that each anchor stands for, largest first: {degrees[0]:,.5g} to {degrees[-1]:,.5g}."
        charts.append({"title": "Anchor sizes", "sentence": sentence, "svg": line(degrees, "rows of anchor")})
    if history := summary["history"]:
        sentence = f"{len(history)} rounds, from {history[0]:.5g} to {history[-1]:.5g}."
        charts.append({"title": "Convergence", "sentence": sentence, "svg": line(history, "objective in round")})
    if seconds := summary["seconds"]:
        total = sum(seconds.values())
        sentence = f"{total:.3g} seconds in all: " + ", ".join(f"{s} {t:.3g}" for s, t in seconds.items()) + "."
        names = list(seconds)
        charts.append({"title": "Time by stage", "sentence": sentence, "svg": bars(list(seconds.values()), "s", names)})
    return charts
