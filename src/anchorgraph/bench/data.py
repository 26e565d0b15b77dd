"""Which data of some experiments cannot be had."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from anchorgraph.bench.experiment import Experiment
from anchorgraph.datasets import DatasetUnavailableError, available, load


def missing_data(experiments: Iterable[Experiment], *, fetch: bool = True) -> dict[str, str]:
    """Names of data sets that are nowhere, with the reason.

    Parameters
    ----------
    experiments : iterable of Experiment
    fetch : bool
        Whether OpenML is asked, and what it has fetched; otherwise what would have to be counts as missing.

    Returns
    -------
    dict
    """
    cells = (cell for experiment in experiments for cell in experiment if cell.wanted)
    names = {cell.data for cell in cells if cell.data is not None}
    missing = {}
    for name in sorted(names - set(available())):
        if not fetch:
            missing[name] = f"Data set {name!r} is not at hand."
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the network: the reason says it
                load(name)
        except DatasetUnavailableError as error:
            missing[name] = str(error)
    return missing
