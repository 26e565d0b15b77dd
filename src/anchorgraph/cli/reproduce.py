"""``anchorgraph reproduce``: published tables and figures, beside what they print."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from anchorgraph.bench import (
    Cell,
    Experiment,
    Limits,
    Records,
    compare,
    find_experiments,
    missing_data,
    read_experiment,
    run_cell,
)
from anchorgraph.cli import options
from anchorgraph.report import check_results_page, number, write_results

GIB = 2**30


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Such as fsc.2, ulge.fig4, a paper, or a .toml file; all, if none is named."),
    ] = None,
    records: Annotated[Path, typer.Option(help="Where results are kept; a second call goes on from there.")] = Path(
        "reproduced.jsonl"
    ),
    quick: Annotated[bool, typer.Option("--quick", help="One run on a thousand rows of small grids.")] = False,
    runs: Annotated[int | None, typer.Option(min=1, help="At most so many runs of a cell.")] = None,
    limit: Annotated[float, typer.Option(min=1, help="Seconds that a run may take.")] = 1800.0,
    enough: Annotated[float, typer.Option(min=0, help="Begin no run of a cell after so many seconds.")] = 1800.0,
    memory: Annotated[float, typer.Option(min=0.5, help="GiB that the process of a cell may allocate.")] = 8.0,
    show: Annotated[bool, typer.Option("--show", help="Run nothing; show what there is.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write tables and figures to this .html or .md file.")] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Run published tables and figures again, and show ours beside theirs.

    Every cell runs in a process of its own. Results are written as they come: Ctrl-C loses the run at hand alone.
    """
    if report is not None:
        check_results_page(report)
    if not records.parent.is_dir():
        raise ValueError(f"--records {records} is in no folder that exists; make it first.")
    experiments = [read_experiment(path, quick=quick) for path in find_experiments(names)]
    kept, missing = Records(records), missing_data(experiments)
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True, quiet=quiet or as_json)
    for reason in missing.values():
        console.print(f"skipped: {reason}")
    if not show:
        limits = Limits(limit, enough, int(memory * GIB), runs)
        for experiment in experiments:
            for cell in experiment:
                _run(experiment, cell, kept, missing, limits, console)
    results = [compare(experiment, kept, missing) for experiment in experiments]
    if as_json:
        print(json.dumps(results, ensure_ascii=False))
    elif not quiet:
        for result in results:
            _print(result)
    if report is not None:
        write_results(results, report, command="anchorgraph " + " ".join(sys.argv[1:]))


def _run(
    experiment: Experiment, cell: Cell, records: Records, missing: dict[str, str], limits: Limits, console: Console
) -> None:
    if not cell.wanted or cell.trials[0].spec["data"].get("load") in missing:
        return
    start = time.monotonic()
    tried = run_cell(cell, records, limits)
    if tried:
        seconds = time.monotonic() - start
        console.print(
            f"{experiment.key}  {cell.row} · {cell.column}: {tried} run{'s' * (tried > 1)} in {seconds:.1f} s"
        )


def _print(result: dict[str, Any]) -> None:
    """A line for each cell."""
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 160)
    console.print(f"\n{result['key']}  {result['paper']}, {result['number']}: {result['title']}")
    table = Table("", "", "ours", "printed", "difference", "runs", "", box=None, pad_edge=False)
    for cell in result["cells"]:
        mark = " *" if cell["mark"] else ""
        table.add_row(cell["row"], cell["column"] + mark, *_figures(cell, result["kind"]))
    console.print(table)
    for mark in dict.fromkeys(cell["mark"] for cell in result["cells"] if cell["mark"]):
        console.print(f"* {mark}")
    console.print(result["sentence"])


def _figures(cell: dict[str, Any], kind: str) -> tuple[str, ...]:
    printed = cell["words"] or number(cell["printed"], cell["printed spread"])
    if "picture" in cell:
        return "a picture", "", "", f"{cell['runs']}", "see --report"
    if "ours" not in cell:
        return "", printed, "", "", f"skipped: {cell['why']}"
    words = cell.get("verdict", "")
    if "choices" in cell:
        words += f" (best of {cell['choices']} of {cell['all choices']} choices)"
    difference = f"{cell['difference']:+.1f}" if kind == "score" and "difference" in cell else ""
    return number(cell["ours"], cell["spread"]), printed, difference, f"{cell['runs']}", words.strip()
