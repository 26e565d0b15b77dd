"""Agreement of clusters with classes, by every measure that a paper takes."""

from __future__ import annotations

from typing import Any

from anchorgraph.metrics import clustering_accuracy, nmi


def scores(classes: Any, clusters: Any) -> dict[str, float]:
    """Accuracy, and the mutual information over the larger entropy (csr, ongr) and over the geometric mean."""
    return {
        "accuracy": 100 * clustering_accuracy(classes, clusters),
        "nmi": 100 * nmi(classes, clusters, "max"),
        "nmi over the geometric mean": 100 * nmi(classes, clusters, "sqrt"),
    }
