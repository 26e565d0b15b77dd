"""What a cell shows of its runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.bench.experiment import Cell
from anchorgraph.bench.records import Records
from anchorgraph.bench.trial import Trial


def shown(run: dict[str, Any], show: tuple[str, ...]) -> np.ndarray:
    """The sum of some measures, for each result of a run."""
    return np.asarray(sum(np.atleast_1d(run.get(name, 0.0)) for name in show))


def mean_shown(trial: Trial, cell: Cell, records: Records, n_runs: int) -> float:
    """The mean of what a cell is judged by over the first runs of a trial."""
    found = (records.found(trial, seed) for seed in range(n_runs))
    return float(np.mean([shown(run, cell.judged_by).mean() for run in found if run is not None]))
