"""Algorithm 1 of ongr with the n×n graph W, from a given F."""

import numpy as np


def objective(W, F, G, lam):
    """Eq. 7."""
    return np.sum((W - F @ G.T) ** 2) + lam * np.sum((F - G) ** 2)


def update_g(W, F, lam):
    """Eq. 9, with (·)₊ as the larger of a number and zero: the minimiser of Eq. 8."""
    return np.maximum((W @ F + lam * F) / (1 + lam), 0)


def update_f(W, G, lam):
    """Eq. 11."""
    U, _, Vt = np.linalg.svd(W @ G + lam * G, full_matrices=False)
    return U @ Vt


def rounds(W, F, lam, n_rounds):
    """F before, G and the objective after each round, and the objective after F's update."""
    history = []
    for _ in range(n_rounds):
        G = update_g(W, F, lam)
        after_g = objective(W, F, G, lam)
        following = update_f(W, G, lam)
        history.append((F, G, after_g, objective(W, following, G, lam)))
        F = following
    return history
