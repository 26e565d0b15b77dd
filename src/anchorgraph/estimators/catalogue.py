"""All methods by their key."""

from __future__ import annotations

from anchorgraph.estimators.anchor_graph import AnchorGraph
from anchorgraph.estimators.bkhk import BKHK
from anchorgraph.estimators.csr import CSR
from anchorgraph.estimators.le import LE
from anchorgraph.estimators.lpp import LPP
from anchorgraph.estimators.oulge import OULGE
from anchorgraph.estimators.sr import SR
from anchorgraph.estimators.ulge import ULGE

CATALOGUE = {method.card.key: method for method in (BKHK, AnchorGraph, ULGE, OULGE, CSR, LE, LPP, SR)}
