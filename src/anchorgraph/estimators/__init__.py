"""One file a method. ``fit`` is the only place where two stages meet, and reads like the paper's algorithm."""

from anchorgraph.estimators.ada import ADA
from anchorgraph.estimators.allda import ALLDA
from anchorgraph.estimators.anchor_graph import AnchorGraph
from anchorgraph.estimators.bkhk import BKHK
from anchorgraph.estimators.catalogue import CATALOGUE
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

__all__ = [
    "ADA",
    "ALLDA",
    "BKHK",
    "CATALOGUE",
    "CSR",
    "FLRL",
    "FSC",
    "KNNSC",
    "LADA",
    "LE",
    "LPP",
    "LSC",
    "LSDA",
    "MMC",
    "ONGR",
    "OULGE",
    "SR",
    "SSDA",
    "SSSC",
    "ULGE",
    "AnchorGraph",
    "NystromSC",
]
