"""``anchorgraph reproduce``: published tables and figures compared with our results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Such as fsc.2, ulge.fig4, a paper, or a .toml file; by default all."),
    ] = None,
    records: options.Records = Path("reproduced.jsonl"),
    quick: Annotated[bool, typer.Option("--quick", help="One run on a thousand rows, with small grids.")] = False,
    runs: Annotated[int | None, typer.Option(min=1, help="Maximum number of runs of a choice.")] = None,
    choices: Annotated[int | None, typer.Option(min=1, help="Maximum number of random choices of a grid.")] = None,
    limit: options.Limit = 1800.0,
    enough: options.Enough = 1800.0,
    memory: options.Memory = 8.0,
    shared: Annotated[
        Path | None,
        typer.Option(help="Keep anchors and neighbours that runs have in common here; by default, a temporary folder."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Run nothing; show the existing results.")] = False,
    report: options.Page = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Run published tables and figures again, and compare the results.

    Every cell runs in a separate process. Results are written at once: Ctrl-C loses only the current run.
    """
    with loading():
        from anchorgraph.bench import Limits, find_experiments, read_experiment
        from anchorgraph.cli.experiments import GIB, run_experiments
    run_experiments(
        [read_experiment(path, quick=quick) for path in find_experiments(names)],
        records=records,
        limits=None if show else Limits(limit, enough, int(memory * GIB), runs, choices),
        report=report,
        title="Published tables and figures beside ours",
        quiet=quiet,
        as_json=as_json,
        shared=shared,
    )
