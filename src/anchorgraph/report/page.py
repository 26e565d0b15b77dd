"""A self-contained HTML page about a fitted method."""

from __future__ import annotations

import json
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

from anchorgraph.report.charts import bars, line
from anchorgraph.report.output_path import check_output_path
from anchorgraph.report.templates import template
from anchorgraph.table import write_atomically

SUFFIXES = (".html",)


def check_page(path: Path) -> None:
    """Raise an error if ``--report`` cannot be written, or jinja2 is missing."""
    check_output_path(path, "--report", SUFFIXES)
    template("page.html")


def write_page(summary: dict[str, Any], path: str | PathLike[str]) -> None:
    """Write a self-contained page, with styles, script and data.

    Parameters
    ----------
    summary : dict
        The result of :func:`~anchorgraph.report.summarise`.
    path : path-like
        An ``.html`` file; an existing one is replaced.
    """
    path = Path(path)
    check_output_path(path, "path", SUFFIXES)
    data = json.dumps(summary["points"]).replace("<", "\\u003c")  # so that no group name can end the script
    page = template("page.html").render(summary, data=data, charts=_charts(summary))
    with write_atomically(path) as unfinished:
        unfinished.write_text(page, encoding="utf-8")


def _describe_largest_gap(values: list[float]) -> str:
    """A sentence on the largest gap between eigenvalues; the gap before the first would suggest a single cluster."""
    gaps = [before - after for before, after in pairwise(values)]
    if not gaps:
        return ""
    widest = max(range(len(gaps)), key=gaps.__getitem__) + 1
    return f" The largest gap, after number {widest}, suggests {widest + 1} clusters."


def _charts(summary: dict[str, Any]) -> list[dict[str, str]]:
    """Title, sentence and picture of each chart for which the summary has data."""
    charts = []
    if sizes := summary["sizes"]:
        sentence = f"{len(sizes)} clusters of {min(sizes):,} to {max(sizes):,} rows."
        charts.append({"title": "Cluster sizes", "sentence": sentence, "svg": bars(sizes, "rows in cluster")})
    if counts := summary["probabilities"]:
        n_below = sum(counts[: len(counts) // 2])
        sentence = f"Rows by the share of their own cluster around them; {n_below:,} of them have less than 0.5."
        svg = bars(counts, "rows", [f"≤ {(number + 1) / len(counts):.1f}" for number in range(len(counts))])
        charts.append({"title": "Probabilities", "sentence": sentence, "svg": svg})
    if values := summary["eigenvalues"]:
        sentence = f"Eigenvalues of the graph, without the trivial 1: {values[0]:.3g} to {values[-1]:.3g}."
        sentence += _describe_largest_gap(values)
        charts.append({"title": "Eigenvalues", "sentence": sentence, "svg": line(values, "eigenvalue")})
    if degrees := summary["anchor_sizes"]:
        sentence = f"Rows that each anchor represents, largest first: {degrees[0]:,.5g} to {degrees[-1]:,.5g}."
        charts.append({"title": "Anchor sizes", "sentence": sentence, "svg": line(degrees, "rows of anchor")})
    if history := summary["history"]:
        sentence = f"{len(history)} iterations, from {history[0]:.5g} to {history[-1]:.5g}."
        charts.append({"title": "Convergence", "sentence": sentence, "svg": line(history, "objective by iteration")})
    if seconds := summary["seconds"]:
        total = sum(seconds.values())
        sentence = f"{total:.3g} seconds in total: " + ", ".join(f"{s} {t:.3g}" for s, t in seconds.items()) + "."
        names = list(seconds)
        charts.append({"title": "Time by stage", "sentence": sentence, "svg": bars(list(seconds.values()), "s", names)})
    return charts
