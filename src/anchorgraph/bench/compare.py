"""Comparison of results with the published numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.bench.experiment import Cell, Experiment
from anchorgraph.bench.printed import Printed
from anchorgraph.bench.records import Records
from anchorgraph.bench.trial import Trial

TOLERANCE = 1.0
"""Scores that differ by at most this many percentage points count as equal, even if no spread is known."""

RELATIVE_TOLERANCE = 0.1
"""Upper limit of the tolerance as a fraction of the published score."""

REPRODUCED, HIGHER, NOT_REPRODUCED = "reproduced", "higher", "not reproduced"


def compare(experiment: Experiment, records: Records, missing: dict[str, str] | None = None) -> dict[str, Any]:
    """An experiment with its results, as plain data.

    A score is *reproduced* if ours and the published one differ by at most the larger of their spreads (or
    :data:`TOLERANCE`), *higher* above that range, and *not reproduced* below. Times from different machines are not
    compared directly; only the order of two methods is.

    Parameters
    ----------
    experiment : Experiment
    records : Records
    missing : dict, optional
        Data sets that are not available, by name, with the reason.

    Returns
    -------
    dict
        JSON types only.
    """
    cells = [_cell(cell, experiment, records, missing or {}) for cell in experiment]
    return {
        "key": experiment.key,
        "paper": experiment.paper,
        "number": experiment.number,
        "title": experiment.title,
        "kind": experiment.kind,
        "x": experiment.x,
        "rows": list(experiment.rows),
        "columns": list(experiment.columns),
        "notes": list(experiment.notes),
        "cells": cells,
        "sentence": _sentence(experiment, cells),
    }


def _cell(cell: Cell, experiment: Experiment, records: Records, missing: dict[str, str]) -> dict[str, Any]:
    printed, kind = cell.printed, experiment.kind
    result: dict[str, Any] = {
        "row": cell.row,
        "column": cell.column,
        "printed": printed.value,
        "printed as": printed.text,
        "mark": f"{cell.form}: {cell.mark}" if cell.mark else "",
    }
    if not cell.wanted:
        return result | {"why": "the paper has no number here"}
    if cell.data in missing:
        return result | {"why": f"no data: {cell.data}"}
    found = {trial: _runs(trial, cell, records) for trial in cell.trials}
    found = {trial: runs for trial, runs in found.items() if runs}
    if not found:
        return result | {"why": _missing_reason(cell, records)}
    found = _with_enough_runs(found)
    best, runs = _best(("accuracy",) if kind == "time" else cell.show, found)
    if kind == "picture":
        return result | {"picture": runs[0][cell.show[0]], "show": cell.show[0], "runs": len(runs)}
    values = np.concatenate([_shown(run, cell.show) for run in runs])
    ours, spread = float(values.mean()), float(values.std()) if len(values) > 1 else None
    result |= {"ours": ours, "spread": spread, "runs": len(values), "fits": len(runs)}
    if len(cell.trials) > 1:
        result |= {"choice": best.choice, "choices": len(found), "all choices": len(cell.trials)}
    if printed.value is not None and not experiment.quick:
        result["difference"] = ours - printed.value
        result["verdict"] = _verdict(ours, spread, printed) if kind == "score" else ""
    return result


def _runs(trial: Trial, cell: Cell, records: Records) -> list[dict[str, Any]]:
    runs = (records.found(trial, seed) for seed in range(cell.runs))
    return [run for run in runs if run is not None and any(name in run for name in cell.show)]


def _with_enough_runs(found: dict[Trial, list[dict[str, Any]]]) -> dict[Trial, list[dict[str, Any]]]:
    """Choices with at least half of the largest number of runs, because the best of many single runs is biased."""
    most = max(len(runs) for runs in found.values())
    return {trial: runs for trial, runs in found.items() if 2 * len(runs) >= most}


def _best(show: tuple[str, ...], found: dict[Trial, list[dict[str, Any]]]) -> tuple[Trial, list[dict[str, Any]]]:
    """The choice with the largest mean, and its runs."""
    if len(found) == 1:
        return next(iter(found.items()))
    return max(found.items(), key=lambda item: np.mean([_shown(run, show).mean() for run in item[1]]))


def _shown(run: dict[str, Any], show: tuple[str, ...]) -> np.ndarray:
    """The sum of the measures that a cell shows, for each result of a run."""
    return np.asarray(sum(np.atleast_1d(run.get(name, 0.0)) for name in show))


def _verdict(ours: float, spread: float | None, printed: Printed) -> str:
    value = printed.value or 0.0
    difference, tolerance = ours - value, min(TOLERANCE, RELATIVE_TOLERANCE * abs(value))
    if abs(difference) <= max(spread or 0.0, printed.spread or 0.0, tolerance):
        return REPRODUCED
    return HIGHER if difference > 0 else NOT_REPRODUCED


def _missing_reason(cell: Cell, records: Records) -> str:
    stops = [records.stop(trial, seed) for trial in cell.trials for seed in range(cell.runs)]
    stop = next((stop for stop in stops if stop is not None), None)
    if stop is None:
        return "not run yet"
    if stop["why"] == "time":
        return f"over {stop['limit']:g} s"
    if stop["why"] == "memory":
        return f"over {stop['limit'] / 2**30:.3g} GiB"
    return str(stop["sentence"])


def _sentence(experiment: Experiment, cells: list[dict[str, Any]]) -> str:
    """A summary of all cells in one sentence."""
    run = [cell for cell in cells if "ours" in cell or "picture" in cell]
    parts = [f"{len(run)} of {len(cells)} cells were run"]
    if experiment.quick:
        return parts[0] + " in quick mode, on samples; the results are not comparable with the published numbers."
    if experiment.kind == "score":
        verdicts = [cell["verdict"] for cell in run if "verdict" in cell]
        counts = ((verdicts.count(word), word) for word in (REPRODUCED, HIGHER, NOT_REPRODUCED))
        parts += [", ".join(f"{count} {word}" for count, word in counts if count)] if verdicts else []
    if experiment.kind == "time":
        same, pairs = _count_same_order(cells)
        parts += [f"of {pairs} pairs in a row, {same} are in the printed order"] if pairs else []
    return "; ".join(parts) + "."


def _count_same_order(cells: list[dict[str, Any]]) -> tuple[int, int]:
    """The number of pairs of cells in a row whose order is the same as in the paper, and of all pairs."""
    known = [cell for cell in cells if "difference" in cell]
    pairs = [
        (one["ours"] - other["ours"], one["printed"] - other["printed"])
        for number, one in enumerate(known)
        for other in known[number + 1 :]
        if one["row"] == other["row"] and one["printed"] != other["printed"]
    ]
    return sum(ours * printed > 0 for ours, printed in pairs), len(pairs)
