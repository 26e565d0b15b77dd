"""Shared by reproduce and bench: run cells, print the results and write a report."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from anchorgraph.bench import Experiment, Limits, Records, compare, missing_data, run_cell
from anchorgraph.cli.files import replacing_together
from anchorgraph.cli.progress import track
from anchorgraph.datasets.load import FOLDER_VARIABLE
from anchorgraph.report import check_results_page, describe_ours, write_results
from anchorgraph.table import count
from anchorgraph.urls import shown

GIB = 2**30


def run_experiments(
    experiments: list[Experiment],
    *,
    records: Path,
    limits: Limits | None,
    report: Path | None,
    title: str,
    quiet: bool,
    as_json: bool,
    shared: Path | None = None,
) -> None:
    """Run the pending cells of some experiments, and show the results.

    Parameters
    ----------
    experiments : list of Experiment
    records : Path
    limits : Limits or None
        If None, nothing is run.
    report : Path or None
    title : str
        Title of the report.
    quiet, as_json : bool
    shared : Path, optional
        Folder for work that runs have in common; by default one that is removed afterwards.
    """
    if report is not None:
        check_results_page(report)
    if not records.parent.is_dir():
        raise ValueError(f"--records must name a file in an existing folder; got {shown(records)}.")
    stored, missing = Records(records), missing_data(experiments, fetch=limits is not None)
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True, quiet=quiet or as_json)
    for reason in missing.values():
        console.print(f"skipped: {reason}")
    if limits is not None:
        with tempfile.TemporaryDirectory() as folder:
            if shared is not None:
                shared.mkdir(parents=True, exist_ok=True)
            _run(experiments, stored, missing, limits, console, shared or Path(folder))
    results = [compare(experiment, stored, missing) for experiment in experiments]
    if as_json:
        print(json.dumps(results, ensure_ascii=False))
    elif not quiet:
        for result in results:
            _print(result)
    if limits is not None and not any(_result_text(cell) for result in results for cell in result["cells"]):
        raise ValueError(f"No cell has a result: {_reasons(results)}{_how_to_get(missing)}.")
    if report is not None:
        with replacing_together():
            command = shlex.join(["anchorgraph", *map(shown, sys.argv[1:])])
            write_results(results, report, title=title, command=command)


def _reasons(results: list[dict[str, Any]]) -> str:
    reasons = dict.fromkeys(cell["why"] for result in results for cell in result["cells"])
    return "; ".join(reasons)


def _how_to_get(missing: Iterable[str]) -> str:
    """Where the files of data sets that are missing belong, and which page is about them."""
    files = ", ".join(f"{name}.npz" for name in missing)
    where = f"the folder that the environment variable {FOLDER_VARIABLE} names"
    return f" (save {files} in {where}; docs/reproduce.md#data tells how to get them)" if files else ""


def _run(
    experiments: list[Experiment],
    records: Records,
    missing: dict[str, str],
    limits: Limits,
    console: Console,
    shared: Path,
) -> None:
    """Run every cell whose data are available; print a line when it is done, and show a bar over all cells."""
    cells = [(experiment, cell) for experiment in experiments for cell in experiment]
    wanted = [(experiment, cell) for experiment, cell in cells if cell.wanted and cell.data not in missing]
    named = [(f"{experiment.key}  {cell.row} · {cell.column}", cell) for experiment, cell in wanted]
    for name, cell in track(named, console):
        start = time.monotonic()
        tried = run_cell(cell, records, limits, shared)
        if tried:
            seconds, runs = time.monotonic() - start, count(tried, "run")
            console.print(f"{name}: {runs} in {seconds:.1f} s")


def _print(result: dict[str, Any]) -> None:
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 160)
    console.print(f"\n{result['key']}  {result['paper']}, {result['number']}: {result['title']}")
    compared = any(cell["printed as"] for cell in result["cells"])
    console.print(_comparison_table(result) if compared else _result_table(result))
    for mark in dict.fromkeys(cell["mark"] for cell in result["cells"] if cell["mark"]):
        console.print(f"* {mark}")
    console.print(result["sentence"])


def _comparison_table(result: dict[str, Any]) -> Table:
    """A table with a line for each cell: ours and the published number."""
    table = Table("", "", "ours", "printed", "difference", "runs", "", box=None, pad_edge=False)
    for cell in result["cells"]:
        difference = f"{cell['difference']:+.1f}" if result["kind"] == "score" and "difference" in cell else ""
        comment = cell.get("verdict", "") if "ours" in cell else f"skipped: {cell['why']}"
        if "choices" in cell:
            comment += f" (best of {cell['choices']} of {cell['all choices']} choices)"
        runs = f"{cell['runs']}" if "runs" in cell else ""
        table.add_row(
            cell["row"], _column(cell), _result_text(cell), cell["printed as"], difference, runs, comment.strip()
        )
    return table


def _result_table(result: dict[str, Any]) -> Table:
    """A table of our results, with a line for each row of the experiment."""
    by_position = {(cell["row"], cell["column"]): cell for cell in result["cells"]}
    columns = [_column(by_position[result["rows"][0], column]) for column in result["columns"]]
    table = Table(result["x"], *columns, box=None, pad_edge=False)
    for row in result["rows"]:
        cells = (by_position[row, column] for column in result["columns"])
        table.add_row(row, *(_result_text(cell) or f"skipped: {cell['why']}" for cell in cells))
    return table


def _column(cell: dict[str, Any]) -> str:
    return str(cell["column"]) + (" *" if cell["mark"] else "")


def _result_text(cell: dict[str, Any]) -> str:
    if "picture" in cell:
        return "a picture: see --report"
    return describe_ours(cell) if "ours" in cell else ""
