"""Communities and AnchorMap on scikit-learn's digits, then all methods beside k-means and spectral clustering."""

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
from anchorgraph.cli.browser import open_page
from anchorgraph.cli.progress import track
from anchorgraph.cli.text_map import text_map
from anchorgraph.datasets import load
from anchorgraph.metrics import clustering_accuracy, nmi
from anchorgraph.numerics.progress import listening
from anchorgraph.numerics.stopwatch import Stopwatch
from anchorgraph.report import check_page, report

N_CLASSES = 10
METHODS: Mapping[str, Any] = CATALOGUE  # each class has a constructor of its own
OTHERS = [method for key, method in METHODS.items() if key not in ("communities", "anchor_map")]
Run = tuple[str, str, Callable[[], tuple[Any, Any]]]
"""The name of a method, what makes the clusters, and a function that returns the true classes and the clusters."""


def compare_all(page: Path | None, *, opens: bool, quiet: bool, as_json: bool) -> None:
    """Cluster and map the ten digits, write a report, and print the scores of all other methods.

    Parameters
    ----------
    page : Path or None
    opens : bool
        Whether the report is opened in a browser, if there is a screen.
    quiet, as_json : bool
    """
    data = load("digits")
    if page is not None:
        check_page(page)
    warnings.simplefilter("ignore")  # about unconnected graphs: the scores show their effect
    quiet = quiet or as_json
    screen = Console(highlight=False, markup=False, quiet=quiet)
    clusterer, mapper = METHODS["communities"](N_CLASSES, random_state=0), METHODS["anchor_map"](random_state=0)
    watch = Stopwatch()
    with listening(watch):
        clustered = _score((type(clusterer).__name__, "itself", partial(_fit_predict, clusterer, data)))
    watch.stop()
    first = [clustered, _score((type(mapper).__name__, "k-means", partial(_cluster_embedding, mapper, data)))]
    n_rows, n_cols = data.X.shape
    screen.print(f"scikit-learn's digits, {n_rows:,} × {n_cols}, clustered and mapped without their classes\n")
    screen.print(_table(first), "", text_map(mapper.embedding_, data.y, clusterer.labels_), sep="\n")
    colours = "; its colour is the cluster that Communities found" if screen.color_system else ""
    screen.print(f"Each character is a digit{colours}.\n")
    if page is not None:
        made = report(clusterer, data.X, labels=data.y, image=(8, 8), title="Digits", seconds=watch.seconds)
        replaced = " (replaced)" if page.exists() else ""
        made.save(page)
        screen.print(f"report: {page.resolve()}{replaced}\n", soft_wrap=True)
        if opens and not quiet:
            open_page(page)
    runs: list[Run] = [*_scikit_learn(data), *_clusterers(data), *_embeddings(data), *_supervised(data)]
    others = [_score(run) for run in track(runs, Console(stderr=True, quiet=quiet))]
    screen.print("The same digits by k-means, spectral clustering and the other methods\n", _table(others), sep="\n")
    if as_json:
        print(json.dumps([*first, *others]))


def _score(run: Run) -> dict[str, Any]:
    name, by, work = run
    start = time.perf_counter()
    true, predicted = work()
    seconds = time.perf_counter() - start
    scores = {"accuracy": clustering_accuracy(true, predicted), "nmi": nmi(true, predicted)}
    return {"method": name, "clusters by": by, **scores, "seconds": seconds}


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table("method", "clusters by", "accuracy", "NMI", "seconds", box=None, pad_edge=False)
    for row in rows:
        scores = (f"{row['accuracy']:.3f}", f"{row['nmi']:.3f}", f"{row['seconds']:.2f}")
        table.add_row(row["method"], row["clusters by"], *scores)
    return table


def _scikit_learn(data: Any) -> Iterator[Run]:
    yield "KMeans", "itself", lambda: (data.y, _kmeans(data.X))
    spectral = SpectralClustering(N_CLASSES, affinity="nearest_neighbors", random_state=0)
    yield "SpectralClustering", "itself", lambda: (data.y, spectral.fit_predict(data.X))


def _clusterers(data: Any) -> Iterator[Run]:
    for method in OTHERS:
        if method.card.task == "clustering":
            model = method(N_CLASSES, random_state=0)
            yield method.__name__, "itself", partial(_fit_predict, model, data)


def _embeddings(data: Any) -> Iterator[Run]:
    for method in OTHERS:
        if method.card.task == "embedding" and not method.card.supervised:
            model = method(N_CLASSES, random_state=0)
            yield method.__name__, "k-means", partial(_cluster_embedding, model, data)


def _supervised(data: Any) -> Iterator[Run]:
    """Fitted to every other row; the rest get the class of the nearest of these rows."""
    half = np.arange(len(data.y)) % 2 == 0
    for method in OTHERS:
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
