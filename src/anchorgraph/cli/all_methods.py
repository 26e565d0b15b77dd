"""All methods on scikit-learn's digits, compared with k-means and scikit-learn's spectral clustering."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph.catalogue import CATALOGUE
from anchorgraph.cli.progress import track
from anchorgraph.datasets import load
from anchorgraph.metrics import clustering_accuracy, nmi
from anchorgraph.numerics.progress import listening
from anchorgraph.numerics.stopwatch import Stopwatch
from anchorgraph.report import check_page, report

N_CLASSES = 10
METHODS: Mapping[str, Any] = CATALOGUE  # each class has a constructor of its own


def compare_all(page: Path | None, *, quiet: bool, as_json: bool) -> None:
    """Print the scores of all methods on the ten digits, and write a report on one of them.

    Parameters
    ----------
    page : Path or None
    quiet, as_json : bool
    """
    data = load("digits")
    if page is not None:
        check_page(page)
    warnings.simplefilter("ignore")  # about unconnected graphs: the scores show their effect
    table = Table("method", "clusters by", "accuracy", "NMI", "seconds", box=None, pad_edge=False)
    rows = []
    runs: list[Run] = [*_scikit_learn(data), *_clusterers(data), *_embeddings(data), *_supervised(data)]
    for name, by, run in track(runs, Console(stderr=True, quiet=quiet or as_json)):
        start = time.perf_counter()
        true, predicted = run()
        seconds = time.perf_counter() - start
        row = {
            "method": name,
            "clusters by": by,
            "accuracy": clustering_accuracy(true, predicted),
            "nmi": nmi(true, predicted),
        }
        rows.append(row | {"seconds": seconds})
        table.add_row(name, by, f"{row['accuracy']:.3f}", f"{row['nmi']:.3f}", f"{seconds:.2f}")
    if as_json:
        print(json.dumps(rows))
    elif not quiet:
        Console(highlight=False, markup=False).print(table)
    if page is not None:
        _write_report(data, page)


def _write_report(data: Any, path: Path) -> None:
    """Write a report on one of the methods."""
    watch, model = Stopwatch(), METHODS["communities"](N_CLASSES, random_state=0)
    with listening(watch):
        model.fit(data.X)
    watch.stop()
    report(model, data.X, labels=data.y, image=(8, 8), title="Digits", seconds=watch.seconds).save(path)


Run = tuple[str, str, Callable[[], tuple[Any, Any]]]


def _scikit_learn(data: Any) -> Iterator[Run]:
    yield "KMeans", "itself", lambda: (data.y, _kmeans(data.X))
    spectral = SpectralClustering(N_CLASSES, affinity="nearest_neighbors", random_state=0)
    yield "SpectralClustering", "itself", lambda: (data.y, spectral.fit_predict(data.X))


def _clusterers(data: Any) -> Iterator[Run]:
    for method in METHODS.values():
        if method.card.task == "clustering":
            model = method(N_CLASSES, random_state=0)
            yield method.__name__, "itself", partial(_fit_predict, model, data)


def _embeddings(data: Any) -> Iterator[Run]:
    for method in METHODS.values():
        if method.card.task == "embedding" and not method.card.supervised:
            model = method(N_CLASSES, random_state=0)
            yield method.__name__, "k-means", partial(_cluster_embedding, model, data)


def _supervised(data: Any) -> Iterator[Run]:
    """Fitted to every other row; the rest get the class of the nearest of these rows."""
    half = np.arange(len(data.y)) % 2 == 0
    for method in METHODS.values():
        if method.card.supervised:
            run = partial(_predict_by_nearest, method(N_CLASSES - 1), data, half)
            yield method.__name__, "nearest row (half for training)", run


def _predict_by_nearest(model: Any, data: Any, half: Any) -> tuple[Any, Any]:
    model.fit(data.X[half], data.y[half])
    nearest = KNeighborsClassifier(1).fit(model.transform(data.X[half]), data.y[half])
    return data.y[~half], nearest.predict(model.transform(data.X[~half]))


def _fit_predict(model: Any, data: Any) -> tuple[Any, Any]:
    return data.y, model.fit_predict(data.X)


def _cluster_embedding(model: Any, data: Any) -> tuple[Any, Any]:
    return data.y, _kmeans(model.fit_transform(data.X))


def _kmeans(rows: Any) -> Any:
    return KMeans(N_CLASSES, n_init=10, random_state=0).fit_predict(rows)
