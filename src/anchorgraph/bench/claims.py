"""What papers claim of their tables and figures, checked against our results.

An experiment lists its claims as ``[[claims]]``, each with a ``sentence`` and one way to check it::

    best = "FLRL"                      # has the best result on as many data sets as printed
    above = ["ONGR-R", "LSC-R"]        # the first is higher than the second
    within = ["ULGE", "LE", 5.0]       # the first is at most 5 less than the second
    faster = ["ULGE", "LPP", 10.0]     # the first takes at most a tenth of the time
    steady = ["CSR", 2.0, "8", "20"]   # the results differ by at most 2, at all points or at some
    rising = "training"                # the last point of a curve is above the first; falling: below it
    untested = "…"                     # why it cannot be tested here
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from anchorgraph.bench.experiment import Experiment

HOLDS, IN_PART, FAILS, UNTESTED = "holds", "holds in part", "does not hold", "cannot be tested here"


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper in our words, and how it is checked."""

    sentence: str
    check: str
    arguments: tuple[Any, ...]


def read_claims(entries: Iterable[dict[str, Any]], path: Path) -> tuple[Claim, ...]:
    """Claims from the entries ``[[claims]]`` of an experiment.

    Parameters
    ----------
    entries : iterable of dict
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
        value = entry[check]
        found.append(Claim(entry["sentence"], check, tuple(value) if isinstance(value, list) else (value,)))
    return tuple(found)


def check_claims(cells: list[dict[str, Any]], experiment: Experiment) -> list[dict[str, Any]]:
    """Every claim with what is printed, what was found, and whether it holds.

    Parameters
    ----------
    cells : list of dict
        Compared cells.
    experiment : Experiment

    Returns
    -------
    list of dict
        With ``sentence``, ``printed``, ``ours`` and ``verdict``.
    """
    lines = _lines(cells, experiment)
    return [
        {"sentence": claim.sentence} | CHECKS[claim.check](lines, experiment.kind == "time", *claim.arguments)
        for claim in experiment.claims
    ]


Lines = dict[str, dict[str, tuple[float, float | None]]]
"""By line of the table and name of the method: ours and the printed number."""


def _lines(cells: list[dict[str, Any]], experiment: Experiment) -> Lines:
    method, line = ("column", "row") if experiment.methods == "columns" else ("row", "column")
    lines: Lines = defaultdict(dict)
    for cell in cells:
        if "ours" in cell:
            lines[cell[line]][cell[method]] = cell["ours"], cell["printed"]
    return lines


def _best(lines: Lines, lower: bool, name: str) -> dict[str, Any]:
    sign, most = -1 if lower else 1, max(map(len, lines.values()), default=0)
    whole = [line for line in lines.values() if name in line and len(line) == most]
    found = [[_is_best(line, name, sign, which) for which in (0, 1)] for line in whole]
    return _counted(found, "best on")


def _is_best(line: dict[str, tuple[float, float | None]], name: str, sign: int, which: int) -> bool:
    return all(sign * _number(line[name][which]) >= sign * _number(other[which]) for other in line.values())


def _number(value: float | None) -> float:
    return 0.0 if value is None else value


def _above(lines: Lines, lower: bool, name: str, other: str) -> dict[str, Any]:
    pairs = _pairs(lines, name, other)
    verdict = _counted([[one > two for one, two in pair] for pair in pairs], "above on")
    means = [np.mean([one - two for one, two in which]) for which in zip(*pairs, strict=True)]
    return verdict | {
        which: f"{verdict[which]}, by {mean:+.1f} on average"
        for which, mean in zip(("ours", "printed"), means, strict=False)
    }


def _within(lines: Lines, lower: bool, name: str, other: str, most: float) -> dict[str, Any]:
    pairs = _pairs(lines, name, other)
    return _counted([[one >= two - most for one, two in pair] for pair in pairs], f"less by at most {most:g} on")


def _faster(lines: Lines, lower: bool, name: str, other: str, times: float) -> dict[str, Any]:
    ratios = [[two / one for one, two in pair] for pair in _pairs(lines, name, other)]
    verdict = _counted([[ratio >= times for ratio in both] for both in ratios], "true on")
    return verdict | {
        which: f"{verdict[which]} ({min(some):.3g} to {max(some):.3g} times)"
        for which, some in zip(("ours", "printed"), zip(*ratios, strict=True), strict=False)
    }


def _steady(lines: Lines, lower: bool, name: str, most: float, *points: str) -> dict[str, Any]:
    chosen = {point: line for point, line in lines.items() if not points or point in points}
    ours, printed = _curve(chosen, name)
    if len(ours) < 2:
        return _untested(lines, lower, "not run")
    return {
        "printed": f"varies by {np.ptp(printed):.1f}" if len(printed) == len(ours) else "drawn",
        "ours": f"varies by {np.ptp(ours):.1f}",
        "verdict": HOLDS if np.ptp(ours) <= most else FAILS,
    }


def _rising(lines: Lines, lower: bool, name: str) -> dict[str, Any]:
    return _trend(lines, name, 1)


def _falling(lines: Lines, lower: bool, name: str) -> dict[str, Any]:
    return _trend(lines, name, -1)


def _trend(lines: Lines, name: str, sign: int) -> dict[str, Any]:
    ours, printed = _curve(lines, name)
    if len(ours) < 2:
        return _untested(lines, False, "not run")
    shown = f"{printed[0]:.3g} to {printed[-1]:.3g}" if len(printed) == len(ours) else "drawn"
    verdict = HOLDS if sign * (ours[-1] - ours[0]) > 0 else FAILS
    return {"printed": shown, "ours": f"{ours[0]:.3g} to {ours[-1]:.3g}", "verdict": verdict}


def _untested(lines: Lines, lower: bool, why: str) -> dict[str, Any]:
    return {"printed": "", "ours": why, "verdict": UNTESTED}


def _pairs(lines: Lines, name: str, other: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Ours of two methods, and the printed numbers of both, wherever they have them."""
    both = [(line[name], line[other]) for line in lines.values() if name in line and other in line]
    return [
        ((ours, others), (printed, also_printed))
        for (ours, printed), (others, also_printed) in both
        if printed is not None and also_printed is not None
    ]


def _curve(lines: Lines, name: str) -> tuple[list[float], list[float]]:
    """The results of a method along the lines of a table or the points of a figure."""
    points = [line[name] for line in lines.values() if name in line]
    return [ours for ours, _ in points], [printed for _, printed in points if printed is not None]


def _counted(found: list[list[bool]], what: str) -> dict[str, Any]:
    """The verdict on a claim that is true on some data, by pairs of ours and the printed."""
    if not found:
        return _untested({}, False, "the data are not at hand")
    ours, printed = np.sum(found, axis=0)
    return {
        "printed": f"{what} {printed} of {len(found)}",
        "ours": f"{what} {ours} of {len(found)}",
        "verdict": HOLDS if ours >= printed else IN_PART if 2 * ours > printed else FAILS,
    }


CHECKS: dict[str, Callable[..., dict[str, Any]]] = {
    "best": _best,
    "above": _above,
    "within": _within,
    "faster": _faster,
    "steady": _steady,
    "rising": _rising,
    "falling": _falling,
    "untested": _untested,
}
