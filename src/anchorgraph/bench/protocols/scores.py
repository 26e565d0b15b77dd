"""Agreement of clusters with classes, by all measures that the papers use."""

from __future__ import annotations

from typing import Any

from anchorgraph.metrics import clustering_accuracy, nmi


def scores(classes: Any, clusters: Any) -> dict[str, float]:
    """Accuracy, and mutual information normalised by the larger entropy (csr, ongr) and by the geometric mean."""
    return {
        "accuracy": 100 * clustering_accuracy(classes, clusters),
        "nmi": 100 * nmi(classes, clusters, "max"),
        "nmi over the geometric mean": 100 * nmi(classes, clusters, "sqrt"),
    }
