"""All methods. The public names, the program, the documentation and the tests use this list; there is no other one."""

from __future__ import annotations

from anchorgraph.baselines.ada import ADA as ADA
from anchorgraph.baselines.allda import ALLDA as ALLDA
from anchorgraph.baselines.knnsc import KNNSC as KNNSC
from anchorgraph.baselines.lada import LADA as LADA
from anchorgraph.baselines.le import LE as LE
from anchorgraph.baselines.lpp import LPP as LPP
from anchorgraph.baselines.lsc import LSC as LSC
from anchorgraph.baselines.lsda import LSDA as LSDA
from anchorgraph.baselines.mmc import MMC as MMC
from anchorgraph.baselines.nystrom_sc import NystromSC as NystromSC
from anchorgraph.baselines.sr import SR as SR
from anchorgraph.baselines.ssda import SSDA as SSDA
from anchorgraph.baselines.sssc import SSSC as SSSC
from anchorgraph.estimators.anchor_graph import AnchorGraph as AnchorGraph
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bkhk import BKHK as BKHK
from anchorgraph.estimators.csr import CSR as CSR
from anchorgraph.estimators.flrl import FLRL as FLRL
from anchorgraph.estimators.fsc import FSC as FSC
from anchorgraph.estimators.ongr import ONGR as ONGR
from anchorgraph.estimators.oulge import OULGE as OULGE
from anchorgraph.estimators.ulge import ULGE as ULGE

_TASKS = ("anchors", "graph", "embedding", "clustering")


def _order(method: type[Method]) -> tuple[bool, int, bool]:
    return method.card.supervised, _TASKS.index(method.card.task), method.__module__.startswith("anchorgraph.baselines")


CATALOGUE: dict[str, type[Method]] = {
    method.card.key: method
    for method in sorted(
        (
            kind
            for kind in vars().values()
            if isinstance(kind, type) and issubclass(kind, Method) and kind is not Method
        ),
        key=_order,
    )
}
"""All methods by key: unsupervised before supervised, then by task; methods of the papers before baselines."""
