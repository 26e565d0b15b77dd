"""All methods by their key."""

from __future__ import annotations

from typing import Any

from anchorgraph.estimators.ada import ADA
from anchorgraph.estimators.allda import ALLDA
from anchorgraph.estimators.anchor_graph import AnchorGraph
from anchorgraph.estimators.bkhk import BKHK
from anchorgraph.estimators.csr import CSR
from anchorgraph.estimators.flrl import FLRL
from anchorgraph.estimators.fsc import FSC
from anchorgraph.estimators.knnsc import KNNSC
from anchorgraph.estimators.lada import LADA
from anchorgraph.estimators.le import LE
from anchorgraph.estimators.lpp import LPP
from anchorgraph.estimators.lsc import LSC
from anchorgraph.estimators.lsda import LSDA
from anchorgraph.estimators.mmc import MMC
from anchorgraph.estimators.nystrom_sc import NystromSC
from anchorgraph.estimators.ongr import ONGR
from anchorgraph.estimators.oulge import OULGE
from anchorgraph.estimators.sr import SR
from anchorgraph.estimators.ssda import SSDA
from anchorgraph.estimators.sssc import SSSC
from anchorgraph.estimators.ulge import ULGE

METHODS = (
    BKHK,
    AnchorGraph,
    ULGE,
    OULGE,
    CSR,
    LE,
    LPP,
    SR,
    FSC,
    ONGR,
    LSC,
    KNNSC,
    NystromSC,
    SSSC,
    FLRL,
    MMC,
    LSDA,
    SSDA,
    LADA,
    ADA,
    ALLDA,
)

CATALOGUE: dict[str, Any] = {method.card.key: method for method in METHODS}
