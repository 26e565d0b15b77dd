"""What Communities' constants and FSC's parameters were chosen by: each varied alone, on made shapes and on real data.

``python benchmarks/choices.py`` and ``python benchmarks/choices.py FSC``. Means over two data sets of each shape
(adjusted Rand index) and over three seeds of each real data set (NMI), with the true number of clusters. MNIST is left
out to save time.
"""

import argparse
import importlib
import warnings
from unittest.mock import patch

import numpy as np
from record import keep_as
from sklearn.metrics import adjusted_rand_score

from anchorgraph import FSC, Communities
from anchorgraph.datasets import SHAPES, load, make_shape
from anchorgraph.metrics import nmi

REAL = (
    *("usps", "pendigits", "coil20", "coil100_7168", "digits"),
    *("sentences_stackoverflow", "sentences_clinc150", "cells_cord_blood", "cells_pbmc_sorted"),
)
CONSTANTS = {
    "CLEARLY_MORE": ("estimators.bases.coordinates", (0.0, 0.03, 0.05, 0.08, 1.0)),
    "MOST_NEIGHBORS": ("estimators.communities", (8, 10, 12, 15, 20)),
    "FEWEST_NEIGHBORS": ("estimators.communities", (4, 5, 8)),
    "ALL_FUZZY": ("graph.row_ties", (0.5, 0.6, 0.65, 0.7)),
    "ALL_MUTUAL": ("graph.row_ties", (0.7, 0.75, 0.8, 0.9)),
    "N_KEPT": ("graph.row_ties", (1, 2, 3)),
    "N_RUNS": ("labels.communities", (2, 4, 8)),
    "USUAL": ("labels.resolution_path", (0.5, 0.6, 0.7, 0.85, 1.0)),
    "SMALLEST": ("labels.resolution_path", (0.01, 0.03, 0.05, 0.1)),
    "UNEQUAL": ("labels.resolution_path", (0.0, 0.02, 0.05, 0.1, 0.2)),
    "ONE_TIE": ("labels.resolution_path", (0.5, 1.0, 2.0)),
    "CLEARLY_LESS": ("labels.resolution_path", (0.0, 0.65, 0.7, 0.75, 0.8, 0.9, 1.0)),
}
"""Constants by name: their module and the values that are tried. CLEARLY_MORE = 1 always keeps 64 coordinates,
CLEARLY_LESS = 0 the usual resolution."""

COMPONENTS = (16, 32, 64, 128, 256)


OF_FSC = {
    "n_anchors": (None, 256, 512, 2048),
    "n_neighbors": (3, 4, 5, 7, 10),
    "anchors": ("kmeans", "random"),
    "weighting": ("gaussian", "self-tuning"),
    "normalisation": ("none",),
    "trivial": ("keep",),
    "rounding": ("rotation", "qr"),
}
"""Parameters of FSC, and the values that are tried; None is the default."""


def shapes_score(method=Communities, **parameters):
    """Mean adjusted Rand index over all shapes."""
    scores = []
    for shape in SHAPES:
        for seed in range(2):
            X, y = make_shape(shape, random_state=seed)
            labels = method(int(y.max()) + 1, random_state=seed, **at_most_rows(parameters, X)).fit_predict(X)
            scores.append(adjusted_rand_score(y[y >= 0], labels[y >= 0]))
    return float(np.mean(scores))


def real_scores(data, method=Communities, **parameters):
    """Mean NMI of each real data set."""
    found = {}
    for name, (X, y) in data.items():
        kept = at_most_rows(parameters, X)
        models = (method(int(y.max()) + 1, random_state=seed, **kept) for seed in range(3))
        found[name] = float(np.mean([nmi(y, model.fit_predict(X)) for model in models]))
    return found


def at_most_rows(parameters, X):
    """No more anchors than half of the rows."""
    n_anchors = parameters.get("n_anchors")
    return parameters | {"n_anchors": min(n_anchors, len(X) // 2)} if n_anchors else parameters


def show(what, value, shapes, real):
    cells = [f"{number:.3f}" for number in (shapes, np.mean(list(real.values())), *real.values())]
    print(f"{what:<14} {value!s:>11}  " + "  ".join(f"{cell:>8}" for cell in cells), flush=True)


def scores_of(name, value, data):
    """The scores of shapes and of real data with another value."""
    if name in OF_FSC:
        return shapes_score(FSC, **{name: value}), real_scores(data, FSC, **{name: value})
    if name == "n_components":
        return float("nan"), real_scores(data, n_components=value)
    with patch.object(importlib.import_module(f"anchorgraph.{CONSTANTS[name][0]}"), name, value):
        return shapes_score(), real_scores(data)


def run(names):
    data = {name: load(name) for name in REAL}
    data = {name: (found.X.astype(np.float32), found.y) for name, found in data.items()}
    titles = ["shapes", "real", *(name.removeprefix("sentences_").removeprefix("cells_")[:8] for name in data)]
    print(f"{'':<26}  " + "  ".join(f"{title:>8}" for title in titles))
    records = []
    for name in names:
        values = OF_FSC.get(name) or (COMPONENTS if name == "n_components" else CONSTANTS[name][1])
        for value in values:
            shapes, real = scores_of(name, value, data)
            show(name, value, shapes, real)
            records.append({"what": name, "value": value, "shapes": shapes, "real": real})
    return records


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    of_communities = (*CONSTANTS, "n_components")
    names = ("FSC", *of_communities, *OF_FSC)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(names)}; without any, all of Communities")
    warnings.filterwarnings("ignore")
    chosen = parser.parse_args().names or of_communities
    if unknown := set(chosen) - set(names):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    keep_as("choices", run([name for one in chosen for name in (OF_FSC if one == "FSC" else [one])]))
