"""Clusters from the rows of an embedding.

A normalisation is a function of rows; a rounding is one ``(table, n_clusters, *, seed, n_init, n_jobs) -> Assignment``.
"""

from anchorgraph.labels.assign import assign
from anchorgraph.labels.codes import code_graph, sparse_codes
from anchorgraph.labels.kmeans import by_kmeans
from anchorgraph.labels.normalise import as_they_are, to_unit_length
from anchorgraph.labels.reconstruction import labels_of, reconstruct, replay, replayed
from anchorgraph.labels.rotation import by_qr, by_rotation
from anchorgraph.labels.starts import STARTS
from anchorgraph.labels.subspace import SubspaceClasses, row_products

NORMALISATIONS = {"rows": to_unit_length, "none": as_they_are}
ROUNDINGS = {"kmeans": by_kmeans, "rotation": by_rotation, "qr": by_qr}

__all__ = [
    "NORMALISATIONS",
    "ROUNDINGS",
    "STARTS",
    "SubspaceClasses",
    "assign",
    "by_kmeans",
    "code_graph",
    "labels_of",
    "reconstruct",
    "replay",
    "replayed",
    "row_products",
    "sparse_codes",
]
