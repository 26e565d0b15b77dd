"""Where ONGR's rounds begin: rotations of the leading singular vectors, which are all equally good spectrally."""

from __future__ import annotations

import numpy as np

from anchorgraph.labels.rotation import by_qr, by_rotation


def oriented(rows, seed):
    """Each vector with the sign that leaves more of it when it is clipped: an all-negative one would leave nothing."""

    def squares(block, span):
        return np.sum(np.maximum(block, 0) ** 2, axis=0), np.sum(np.maximum(-block, 0) ** 2, axis=0)

    positive, negative = rows.sum_blocks(squares)
    return np.diag(np.where(negative > positive, -1.0, 1.0))


def towards_far_rows(rows, seed):
    """The rotation that takes the most different rows to the axes."""
    return by_qr(rows, rows.n_cols, seed=seed, n_init=1, n_jobs=1).directions


def towards_indicators(rows, seed):
    """The rotation nearest to indicators of clusters."""
    return by_rotation(rows, rows.n_cols, seed=seed, n_init=1, n_jobs=1).directions


STARTS = {"singular": oriented, "qr": towards_far_rows, "rotation": towards_indicators}
