"""Mixin of all clusterers."""

from __future__ import annotations

from anchorgraph.contracts import Integers
from anchorgraph.estimators.bases.sklearn_bases import ClusterMixin


class Clusterer(ClusterMixin):
    """Mixin of clusterers, which label the rows of the fit."""

    labels_: Integers
