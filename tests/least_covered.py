"""What tests cover, and the files that they cover least; run by ``make coverage``, and an error below 95 %.

``python tests/least_covered.py build/coverage/report.json``
"""

import json
import sys
from pathlib import Path

ENOUGH = 95.0
"""Percentage of lines and branches that must run; files with fewer are listed."""


def summary(report):
    """A line for each file that is covered less than enough, the least first, and one for all.

    Parameters
    ----------
    report : dict
        As coverage writes it to JSON.

    Yields
    ------
    str
    """
    files = {name: found["summary"]["percent_covered"] for name, found in report["files"].items()}
    low = sorted((percentage, name) for name, percentage in files.items() if percentage < ENOUGH)
    for percentage, name in low:
        yield f"{percentage:5.1f} %  {name}"
    yield f"{len(low)} of {len(files)} files are below {ENOUGH:g} %."
    total = report["totals"]
    lines = 100 * total["covered_lines"] / total["num_statements"]
    branches = 100 * total["covered_branches"] / total["num_branches"]
    yield f"Coverage: {lines:.1f} % of lines, {branches:.1f} % of branches, {total['percent_covered']:.1f} % of both."


def main(path):
    report = json.loads(Path(path).read_text(encoding="utf-8"))
    print("\n".join(summary(report)))
    return int(report["totals"]["percent_covered"] < ENOUGH)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
