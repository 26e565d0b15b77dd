"""``python -m fuzz estimators --cases 100000``: cases that try to break the package, and a table of what came of them.

``python -m fuzz estimators --case 4711`` repeats one of them in this process. ``python -m fuzz table`` with files that
``--json`` wrote prints their tables, and with ``--page docs/reliability.md`` writes them to that page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fuzz.run import BAD, Outcome, outcome_of, run_cases
from fuzz.suites import SUITES
from fuzz.table import as_markdown, counted, write_tables


def main() -> int:
    """The exit code is 1 where any outcome is bad."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("suite", choices=[*SUITES, "table"])
    parser.add_argument("files", nargs="*", type=Path, help="of earlier runs, for their tables")
    parser.add_argument("--page", type=Path, help="write the tables to this page")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first case; the others follow")
    parser.add_argument("--case", type=int, help="repeat the case with this seed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write counts and bad outcomes to this file")
    options = parser.parse_args()
    if options.suite == "table":
        write_tables(options.files, options.page)
        return 0
    if options.case is not None:
        print(outcome_of(SUITES[options.suite], options.case))
        return 0
    found = _run(options)
    print(as_markdown(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 1 if found["bad"] else 0


def _run(options: argparse.Namespace) -> dict[str, Any]:
    start = time.monotonic()
    told = {name: getattr(options, name) for name in ("suite", "seed", "cases", "processes")}
    seeds = range(options.seed, options.seed + options.cases)
    found = counted(_followed(run_cases(SUITES[options.suite], seeds, options.processes)))
    return {**told, "commit": _commit(), "seconds": round(time.monotonic() - start, 1), **found}


def _followed(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """The same, with bad ones printed as they come, and how fast cases are."""
    start = time.monotonic()
    for number, outcome in enumerate(outcomes, 1):
        if outcome.kind in BAD:
            print(f"{outcome.seed}: {outcome.name}: {outcome.kind}: {outcome.detail}", flush=True)
        if number % 2000 == 0:
            speed = number / (time.monotonic() - start)
            print(f"… {number:,} cases, {speed:.0f} a second", file=sys.stderr, flush=True)
        yield outcome


def _commit() -> str:
    """The commit of the working tree, which may have changes."""
    command = ["git", "-C", Path(__file__).parent, "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
