"""How well clusters agree with known classes. Published tables mix these three metrics, so each has its own name."""

from anchorgraph.metrics.clustering import clustering_accuracy, nmi, purity

__all__ = ["clustering_accuracy", "nmi", "purity"]
