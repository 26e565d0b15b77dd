"""Clusters from the rows of an embedding.

A normalisation is a function of rows; a rounding is a :class:`~anchorgraph.contracts.Rounding`.
"""

from __future__ import annotations

from collections.abc import Callable

from anchorgraph.contracts import Floats, Rounding
from anchorgraph.labels.assign import assign
from anchorgraph.labels.kmeans import KMeansRounding
from anchorgraph.labels.normalise import identity, to_unit_length
from anchorgraph.labels.reconstruction import Reconstruction, labels_of, reconstruct, replay
from anchorgraph.labels.rotation import QRRounding, RotationRounding
from anchorgraph.labels.starts import STARTS
from anchorgraph.labels.subclasses import split_classes
from anchorgraph.labels.subspace import SubspaceClasses, row_products

NORMALISATIONS: dict[str, Callable[[Floats], Floats]] = {"rows": to_unit_length, "none": identity}
ROUNDINGS: dict[str, Rounding] = {"kmeans": KMeansRounding(), "rotation": RotationRounding(), "qr": QRRounding()}

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
