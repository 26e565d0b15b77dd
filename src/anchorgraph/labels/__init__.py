"""Clusters from the rows of an embedding.

A normalisation is a function of rows; a rounding is a :class:`~anchorgraph.contracts.Rounding`.
"""

from anchorgraph.labels.assign import assign
from anchorgraph.labels.kmeans import KMeansRounding
from anchorgraph.labels.normalise import as_they_are, to_unit_length
from anchorgraph.labels.reconstruction import Reconstruction, labels_of, reconstruct, replay
from anchorgraph.labels.rotation import QRRounding, RotationRounding
from anchorgraph.labels.starts import STARTS
from anchorgraph.labels.subclasses import split_classes
from anchorgraph.labels.subspace import SubspaceClasses, row_products

NORMALISATIONS = {"rows": to_unit_length, "none": as_they_are}
ROUNDINGS = {"kmeans": KMeansRounding(), "rotation": RotationRounding(), "qr": QRRounding()}

__all__ = [
    "NORMALISATIONS",
    "ROUNDINGS",
    "STARTS",
    "KMeansRounding",
    "QRRounding",
    "Reconstruction",
    "RotationRounding",
    "SubspaceClasses",
    "assign",
    "labels_of",
    "reconstruct",
    "replay",
    "row_products",
    "split_classes",
    "to_unit_length",
]
