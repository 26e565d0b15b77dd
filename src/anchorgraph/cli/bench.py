"""``anchorgraph bench``: several methods on one data set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def bench(
    data: Annotated[str, typer.Argument(help="Name of a data set with classes; see 'anchorgraph datasets'.")],
    methods: Annotated[str | None, typer.Option(help="Keys of methods, separated by commas; by default all.")] = None,
    prepare: Annotated[str, typer.Option(help="Preparation of the rows, such as standardise.")] = "dense",
    runs: Annotated[int, typer.Option(min=1, help="Runs of each method.")] = 3,
    records: options.Records = Path("bench.jsonl"),
    limit: options.Limit = 600.0,
    enough: options.Enough = 600.0,
    memory: options.Memory = 8.0,
    report: options.Page = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Compare methods on a data set: agreement with its classes, and time.

    Every method runs in a separate process with limits; a second call continues where the first was stopped.
    """
    with loading():
        from anchorgraph.bench import Limits, methods_on_data
        from anchorgraph.cli.experiments import GIB, run_experiments
        from anchorgraph.datasets import available, load
    if data not in available():
        load(data)  # from OpenML, or not at all
    run_experiments(
        [methods_on_data(data, options.split(methods), runs=runs, prepare=prepare)],
        records=records,
        limits=Limits(limit, enough, int(memory * GIB)),
        report=report,
        title=f"Methods on {data}",
        quiet=quiet,
        as_json=as_json,
    )
