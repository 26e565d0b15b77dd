"""The papers' methods and our own, one file each; ``fit`` puts the stages together and reads like the algorithm."""

from anchorgraph.estimators.anchor_graph import AnchorGraph
from anchorgraph.estimators.anchor_map import AnchorMap
from anchorgraph.estimators.bkhk import BKHK
from anchorgraph.estimators.communities import Communities
from anchorgraph.estimators.csr import CSR
from anchorgraph.estimators.flrl import FLRL
from anchorgraph.estimators.fsc import FSC
from anchorgraph.estimators.ongr import ONGR
from anchorgraph.estimators.oulge import OULGE
from anchorgraph.estimators.row_graph import RowGraph
from anchorgraph.estimators.ulge import ULGE

__all__ = ["BKHK", "CSR", "FLRL", "FSC", "ONGR", "OULGE", "ULGE", "AnchorGraph", "AnchorMap", "Communities", "RowGraph"]
