"""The best assignment of rows to centres of fixed capacities, as an assignment problem."""

import numpy as np
from scipy.optimize import linear_sum_assignment


def best_assignment(X, centres, sizes):
    """Labels with these sizes that minimise Σ ‖x_i - c_g(i)‖²: each centre stands as often as rows belong to it."""
    places = np.repeat(np.arange(len(centres)), sizes)
    squares = ((X[:, np.newaxis] - centres[places]) ** 2).sum(axis=2)
    rows, columns = linear_sum_assignment(squares)
    labels = np.empty(len(X), dtype=int)
    labels[rows] = places[columns]
    return labels
