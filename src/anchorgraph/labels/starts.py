"""Where ONGR's rounds begin: rotations of the leading singular vectors, which are all equally good spectrally."""

from __future__ import annotations

import numpy as np

from anchorgraph.labels.rotation import QRRounding, RotationRounding
from anchorgraph.numerics.progress import stage


@stage("clusters")
def oriented(rows, seed):
    """Each vector with the sign that leaves more of it when it is clipped: an all-negative one would leave nothing."""

    def squares(block):
        return np.sum(np.maximum(block, 0) ** 2, axis=0), np.sum(np.maximum(-block, 0) ** 2, axis=0)

    positive, negative = rows.sum_blocks(squares)
    return np.diag(np.where(negative > positive, -1.0, 1.0))


def towards_far_rows(rows, seed):
    """The rotation that takes the most different rows to the axes."""
    return QRRounding().round(rows, rows.n_cols, seed).directions


def towards_indicators(rows, seed):
    """The rotation nearest to indicators of clusters."""
    return RotationRounding().round(rows, rows.n_cols, seed).directions


STARTS = {"singular": oriented, "qr": towards_far_rows, "rotation": towards_indicators}
