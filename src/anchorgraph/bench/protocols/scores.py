"""Agreement of clusters with classes, by all measures that the papers use."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from anchorgraph.metrics import clustering_accuracy, nmi


def scores(classes: Any, clusters: Any) -> dict[str, float]:
    """Accuracy, and mutual information normalised by the larger entropy (csr, ongr) and by the geometric mean."""
    return {
        "accuracy": 100 * clustering_accuracy(classes, clusters),
        "nmi": 100 * nmi(classes, clusters, "max"),
        "nmi over the geometric mean": 100 * nmi(classes, clusters, "sqrt"),
    }


def kmeans_scores(rows: Any, classes: Any, n_runs: int, seed: int) -> dict[str, list[float]]:
    """The scores of some runs of k-means with one initialisation each, other ones for each seed."""
    n_clusters, starts = len(np.unique(classes)), range(n_runs * seed, n_runs * (seed + 1))
    runs = [KMeans(n_clusters, n_init=1, random_state=start).fit_predict(rows) for start in starts]
    found = [scores(classes, labels) for labels in runs]
    return {name: [one[name] for one in found] for name in found[0]}
