"""Which data of some experiments cannot be had."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from anchorgraph.bench.experiment import Experiment
from anchorgraph.datasets import DatasetUnavailableError, available, load


def missing_data(experiments: Iterable[Experiment]) -> dict[str, str]:
    """Names of data sets that are nowhere, with the reason. What OpenML has is fetched."""
    cells = (cell for experiment in experiments for cell in experiment if cell.wanted)
    names = {cell.data for cell in cells if cell.data is not None}
    missing = {}
    for name in sorted(names - set(available())):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the network: the reason says it
                load(name)
        except DatasetUnavailableError as error:
            missing[name] = str(error)
    return missing
