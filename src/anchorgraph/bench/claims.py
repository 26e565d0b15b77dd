"""What papers claim of their tables and figures, checked against our results.

An experiment lists its claims as ``[[claims]]``, each with a ``sentence`` and one way to check it::

    best = ["ONGR-K", 2]               # is the best, or among the best two
    above = ["ONGR-R", "LSC-R", "Acc"] # the first is higher than the second, on all lines or on those of Acc
    mean_above = ["ULGE", "OULGE"]     # the mean of the first is higher
    within = ["ULGE", "LE", 5.0]       # the first is at most 5 less than the second
    faster = ["ULGE", "LPP"]           # the first takes less time
    steady = ["CSR", 2.0, "8", "20"]   # the results differ by at most 2, at all points or at some
    rising = "training"                # the last point of a curve is above the first; falling: below it
    highest = ["training", "2"]        # a curve is highest at this point
    untested = "…"                     # why it cannot be tested here

A claim that is true of the printed numbers on some data sets is checked on these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anchorgraph.bench.verdict import TOO_FEW, TOO_LONG

if TYPE_CHECKING:
    from anchorgraph.bench.experiment import Experiment

HOLDS, IN_PART, FAILS, UNTESTED = "holds", "holds in part", "does not hold", "cannot be tested here"


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper in our words, and how it is checked."""

    sentence: str
    check: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Check:
    """A way to check a claim, and how many of its arguments, which come first, name rows or columns."""

    function: Callable[..., dict[str, Any]]
    n_names: int


def read_claims(entries: Iterable[dict[str, Any]], names: Collection[str], path: Path) -> tuple[Claim, ...]:
    """Claims from the entries ``[[claims]]`` of an experiment.

    Parameters
    ----------
    entries : iterable of dict
    names : collection of str
        The rows and columns of the table.
    path : Path
        The file, for error messages.

    Returns
    -------
    tuple of Claim
    """
    found = []
    for entry in entries:
        checks = set(entry) - {"sentence"}
        if len(checks) != 1 or not checks <= set(CHECKS):
            raise ValueError(f"{path}: a claim needs a sentence and one of {', '.join(CHECKS)}.")
        (check,) = checks
        arguments = tuple(entry[check]) if isinstance(entry[check], list) else (entry[check],)
        unknown = [name for name in arguments[: CHECKS[check].n_names] if name not in names]
        if unknown:
            raise ValueError(f"{path}: [[claims]] names {unknown[0]!r}, which is no row or column of the table.")
        found.append(Claim(entry["sentence"], check, arguments))
    return tuple(found)


def check_claims(cells: list[dict[str, Any]], experiment: Experiment) -> list[dict[str, Any]]:
    """Every claim with what is printed, what was found, and whether it holds.

    Parameters
    ----------
    cells : list of dict
        Compared cells; those with too few runs do not count.
    experiment : Experiment

    Returns
    -------
    list of dict
        With ``sentence``, ``printed``, ``ours`` and ``verdict``.
    """
    method, line = axes(experiment.methods)
    lines: Lines = {cell[line]: {} for cell in cells}
    for cell in filter(has_evidence, cells):
        lines[cell[line]][cell[method]] = cell["ours"], cell["printed"]
    sign = -1 if experiment.kind == "time" else 1
    return [
        {"sentence": claim.sentence} | CHECKS[claim.check].function(lines, sign, *claim.arguments)
        for claim in experiment.claims
    ]


def axes(methods: str) -> tuple[str, str]:
    """The names of a cell's axis of methods and of the other one."""
    return ("column", "row") if methods == "columns" else ("row", "column")


def has_evidence(cell: dict[str, Any]) -> bool:
    """Whether a cell has a result of enough runs."""
    return "ours" in cell and cell.get("verdict") not in (TOO_FEW, TOO_LONG)


Lines = dict[str, dict[str, tuple[float, float | None]]]
"""By line of the table and name of the method: ours and the printed number."""


def _best(lines: Lines, sign: int, name: str, rank: int = 1) -> dict[str, Any]:
    most = max(map(len, lines.values()), default=0)
    whole = [line for line in lines.values() if name in line and len(line) == most and _is_printed(line)]
    return _counted([[_is_among_best(line, name, sign, rank, which) for which in (0, 1)] for line in whole])


def _is_printed(line: dict[str, tuple[float, float | None]]) -> bool:
    return all(printed is not None for _, printed in line.values())


def _is_among_best(line: dict[str, Any], name: str, sign: int, rank: int, which: int) -> bool:
    better = [other for other in line.values() if sign * other[which] > sign * line[name][which]]
    return len(better) < rank


def _above(lines: Lines, sign: int, name: str, other: str, start: str = "") -> dict[str, Any]:
    pairs = _pairs({label: line for label, line in lines.items() if label.startswith(start)}, name, other)
    return _with_means(_counted([[one > two for one, two in pair] for pair in pairs]), pairs)


def _mean_above(lines: Lines, sign: int, name: str, other: str) -> dict[str, Any]:
    pairs = _pairs(lines, name, other)
    means = [[np.mean([one - two for one, two in which]) > 0 for which in zip(*pairs, strict=True)]] if pairs else []
    return _with_means(_counted(means), pairs)


def _with_means(checked: dict[str, Any], pairs: Pairs) -> dict[str, Any]:
    """The same with the mean differences."""
    means = [np.mean([one - two for one, two in which]) for which in zip(*pairs, strict=True)]
    return checked | {
        which: f"{checked[which]}, by {mean:+.1f} on average"
        for which, mean in zip(("ours", "printed"), means, strict=False)
    }


def _within(lines: Lines, sign: int, name: str, other: str, most: float) -> dict[str, Any]:
    pairs = _pairs(lines, name, other)
    return _with_means(_counted([[one >= two - most for one, two in pair] for pair in pairs]), pairs)


def _faster(lines: Lines, sign: int, name: str, other: str) -> dict[str, Any]:
    ratios = [[two / max(one, SHORTEST) for one, two in pair] for pair in _pairs(lines, name, other)]
    checked = _counted([[ratio > 1 for ratio in both] for both in ratios])
    return checked | {
        which: f"{checked[which]} ({min(some):.3g} to {max(some):.3g} times as fast)"
        for which, some in zip(("ours", "printed"), zip(*ratios, strict=True), strict=False)
    }


def _steady(lines: Lines, sign: int, name: str, most: float, *points: str) -> dict[str, Any]:
    return _on_curve(
        {point: line for point, line in lines.items() if not points or point in points},
        name,
        lambda values: np.ptp(values) <= most,
        lambda values: f"varies by {np.ptp(values):.1f}",
    )


def _rising(lines: Lines, sign: int, name: str) -> dict[str, Any]:
    return _on_curve(lines, name, lambda values: values[-1] > values[0], _ends)


def _falling(lines: Lines, sign: int, name: str) -> dict[str, Any]:
    return _on_curve(lines, name, lambda values: values[-1] < values[0], _ends)


def _highest(lines: Lines, sign: int, name: str, point: str) -> dict[str, Any]:
    names = list(lines)
    return _on_curve(
        lines,
        name,
        lambda values: names[int(np.argmax(values))] == point,
        lambda values: f"highest at {names[int(np.argmax(values))]}",
    )


def _ends(values: list[float]) -> str:
    return f"{values[0]:.3g} to {values[-1]:.3g}"


def _untested(lines: Lines, sign: int, why: str) -> dict[str, Any]:
    return {"printed": "", "ours": why, "verdict": UNTESTED}


def _on_curve(
    lines: Lines, name: str, is_true: Callable[[list[float]], bool], describe: Callable[[list[float]], str]
) -> dict[str, Any]:
    """A check of the results of a method along all lines of a table or points of a figure."""
    if not all(name in line for line in lines.values()):
        return _untested(lines, 1, "not all of it was run")
    ours, printed = zip(*(line[name] for line in lines.values()), strict=True)
    return {
        "printed": "drawn" if None in printed else describe(list(printed)),
        "ours": describe(list(ours)),
        "verdict": HOLDS if is_true(list(ours)) else FAILS,
    }


Pairs = list[tuple[tuple[float, float], tuple[float, float]]]


def _pairs(lines: Lines, name: str, other: str) -> Pairs:
    """Ours of two methods, and the printed numbers of both, wherever they have them."""
    both = [(line[name], line[other]) for line in lines.values() if name in line and other in line]
    return [
        ((ours, others), (printed, also_printed))
        for (ours, printed), (others, also_printed) in both
        if printed is not None and also_printed is not None
    ]


def _counted(found: list[list[bool]]) -> dict[str, Any]:
    """The verdict on a claim by pairs of ours and the printed: on the data of which it is true as printed."""
    agreeing = [ours for ours, printed in found if printed]
    if not agreeing:
        return _untested({}, 1, "not run, or not true of what is printed for the data at hand")
    n_true, n = sum(agreeing), len(agreeing)
    return {
        "printed": f"true on {n} of {len(found)}",
        "ours": f"true on {n_true} of these {n}",
        "verdict": HOLDS if n_true == n else IN_PART if 2 * n_true > n else FAILS,
    }


SHORTEST = 1e-9
"""A time in seconds that is not zero."""

CHECKS: dict[str, Check] = {
    "best": Check(_best, 1),
    "above": Check(_above, 2),
    "mean_above": Check(_mean_above, 2),
    "within": Check(_within, 2),
    "faster": Check(_faster, 2),
    "steady": Check(_steady, 1),
    "rising": Check(_rising, 1),
    "falling": Check(_falling, 1),
    "highest": Check(_highest, 1),
    "untested": Check(_untested, 0),
}
