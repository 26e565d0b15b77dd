"""Clustering and dimensionality reduction of millions of rows through anchor graphs."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # true to type checkers; importing typing would take longer than all the rest of this file
if TYPE_CHECKING:
    from anchorgraph.estimators import ADA as ADA
    from anchorgraph.estimators import ALLDA as ALLDA
    from anchorgraph.estimators import BKHK as BKHK
    from anchorgraph.estimators import CSR as CSR
    from anchorgraph.estimators import FLRL as FLRL
    from anchorgraph.estimators import FSC as FSC
    from anchorgraph.estimators import KNNSC as KNNSC
    from anchorgraph.estimators import LADA as LADA
    from anchorgraph.estimators import LE as LE
    from anchorgraph.estimators import LPP as LPP
    from anchorgraph.estimators import LSC as LSC
    from anchorgraph.estimators import LSDA as LSDA
    from anchorgraph.estimators import MMC as MMC
    from anchorgraph.estimators import ONGR as ONGR
    from anchorgraph.estimators import OULGE as OULGE
    from anchorgraph.estimators import SR as SR
    from anchorgraph.estimators import SSDA as SSDA
    from anchorgraph.estimators import SSSC as SSSC
    from anchorgraph.estimators import ULGE as ULGE
    from anchorgraph.estimators import AnchorGraph as AnchorGraph
    from anchorgraph.estimators import NystromSC as NystromSC
    from anchorgraph.graph import Adaptive as Adaptive
    from anchorgraph.graph import Gaussian as Gaussian
    from anchorgraph.graph import Inverse as Inverse
    from anchorgraph.models import load as load
    from anchorgraph.models import save as save
    from anchorgraph.table import as_table as as_table

__version__ = "0.1.0"

_NAMES = {
    "estimators": (
        *("ADA", "ALLDA", "BKHK", "CSR", "FLRL", "FSC", "KNNSC", "LADA", "LE", "LPP", "LSC", "LSDA", "MMC", "ONGR"),
        *("OULGE", "SR", "SSDA", "SSSC", "ULGE", "AnchorGraph", "NystromSC"),
    ),
    "graph": ("Adaptive", "Gaussian", "Inverse"),
    "models": ("load", "save"),
    "table": ("as_table",),
}
"""Public names by the room that they come from when they are first asked for: ``import anchorgraph`` alone imports no
scikit-learn. Type checkers read the same names above."""

_ROOMS = {
    *("anchors", "bench", "contracts", "datasets", "estimators", "graph", "labels", "metrics", "models"),
    *("numerics", "projection", "report", "spectrum", "table"),
}
"""Rooms that are attributes without an import of their own: all but the program, which takes an extra."""

_ROOM_OF = {name: room for room, names in _NAMES.items() for name in names}

__all__ = sorted([*_ROOM_OF, "__version__"])

if not TYPE_CHECKING:  # to whom any attribute would seem to exist

    def __getattr__(name):
        if name in _ROOM_OF:
            found = getattr(import_module(f"anchorgraph.{_ROOM_OF[name]}"), name)
            globals()[name] = found  # asked once
            return found
        if name in _ROOMS:
            return import_module(f"anchorgraph.{name}")
        raise AttributeError(f"module 'anchorgraph' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
