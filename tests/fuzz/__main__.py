"""``python -m fuzz estimators --cases 100000``: cases that try to break the package, and a table of what came of them.

``python -m fuzz estimators --case 4711`` repeats one of them in this process, with its traceback.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

from fuzz.run import BAD, FINE, outcome_of, run_cases
from fuzz.suites import SUITES


def main() -> int:
    """The exit code is 1 where any outcome is bad."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first case; the others follow")
    parser.add_argument("--case", type=int, help="repeat the case with this seed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write counts and bad outcomes to this file")
    options = parser.parse_args()
    suite = SUITES[options.suite]
    if options.case is not None:
        name, _ = suite.case(options.case)
        print(name)
        print(outcome_of(suite, options.case))
        return 0
    start, counts, bad = time.monotonic(), Counter(), []
    for number, outcome in enumerate(
        run_cases(suite, range(options.seed, options.seed + options.cases), options.processes), 1
    ):
        counts[outcome.name.split(",")[0], outcome.kind] += 1
        if outcome.kind in BAD:
            bad.append(outcome)
            print(f"{outcome.seed}: {outcome.name}: {outcome.kind}: {outcome.detail}", flush=True)
        if number % 5000 == 0:
            print(f"… {number} cases, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    groups, kinds = sorted({group for group, _ in counts}), (*FINE, *BAD)
    print("| case | " + " | ".join(kinds) + " |")
    print("|---|" + "---|" * len(kinds))
    for group in groups:
        print(f"| {group} | " + " | ".join(f"{counts[group, kind]:,}" for kind in kinds) + " |")
    totals = [sum(counts[group, kind] for group in groups) for kind in kinds]
    print("| **all** | " + " | ".join(f"{total:,}" for total in totals) + " |")
    print(f"{options.cases:,} cases from seed {options.seed} in {time.monotonic() - start:.0f} s")
    if options.json:
        found = {"suite": options.suite, "seed": options.seed, "cases": options.cases}
        found |= {"counts": {f"{group}: {kind}": n for (group, kind), n in sorted(counts.items())}}
        found |= {"bad": [vars(outcome) for outcome in bad]}
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
