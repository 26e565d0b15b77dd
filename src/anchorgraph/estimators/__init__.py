"""One file a method. ``fit`` is the only place where two stages meet, and reads like the paper's algorithm."""

from anchorgraph.estimators.anchor_graph import AnchorGraph
from anchorgraph.estimators.bkhk import BKHK
from anchorgraph.estimators.catalogue import CATALOGUE
from anchorgraph.estimators.csr import CSR
from anchorgraph.estimators.le import LE
from anchorgraph.estimators.lpp import LPP
from anchorgraph.estimators.oulge import OULGE
from anchorgraph.estimators.sr import SR
from anchorgraph.estimators.ulge import ULGE

__all__ = ["BKHK", "CATALOGUE", "CSR", "LE", "LPP", "OULGE", "SR", "ULGE", "AnchorGraph"]
