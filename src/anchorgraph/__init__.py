"""Clustering and dimensionality reduction of millions of rows through anchor graphs."""

from anchorgraph.estimators import (
    BKHK,
    CSR,
    FSC,
    KNNSC,
    LE,
    LPP,
    LSC,
    ONGR,
    OULGE,
    SR,
    SSSC,
    ULGE,
    AnchorGraph,
    NystromSC,
)
from anchorgraph.graph import Adaptive, Gaussian, Inverse

__all__ = [
    "BKHK",
    "CSR",
    "FSC",
    "KNNSC",
    "LE",
    "LPP",
    "LSC",
    "ONGR",
    "OULGE",
    "SR",
    "SSSC",
    "ULGE",
    "Adaptive",
    "AnchorGraph",
    "Gaussian",
    "Inverse",
    "NystromSC",
    "__version__",
]
__version__ = "0.1.0"
