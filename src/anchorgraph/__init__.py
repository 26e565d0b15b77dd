"""Clustering and dimensionality reduction of millions of rows through anchor graphs."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # true to type checkers; importing typing would take longer than all the rest of this file
if TYPE_CHECKING:
    from anchorgraph.anchors import BKHKAnchors as BKHKAnchors
    from anchorgraph.anchors import HKAnchors as HKAnchors
    from anchorgraph.anchors import KMeansAnchors as KMeansAnchors
    from anchorgraph.anchors import RandomAnchors as RandomAnchors
    from anchorgraph.baselines import *  # noqa: F403 - all methods, by the list of their room
    from anchorgraph.catalogue import CATALOGUE as CATALOGUE
    from anchorgraph.estimators import *  # noqa: F403 - all methods, by the list of their room
    from anchorgraph.estimators.cluster_path import ClusterPath as ClusterPath
    from anchorgraph.estimators.cluster_path import cluster_path as cluster_path
    from anchorgraph.estimators.with_outliers import WithOutliers as WithOutliers
    from anchorgraph.graph import Adaptive as Adaptive
    from anchorgraph.graph import AutoSearch as AutoSearch
    from anchorgraph.graph import ExactSearch as ExactSearch
    from anchorgraph.graph import Gaussian as Gaussian
    from anchorgraph.graph import Inverse as Inverse
    from anchorgraph.graph import SelfTuning as SelfTuning
    from anchorgraph.graph import TreeSearch as TreeSearch
    from anchorgraph.labels import KMeansRounding as KMeansRounding
    from anchorgraph.labels import QRRounding as QRRounding
    from anchorgraph.labels import RotationRounding as RotationRounding
    from anchorgraph.models import load as load
    from anchorgraph.models import save as save
    from anchorgraph.table import CSVFormat as CSVFormat
    from anchorgraph.table import as_table as as_table

__version__ = "0.2.0"

_NAMES = {
    "anchors": ("BKHKAnchors", "HKAnchors", "KMeansAnchors", "RandomAnchors"),
    "catalogue": ("CATALOGUE",),  # and all methods in it
    "estimators.cluster_path": ("ClusterPath", "cluster_path"),
    "estimators.with_outliers": ("WithOutliers",),
    "graph": ("Adaptive", "AutoSearch", "ExactSearch", "Gaussian", "Inverse", "SelfTuning", "TreeSearch"),
    "labels": ("KMeansRounding", "QRRounding", "RotationRounding"),
    "models": ("load", "save"),
    "table": ("CSVFormat", "as_table"),
}
"""Public names by the room that they come from when they are first asked for: ``import anchorgraph`` alone imports no
scikit-learn. Type checkers read the same names above."""

_ROOMS = {
    *(
        "anchors",
        "anndata",
        "baselines",
        "bench",
        "catalogue",
        "contracts",
        "datasets",
        "estimators",
        "graph",
        "indexes",
        "labels",
    ),
    *("layout", "metrics", "models", "numerics", "plot", "projection", "report", "spectrum", "table", "urls"),
}
"""Rooms that are attributes without an import of their own: all but the program, which takes an extra."""

_ROOM_OF = {name: room for room, names in _NAMES.items() for name in names}

if not TYPE_CHECKING:  # to whom any attribute would seem to exist

    def __getattr__(name):
        if name == "__all__":
            return sorted(["__version__", *_methods(), *_ROOM_OF])
        if name in _ROOMS:
            return import_module(f"anchorgraph.{name}")
        if name in _ROOM_OF:
            found = getattr(import_module(f"anchorgraph.{_ROOM_OF[name]}"), name)
        elif name.startswith("_") or name not in _methods():
            raise AttributeError(f"module 'anchorgraph' has no attribute {name!r}")
        else:
            found = _methods()[name]
        globals()[name] = found  # asked once
        return found


def _methods() -> dict[str, type]:
    return {method.__name__: method for method in import_module("anchorgraph.catalogue").CATALOGUE.values()}


def __dir__() -> list[str]:
    return sorted({"__version__", *_methods(), *_ROOM_OF, *_ROOMS})
