"""Clustering and dimensionality reduction of millions of rows through anchor graphs."""

from anchorgraph.estimators import BKHK, CSR, LE, LPP, OULGE, SR, ULGE, AnchorGraph
from anchorgraph.graph import Adaptive, Gaussian, Inverse

__all__ = [
    "BKHK",
    "CSR",
    "LE",
    "LPP",
    "OULGE",
    "SR",
    "ULGE",
    "Adaptive",
    "AnchorGraph",
    "Gaussian",
    "Inverse",
    "__version__",
]
__version__ = "0.1.0"
