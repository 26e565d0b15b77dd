"""All methods by their key."""

from __future__ import annotations

from anchorgraph.estimators.anchor_graph import AnchorGraph
from anchorgraph.estimators.bkhk import BKHK
from anchorgraph.estimators.csr import CSR
from anchorgraph.estimators.fsc import FSC
from anchorgraph.estimators.knnsc import KNNSC
from anchorgraph.estimators.le import LE
from anchorgraph.estimators.lpp import LPP
from anchorgraph.estimators.lsc import LSC
from anchorgraph.estimators.nystrom_sc import NystromSC
from anchorgraph.estimators.ongr import ONGR
from anchorgraph.estimators.oulge import OULGE
from anchorgraph.estimators.sr import SR
from anchorgraph.estimators.sssc import SSSC
from anchorgraph.estimators.ulge import ULGE

METHODS = (BKHK, AnchorGraph, ULGE, OULGE, CSR, LE, LPP, SR, FSC, ONGR, LSC, KNNSC, NystromSC, SSSC)

CATALOGUE = {method.card.key: method for method in METHODS}
