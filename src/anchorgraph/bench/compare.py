"""Comparison of results with the published numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.bench.claims import check_claims
from anchorgraph.bench.experiment import Cell, Experiment
from anchorgraph.bench.records import Records
from anchorgraph.bench.runner import ENDED
from anchorgraph.bench.shown import shown
from anchorgraph.bench.table_order import average_cells, count_same_order
from anchorgraph.bench.trial import WHOLE, Trial
from anchorgraph.bench.verdict import (
    FEWEST_RUNS,
    HIGHER,
    NOT_REPRODUCED,
    REPRODUCED,
    TIME_LIMIT,
    TOO_FEW,
    TOO_LONG,
    judge,
    standard_error,
)

VERDICTS = (REPRODUCED, HIGHER, NOT_REPRODUCED, TOO_FEW, TOO_LONG)
Runs = list[dict[str, Any]]


def compare(experiment: Experiment, records: Records, missing: dict[str, str] | None = None) -> dict[str, Any]:
    """An experiment with its results, as plain data.

    A score is *reproduced* if ours and the published one differ by at most two standard errors (or a point, or a tenth
    of a small number), *differs (higher)* above that range, and is *not reproduced* below. With fewer than five runs,
    or less than half of a grid, there is no verdict but *too few runs*, or *over the time limit* if so many would take
    longer than :data:`~anchorgraph.bench.verdict.TIME_LIMIT`. Times from different machines are not compared directly;
    only the order of two methods is.

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
        "averages": average_cells(cells, experiment),
        "claims": check_claims(cells, experiment),
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
        "among": cell.among,
    }
    if not cell.wanted:
        return result | {"why": "the paper has no number here"}
    if cell.data in missing:
        return result | {"why": f"no data: {cell.data}"}
    found = {trial: runs for trial in cell.trials if (runs := _runs(trial, cell, records))}
    if not found:
        stop = _first_stop(cell, records)
        too_long = stop is not None and stop["why"] == "time" and kind == "score" and not experiment.quick
        return result | {"why": _missing_reason(stop)} | ({"verdict": TOO_LONG} if too_long else {})
    best, runs = _best(cell, found)
    if kind == "picture":
        return result | {"picture": runs[0][cell.show[0]], "show": cell.show[0], "runs": len(runs)}
    values = np.concatenate([shown(run, cell.show) for run in runs])
    spread = float(values.std(ddof=1)) if len(values) > 1 else None
    ours = float(shown(runs[0], cell.show).mean() if cell.best == "run" else values.mean())
    result |= {"ours": ours, "spread": spread, "error": _error(runs, cell), "runs": len(values), "fits": len(runs)}
    result |= {"least": float(values.min()), "most": float(values.max())}
    if cell.best == "run":
        result |= {"mean": float(values.mean())}
    n_possible = sum(not _failed(trial, cell, records) for trial in cell.trials)
    if len(cell.trials) > 1:
        result |= {"choice": best.choice, "choices": len(found), "all choices": n_possible}
    if printed.value is None or experiment.quick:
        return result
    result["difference"] = ours - printed.value
    result["verdict"] = _verdict(cell, experiment, result, found, n_possible) if kind == "score" else ""
    result["evidence"] = " ".join(one.sentence for one in experiment.evidence if one.about(cell.row, cell.column))
    return result


def _runs(trial: Trial, cell: Cell, records: Records) -> Runs:
    runs = (records.found(trial, seed) for seed in range(cell.runs))
    return [run for run in runs if run is not None and any(name in run for name in cell.show)]


def _failed(trial: Trial, cell: Cell, records: Records) -> bool:
    """Whether a choice is impossible, such as more dimensions than LDA has."""
    stops = (records.stop(trial, seed) for seed in range(cell.runs))
    sentences = (stop["sentence"] for stop in stops if stop is not None and stop["why"] == "error")
    return any(not sentence.startswith(ENDED) for sentence in sentences)


def _best(cell: Cell, found: dict[Trial, Runs]) -> tuple[Trial, Runs]:
    """The best choice, and its runs: by its first run, or by the mean of those with enough runs for a verdict.

    The best of many single runs is lucky, so that it counts only where the paper prints such a number, too.
    """
    if cell.best == "run":
        return max(found.items(), key=lambda item: shown(item[1][0], cell.judged_by).mean())
    most = max(len(runs) for runs in found.values())
    enough = max(min(FEWEST_RUNS, most), most / 2)
    often = {trial: runs for trial, runs in found.items() if len(runs) >= enough}
    return max(often.items(), key=lambda item: np.mean([shown(run, cell.judged_by).mean() for run in item[1]]))


def _verdict(
    cell: Cell, experiment: Experiment, result: dict[str, Any], found: dict[Trial, Runs], n_choices: int
) -> str:
    """The verdict on a score, if there are enough runs for one."""
    wanted = 1 if cell.best == "run" else min(FEWEST_RUNS, cell.runs)
    half_grid = (n_choices + 1) // 2
    few_results = cell.best == "mean" and result["runs"] < FEWEST_RUNS
    if few_results or result["fits"] < wanted or len(found) < half_grid:
        seconds = float(np.mean([max(run["seconds"], run.get(WHOLE, 0.0)) for runs in found.values() for run in runs]))
        return TOO_LONG if seconds * max(wanted, half_grid) > TIME_LIMIT else TOO_FEW
    return judge(result["ours"], 0.0 if cell.best == "run" else result["error"], cell.printed, experiment.repeats)


def _error(runs: Runs, cell: Cell) -> float:
    """The standard error of the mean of all results; those of one fit are no independent evidence."""
    parts = [shown(run, cell.show) for run in runs]
    several = len(parts) >= FEWEST_RUNS  # fewer fits are wanted only where nothing in them is left to chance
    values = np.array([part.mean() for part in parts]) if several else np.concatenate(parts)
    return standard_error(float(values.std(ddof=1)), len(values)) if len(values) > 1 else 0.0


def _first_stop(cell: Cell, records: Records) -> dict[str, Any] | None:
    """Why the first run that was tried has no result, or None if none was tried."""
    stops = (records.stop(trial, seed) for trial in cell.trials for seed in range(cell.runs))
    return next((stop for stop in stops if stop is not None), None)


def _missing_reason(stop: dict[str, Any] | None) -> str:
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
        verdicts = [cell["verdict"] for cell in cells if "verdict" in cell]
        counts = ((verdicts.count(word), word) for word in VERDICTS)
        parts += [", ".join(f"{word}: {count}" for count, word in counts if count)] if verdicts else []
    if experiment.kind in ("score", "time"):
        same, pairs = count_same_order(cells, experiment.methods)
        line = "row" if experiment.methods == "columns" else "column"
        parts += [f"of {pairs} pairs of methods in a {line}, {same} are in the printed order"] if pairs else []
    return "; ".join(parts) + "."
