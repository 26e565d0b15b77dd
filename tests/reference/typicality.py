"""How typical rows are of others, distance by distance."""

import numpy as np


def distances(rows, points):
    return np.array([[np.sqrt(np.sum((x - u) ** 2)) for u in points] for x in rows])


def scores(rows, anchors, fitted, n_neighbors):
    """Minus the mean distance to the nearest anchors, over the scale of the nearest one."""
    typical = np.sort(distances(fitted, anchors), axis=1)[:, :n_neighbors].mean(axis=1)
    overall = np.median(typical)
    scales = []
    for own in distances(anchors, fitted):
        around = np.median(typical[np.argsort(own)[: round(0.2 * len(fitted))]])
        scale = overall
        if overall > 1.5 * around:
            scale = 1.5 * around
        if overall < around / 1.5:
            scale = around / 1.5
        scales.append(max(scale, 0.01 * overall))
    h = distances(rows, anchors)
    mean = np.sort(h, axis=1)[:, :n_neighbors].mean(axis=1)
    return -mean / np.array(scales)[h.argmin(axis=1)]
