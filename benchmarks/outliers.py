"""Outliers among the rows of a fit: the ROC AUC of ``score_samples`` beside IsolationForest and LocalOutlierFactor.

``python benchmarks/outliers.py digits usps`` for some of the data sets; ``--classes 3`` for some of their classes.

Of each real data set, one class after the other is reduced to 2 % of the other rows, which are the outliers; then 2 %
of rows are added that are uniform in the box of the data. Of MNIST, 20,000 rows are used. In the made rows, three round
groups have spreads of 1 : 4 : 10, and outliers lie around each at 2.2 times its radius. All scorers are fitted to the
rows with the outliers and score the same rows. ``distance`` is minus the distance of a row to its nearest anchor, and
``mean distance`` that to its five nearest ones: ``score_samples`` without its scales.
"""

import argparse
import time

import numpy as np
from record import keep_as
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor
from sklearn.preprocessing import StandardScaler

from anchorgraph import LSC, AnchorGraph, Communities
from anchorgraph.contracts import Anchors
from anchorgraph.datasets import DatasetUnavailableError, load
from anchorgraph.graph import ExactSearch

REAL = ("digits", "pendigits", "usps", "mnist")
MADE = "made"
HELD_OUT = ("breast_cancer", "coil20", "qsar_oral_toxicity")
"""Data sets that took no part when the form of ``score_samples`` was chosen."""
ALL = (*REAL, MADE, *HELD_OUT)
SHARE = 0.02
MOST_ROWS = 20_000


def anchor_graph(X):
    return AnchorGraph(random_state=0).fit(X).score_samples(X)


def lsc(X):
    return LSC(10, random_state=0).fit(X).score_samples(X)


def communities(X):
    return Communities(random_state=0).fit(X).score_samples(X)


def mean_distance(X, n_nearest=5):
    model = AnchorGraph(random_state=0).fit(X)
    search = ExactSearch().prepare(Anchors(model.anchors_), n_nearest, len(X))
    return -np.sqrt(search.nearest(X, n_nearest)[1]).mean(axis=1)


SCORERS = {
    "score_samples": anchor_graph,
    "of LSC": lsc,
    "of Communities": communities,
    "distance": lambda X: mean_distance(X, 1),
    "mean distance": mean_distance,
    "IsolationForest": lambda X: IsolationForest(random_state=0).fit(X).score_samples(X),
    "LOF 20": lambda X: LocalOutlierFactor(n_neighbors=20).fit(X).negative_outlier_factor_,
    "LOF 35": lambda X: LocalOutlierFactor(n_neighbors=35).fit(X).negative_outlier_factor_,
}


def rare_classes(X, y, n_classes, rng):
    """Rows and which are outliers, for each class: those that are left of it."""
    for rare in np.unique(y)[:n_classes]:
        others, own = np.flatnonzero(y != rare), rng.permutation(np.flatnonzero(y == rare))
        kept = rng.permutation(np.concatenate([others, own[: round(SHARE * len(others))]]))
        yield X[kept], y[kept] == rare


def uniform_rows(X, rng, n_trials=2):
    """Rows and which are outliers: those that were added."""
    for _ in range(n_trials):
        added = rng.uniform(X.min(axis=0), X.max(axis=0), (round(SHARE * len(X)), X.shape[1])).astype(X.dtype)
        yield np.vstack([X, added]), np.arange(len(X) + len(added)) >= len(X)


def unlike_densities(n_trials=3, n_group=2500, n_outliers=50, n_cols=8):
    """Rows of three groups of unlike density, and which are outliers: those around each."""
    for seed in range(n_trials):
        rng = np.random.default_rng(seed)
        rows, directions = rng.normal(size=(3, n_group, n_cols)), rng.normal(size=(3, n_outliers, n_cols))
        around = 2.2 * np.sqrt(n_cols) * directions / np.linalg.norm(directions, axis=2, keepdims=True)
        spreads, centres = np.array([0.1, 0.4, 1.0])[:, None, None], 12 * np.eye(3, n_cols)[:, None, :]
        X = [(centres + spreads * own).reshape(-1, n_cols) for own in (rows, around)]
        yield np.vstack(X), np.arange(3 * (n_group + n_outliers)) >= 3 * n_group


def cases(name, n_classes):
    """Kinds of outliers of a data set, with their trials."""
    rng = np.random.default_rng(0)
    if name == MADE:
        return {"around groups": unlike_densities()}
    data = load(name)
    kept = np.sort(rng.choice(len(data.X), min(len(data.X), MOST_ROWS), replace=False))
    X, y = np.asarray(data.X[kept], np.float32), data.y[kept]
    if name == "breast_cancer":  # its columns have units of their own
        X = StandardScaler().fit_transform(X)
    return {"rare class": rare_classes(X, y, n_classes, rng), "uniform": uniform_rows(X, rng)}


def measured(name, n_classes):
    """Records of all scorers, for each kind of outliers."""
    for kind, trials in cases(name, n_classes).items():
        areas, seconds = {scorer: [] for scorer in SCORERS}, dict.fromkeys(SCORERS, 0.0)
        for X, is_outlier in trials:
            for scorer, score in SCORERS.items():
                start = time.perf_counter()
                areas[scorer].append(roc_auc_score(~is_outlier, score(X)))
                seconds[scorer] += time.perf_counter() - start
        for scorer, own in areas.items():
            mean, spread = float(np.mean(own)), float(np.std(own))
            yield {"data": name, "outliers": kind, "scorer": scorer, "auc": mean, "spread": spread} | {
                "trials": len(own),
                "seconds": seconds[scorer] / len(own),
            }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="*", help=f"of {', '.join(ALL)}; all by default")
    parser.add_argument("--classes", type=int, help="number of classes that are outliers in turn; all by default")
    options = parser.parse_args()
    print(f"{'AUC':<24}" + "".join(f"{scorer:>17}" for scorer in SCORERS), flush=True)
    records = []
    for name in options.data or ALL:
        try:
            found = list(measured(name, options.classes))
        except DatasetUnavailableError as reason:
            print(f"{name} is left out: {reason}")
            continue
        for kind in dict.fromkeys(record["outliers"] for record in found):
            own = [record for record in found if record["outliers"] == kind]
            print(f"{name + ', ' + kind:<24}" + "".join(f"{record['auc']:>17.3f}" for record in own))
            print(f"{'  seconds':<24}" + "".join(f"{record['seconds']:>17.2f}" for record in own), flush=True)
        records += found
    keep_as("outliers", records)


if __name__ == "__main__":
    main()
