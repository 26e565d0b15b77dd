"""Clusters from the rows of an embedding, or from a graph of rows.

A normalisation is a function of rows; a rounding is a :class:`~anchorgraph.contracts.Rounding`.
"""

from __future__ import annotations

from collections.abc import Callable

from anchorgraph.contracts import Floats, Rounding
from anchorgraph.labels.anchor_shares import AnchorShares
from anchorgraph.labels.assign import assign
from anchorgraph.labels.communities import find_clusters
from anchorgraph.labels.cores import MOST_CORES
from anchorgraph.labels.kmeans import KMeansRounding
from anchorgraph.labels.levels import Levels
from anchorgraph.labels.memberships import are_equal, memberships, settle, vote
from anchorgraph.labels.modularity import largest_first, modularity
from anchorgraph.labels.normalise import identity, to_unit_length
from anchorgraph.labels.normalised_cut import normalised_cuts
from anchorgraph.labels.numbering import numbers_as_before, renumbered
from anchorgraph.labels.objective import LOSSES, PLUS, Objective
from anchorgraph.labels.reconstruction import Reconstruction, labels_of, reconstruct, replay, shares_of
from anchorgraph.labels.rotation import QRRounding, RotationRounding
from anchorgraph.labels.row_sample import RowSample
from anchorgraph.labels.sample import N_SAMPLED
from anchorgraph.labels.stability import random_halves, stability
from anchorgraph.labels.starts import STARTS, random_start
from anchorgraph.labels.subclasses import split_classes
from anchorgraph.labels.subspace import SubspaceClasses, row_products
from anchorgraph.labels.within_sizes import Bounds, assign_within

NORMALISATIONS: dict[str, Callable[[Floats], Floats]] = {"rows": to_unit_length, "none": identity}
ROUNDINGS: dict[str, Rounding] = {"kmeans": KMeansRounding(), "rotation": RotationRounding(), "qr": QRRounding()}

__all__ = [
    "LOSSES",
    "MOST_CORES",
    "NORMALISATIONS",
    "N_SAMPLED",
    "PLUS",
    "ROUNDINGS",
    "STARTS",
    "AnchorShares",
    "Bounds",
    "KMeansRounding",
    "Levels",
    "Objective",
    "QRRounding",
    "Reconstruction",
    "RotationRounding",
    "RowSample",
    "SubspaceClasses",
    "are_equal",
    "assign",
    "assign_within",
    "find_clusters",
    "labels_of",
    "largest_first",
    "memberships",
    "modularity",
    "normalised_cuts",
    "numbers_as_before",
    "random_halves",
    "random_start",
    "reconstruct",
    "renumbered",
    "replay",
    "row_products",
    "settle",
    "shares_of",
    "split_classes",
    "stability",
    "to_unit_length",
    "vote",
]
