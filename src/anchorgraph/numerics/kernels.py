"""Kernels with the rows of a fit, as features of any row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

from anchorgraph.contracts import Block, Floats


@dataclass(frozen=True)
class KernelFeatures:
    """``x ↦ (K(x, x_1), …, K(x, x_n))`` for the rows ``x_i`` of a fit and a kernel of scikit-learn."""

    rows: Block
    name: str
    gamma: float | None
    degree: float
    coef0: float

    def __call__(self, block: Block) -> Floats:
        """(b, n) kernels of a block with the rows of the fit."""
        parameters = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        features = pairwise_kernels(block, self.rows, metric=self.name, filter_params=True, **parameters)
        return np.asarray(features, dtype=block.dtype)
