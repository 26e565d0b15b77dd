"""``python -m fuzz table build/fuzz-*.json``: the tables of the documentation, from what runs wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from anchorgraph.table import count
from fuzz.run import BAD, FINE, Outcome

KINDS = (*FINE, *BAD)

BEGIN, END = "<!-- fuzz: begin -->\n", "<!-- fuzz: end -->\n"
"""Around the tables on a page."""


def counted(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Numbers of outcomes of each kind: of all, of each subject, and of each trait of cases; and the bad ones."""
    groups: dict[str, dict[str, int]] = {}
    traits: dict[str, dict[str, int]] = {}
    bad = []
    for outcome in outcomes:
        subject, _, rest = outcome.name.partition("; ")
        _add(groups, subject.split(",")[0], outcome.kind)
        for trait in re.findall(r"(?:^|, )(\w+)", re.sub(r" \(.*?\)+(?=,|$)", "", rest)):
            _add(traits, trait, outcome.kind)
        bad += [vars(outcome)] if outcome.kind in BAD else []
    return {"groups": dict(sorted(groups.items())), "traits": dict(sorted(traits.items())), "bad": bad}


def _add(counts: dict[str, dict[str, int]], name: str, kind: str) -> None:
    counts.setdefault(name, dict.fromkeys(KINDS, 0))[kind] += 1


def as_markdown(found: dict[str, Any]) -> str:
    """What a run found, as the page shows it."""
    cases, first, seconds = found["cases"], found["seed"], found["seconds"]
    lines = [
        f"{cases:,} cases of {found['suite']}, seeds {first:,} to {first + cases - 1:,}, at commit {found['commit']}: "
        f"{seconds / 60:.0f} minutes, {count(found['processes'], 'worker')}, {cases / seconds:.0f} cases a second.",
        "",
        f"| {found['suite']} | " + " | ".join(KINDS) + " |",
        "|---|" + "---|" * len(KINDS),
        *(_line(name, counts) for name, counts in found["groups"].items()),
        _line("**all**", {kind: sum(counts[kind] for counts in found["groups"].values()) for kind in KINDS}),
        *(_line(f"of these, {name}", counts) for name, counts in found["traits"].items()),
        "",
        *(f"- {bad['seed']} ({bad['name']}): {bad['kind']}, {bad['detail']}" for bad in found["bad"]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _line(name: str, counts: dict[str, int]) -> str:
    return f"| {name} | " + " | ".join(f"{counts[kind]:,}" for kind in KINDS) + " |"


def write_tables(files: list[Path], page: Path | None) -> None:
    """Print the tables of some runs, or write them to a page, in place of what it has."""
    tables = "\n".join(as_markdown(json.loads(file.read_text())) for file in files)
    if page is None:
        print(tables)
        return
    before, _, rest = page.read_text().partition(BEGIN)
    page.write_text(f"{before}{BEGIN}\n{tables}\n{END}{rest.partition(END)[2]}")
