"""Published tables and figures as data: their cells, the runs of each cell, and the comparison with the results.

``experiments/*.toml`` → :class:`Experiment` → :class:`Cell` → trials, run in separate processes → records →
:func:`compare`.
"""

from anchorgraph.bench.compare import compare
from anchorgraph.bench.data import missing_data
from anchorgraph.bench.experiment import Cell, Experiment, find_experiments, read_experiment
from anchorgraph.bench.on_data import methods_on_data
from anchorgraph.bench.records import Records
from anchorgraph.bench.runner import Limits, run_cell

__all__ = [
    "Cell",
    "Experiment",
    "Limits",
    "Records",
    "compare",
    "find_experiments",
    "methods_on_data",
    "missing_data",
    "read_experiment",
    "run_cell",
]
