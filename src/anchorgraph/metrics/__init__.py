"""How well labels agree with known classes. Published tables mix these three, so they have names of their own."""

from anchorgraph.metrics.clustering import clustering_accuracy, nmi, purity

__all__ = ["clustering_accuracy", "nmi", "purity"]
