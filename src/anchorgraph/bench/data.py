"""Find the data sets of experiments that are not available."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from anchorgraph.bench.experiment import Experiment
from anchorgraph.datasets import DatasetUnavailableError, available, load


def missing_data(experiments: Iterable[Experiment], *, fetch: bool = True) -> dict[str, str]:
    """Names of the data sets that are not available, with the reason.

    Parameters
    ----------
    experiments : iterable of Experiment
    fetch : bool
        Whether to download data sets from OpenML. If False, data sets that would have to be downloaded count as
        missing.

    Returns
    -------
    dict
    """
    cells = (cell for experiment in experiments for cell in experiment if cell.wanted)
    names = {cell.data for cell in cells if cell.data is not None}
    missing = {}
    for name in sorted(names - set(available())):
        if not fetch:
            missing[name] = f"Data set {name!r} is not available without a download."
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about the network: the reason contains them
                load(name)
        except DatasetUnavailableError as error:
            missing[name] = str(error)
    return missing
