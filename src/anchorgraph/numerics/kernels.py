"""Values of a kernel between any rows and the training rows, used as features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Block, Floats
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.finite import SIZES

CHUNK_BYTES = 2**24
"""Memory for the kernel values of one chunk of new rows."""


@dataclass(frozen=True)
class KernelFeatures:
    """``x ↦ (K(x, x_1), …, K(x, x_n))`` for the training rows ``x_i`` and a kernel of scikit-learn.

    Attributes
    ----------
    rows : (n, d) Block
        The training rows.
    name : str
        Name of the kernel, as in :func:`sklearn.metrics.pairwise.pairwise_kernels`.
    gamma, degree, coef0
        Parameters of the kernel; those that it does not have are ignored.
    """

    rows: Block
    name: str
    gamma: float | None
    degree: float
    coef0: float

    def __call__(self, block: Block) -> Floats:
        """(b, n) values of the kernel between the rows of a block and the training rows."""
        if self.name == "rbf":
            self._check_width(block)
        parameters = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                features = pairwise_kernels(block, self.rows, metric=self.name, filter_params=True, **parameters)
        except (TypeError, ValueError) as error:
            raise ValueError(f"kernel={self.name!r} cannot be taken of these rows: {error}") from error
        largest = np.abs(features).max(initial=0)
        if not largest <= SIZES[block.dtype][1]:
            raise ValueError(
                f"kernel={self.name!r} gives values as large as {largest:.2g} for these rows, whose products overflow "
                f"{block.dtype}; scale X first, or choose other parameters of the kernel."
            )
        return np.asarray(features, dtype=block.dtype)

    def _check_width(self, block: Block) -> None:
        """Raise ``ValueError`` if an RBF kernel is narrower than the rounding error of the squared distances.

        Between rows of very different lengths, distances are so large that the kernel is zero in any case.
        """
        longest = min(row_norms(rows, squared=True).max(initial=0) for rows in (block, self.rows))
        if self.gamma is not None and self.gamma * np.finfo(np.float64).eps * longest > 1:
            raise ValueError(
                f"gamma={self.gamma:.2g} is too large for rows of length {np.sqrt(longest):.2g}, whose squared "
                "distances are rounded to more than its width; centre and scale X first, or use a smaller gamma."
            )

    def parts(self, block: Block) -> list[slice]:
        """Slices of a block whose kernel values fit in memory."""
        return chunks(block.shape[0], self.rows.shape[0] * block.dtype.itemsize, CHUNK_BYTES)
