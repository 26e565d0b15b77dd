"""How typical rows are of their clusters, distance by distance."""

import numpy as np


def mean_distance(x, fitted, n_neighbors):
    """To the nearest rows of the fit that differ from x."""
    lengths = sorted(np.sqrt(np.sum((x - row) ** 2)) for row in fitted if (row != x).any())
    return np.mean(lengths[:n_neighbors])


def scores(rows, labels, fitted, labels_of_fitted, n_neighbors):
    """Minus the mean distance to the nearest rows, over the scale of the cluster; rows of the fit are different."""
    d = np.array([mean_distance(x, fitted, n_neighbors) for x in fitted])
    overall, scales = np.median(d), []
    for cluster in range(labels_of_fitted.max() + 1):
        own = d[labels_of_fitted == cluster]
        share = len(own) / len(d)
        weight = share / (share + 0.1)
        scales.append(np.exp((1 - weight) * np.log(overall) + weight * np.log(np.median(own))))
    return np.array([-mean_distance(x, fitted, n_neighbors) / scales[c] for x, c in zip(rows, labels, strict=True)])
