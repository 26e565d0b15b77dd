"""Singular vectors of B = Z Delta^-1/2 (ulge Eq. 21) with the trivial one taken out."""

import numpy as np


def spectrum(Z, p):
    """The p leading non-trivial singular values, left singular vectors F, and out-of-sample map of a dense Z."""
    delta = Z.sum(axis=0)
    used = delta > 0
    B = Z[:, used] @ np.diag(delta[used] ** -0.5)
    trivial = np.ones(len(Z)) / np.sqrt(len(Z))
    F, sigma, _ = np.linalg.svd(B - np.outer(trivial, trivial @ B), full_matrices=False)
    return sigma[:p], F[:, :p]
