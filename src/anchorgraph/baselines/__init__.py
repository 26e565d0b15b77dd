"""The methods that the papers compare with, one file each."""

from anchorgraph.baselines.ada import ADA
from anchorgraph.baselines.allda import ALLDA
from anchorgraph.baselines.knnsc import KNNSC
from anchorgraph.baselines.lada import LADA
from anchorgraph.baselines.le import LE
from anchorgraph.baselines.lpp import LPP
from anchorgraph.baselines.lsc import LSC
from anchorgraph.baselines.lsda import LSDA
from anchorgraph.baselines.mmc import MMC
from anchorgraph.baselines.nystrom_sc import NystromSC
from anchorgraph.baselines.sr import SR
from anchorgraph.baselines.ssda import SSDA
from anchorgraph.baselines.sssc import SSSC

__all__ = ["ADA", "ALLDA", "KNNSC", "LADA", "LE", "LPP", "LSC", "LSDA", "MMC", "SR", "SSDA", "SSSC", "NystromSC"]
