"""An experiment that compares several methods on one data set."""

from __future__ import annotations

from typing import Any

from anchorgraph.bench.experiment import Cell, Experiment
from anchorgraph.bench.printed import Printed
from anchorgraph.bench.trial import Trial, canonical
from anchorgraph.catalogue import CATALOGUE

MEASURES = ("accuracy", "nmi", "seconds")
PREPARATIONS = ("dense", "zero_to_one", "columns_zero_to_one", "unit_rows", "standardise", "one_hot")


def methods_on_data(data: str, keys: list[str], *, runs: int, prepare: str = "dense") -> Experiment:
    """Accuracy, NMI and seconds of methods on a data set with classes.

    Clusterers are scored by their clusters, embeddings by k-means clusters of the embedded rows, and supervised methods
    by the class of the nearest training row, with 40 % of each class as training rows.

    Parameters
    ----------
    data : str
        A name for :func:`anchorgraph.datasets.load`.
    keys : list of str
        Keys of methods; if empty, all.
    runs : int
    prepare : str
        Preparation of the rows, one of :data:`PREPARATIONS`.

    Returns
    -------
    Experiment
    """
    if prepare not in PREPARATIONS:
        raise ValueError(f"prepare={prepare!r} is not known; choose one of {', '.join(PREPARATIONS)}.")
    comparable = [key for key, method in CATALOGUE.items() if method.card.task in ("clustering", "embedding")]
    if unknown := set(keys) - set(comparable):
        raise ValueError(
            f"{', '.join(sorted(unknown))} cannot be compared here; choose some of {', '.join(comparable)}."
        )
    form: dict[str, Any] = {"load": data, "prepare": [prepare]}
    cells = [
        Cell(CATALOGUE[key].__name__, measure, (_trial(form, key),), runs, (measure,), Printed())
        for key in keys or comparable
        for measure in MEASURES
    ]
    names = tuple(dict.fromkeys(cell.row for cell in cells))
    title = f"Methods on {data}: agreement with its classes (%) and time (s)"
    return Experiment(data, "methods", data, title, "score", names, MEASURES, tuple(cells))


def _trial(form: dict[str, Any], key: str) -> Trial:
    card = CATALOGUE[key].card
    protocol = "nearest" if card.supervised else card.task
    params = {"parts": "join"} if "parts" in CATALOGUE[key]().get_params() else {}  # no paper's table
    spec = {"data": form, "protocol": protocol, "options": {}, "method": CATALOGUE[key].__name__, "params": params}
    return Trial(canonical(spec))
