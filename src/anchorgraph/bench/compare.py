"""What was found beside what is printed."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.bench.experiment import Cell, Experiment
from anchorgraph.bench.printed import Printed
from anchorgraph.bench.records import Records
from anchorgraph.bench.trial import Trial

CLOSE = 1.0
"""Scores this near to each other count as equal, in points of a per cent, even where no spread is known …"""

CLOSE_SHARE = 0.1
"""… but no farther than this share of the printed one, which may be small."""

REPRODUCED, HIGHER, NOT_REPRODUCED = "reproduced", "higher", "not reproduced"


def compare(experiment: Experiment, records: Records, missing: dict[str, str] | None = None) -> dict[str, Any]:
    """An experiment with its results, as plain data.

    A score is *reproduced* where ours and the printed one differ by no more than the larger of their spreads (or
    :data:`CLOSE`), *higher* above that, and *not reproduced* below. Seconds of two machines are not compared one by
    one; what can be is which of two methods takes longer.

    Parameters
    ----------
    experiment : Experiment
    records : Records
    missing : dict, optional
        Data that cannot be had, by name, with the reason.

    Returns
    -------
    dict
        Of JSON's types alone.
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
        return result | {"why": _why(cell, records)}
    found = _well_tried(found)
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


def _well_tried(found: dict[Trial, list[dict[str, Any]]]) -> dict[Trial, list[dict[str, Any]]]:
    """Choices with at least half as many runs as any has: the best of many single runs would be luck."""
    most = max(len(runs) for runs in found.values())
    return {trial: runs for trial, runs in found.items() if 2 * len(runs) >= most}


def _best(show: tuple[str, ...], found: dict[Trial, list[dict[str, Any]]]) -> tuple[Trial, list[dict[str, Any]]]:
    """The choice with the largest mean."""
    if len(found) == 1:
        return next(iter(found.items()))
    return max(found.items(), key=lambda item: np.mean([_shown(run, show).mean() for run in item[1]]))


def _shown(run: dict[str, Any], show: tuple[str, ...]) -> np.ndarray:
    """The sum of what a cell shows, of each of the results that a run has."""
    return np.asarray(sum(np.atleast_1d(run.get(name, 0.0)) for name in show))


def _verdict(ours: float, spread: float | None, printed: Printed) -> str:
    value = printed.value or 0.0
    difference, close = ours - value, min(CLOSE, CLOSE_SHARE * abs(value))
    within = max(spread or 0.0, printed.spread or 0.0, close)
    if abs(difference) <= within:
        return REPRODUCED
    return HIGHER if difference > 0 else NOT_REPRODUCED


def _why(cell: Cell, records: Records) -> str:
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
    """What the cells say together."""
    run = [cell for cell in cells if "ours" in cell or "picture" in cell]
    parts = [f"{len(run)} of {len(cells)} cells were run"]
    if experiment.quick:
        return parts[0] + ", quickly, on samples: not to be compared with what is printed."
    if experiment.kind == "score":
        verdicts = [cell["verdict"] for cell in run if "verdict" in cell]
        counts = ((verdicts.count(word), word) for word in (REPRODUCED, HIGHER, NOT_REPRODUCED))
        parts += [", ".join(f"{count} {word}" for count, word in counts if count)] if verdicts else []
    if experiment.kind == "time":
        same, pairs = _orders(cells)
        parts += [f"of {pairs} pairs in a row, {same} are in the printed order"] if pairs else []
    return "; ".join(parts) + "."


def _orders(cells: list[dict[str, Any]]) -> tuple[int, int]:
    """Pairs of cells in a row of which the same one takes longer here and in print, and all pairs."""
    known = [cell for cell in cells if "difference" in cell]
    pairs = [
        (one["ours"] - other["ours"], one["printed"] - other["printed"])
        for number, one in enumerate(known)
        for other in known[number + 1 :]
        if one["row"] == other["row"] and one["printed"] != other["printed"]
    ]
    return sum(ours * printed > 0 for ours, printed in pairs), len(pairs)
