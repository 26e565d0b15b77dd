"""How well clusters agree with known classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics.cluster import contingency_matrix

from anchorgraph.contracts import Integers
from anchorgraph.metrics import clustering_accuracy, nmi
from anchorgraph.report.groups import Groups

MAX_LINES = 30
"""Of more classes, the table has the largest; of more clusters, those matched with them, and the largest others."""


def compare_with_classes(clusters: Groups, classes: Groups) -> dict[str, Any] | None:
    """Accuracy, NMI and the table of counts, over the rows that have both a cluster and a class.

    Parameters
    ----------
    clusters, classes : Groups

    Returns
    -------
    dict or None
        ``counts`` has a line for each class, and ``sizes`` its number of rows in all clusters. Clusters are in the
        order of the classes that they are matched with. None if no row has both.
    """
    known = (clusters.codes >= 0) & (classes.codes >= 0)
    if not known.any():
        return None
    found, true = clusters.codes[known], classes.codes[known]
    lines, columns = np.unique(true), np.unique(found)
    counts = np.asarray(contingency_matrix(true, found))
    lines_shown = np.sort(_largest(counts.sum(axis=1)))
    columns_shown = _matched_first(counts, lines_shown)[:MAX_LINES]
    return {
        "accuracy": clustering_accuracy(true, found),
        "nmi": nmi(true, found),
        "n_rows": int(np.count_nonzero(known)),
        "classes": [classes.names[number] for number in lines[lines_shown]],
        "clusters": [clusters.names[number] for number in columns[columns_shown]],
        "counts": counts[np.ix_(lines_shown, columns_shown)].tolist(),
        "sizes": counts.sum(axis=1)[lines_shown].tolist(),
        "n_classes": len(lines),
        "n_clusters": len(columns),
    }


def _largest(sizes: Integers) -> Integers:
    return np.argsort(-sizes, kind="stable")[:MAX_LINES]


def _matched_first(counts: Integers, lines: Integers) -> Integers:
    """The order of the clusters in which those matched with some classes come first, in the order of these classes."""
    classes, clusters = linear_sum_assignment(counts, maximize=True)
    matched = clusters[np.isin(classes, lines)]
    others = np.setdiff1d(np.arange(counts.shape[1]), matched)
    return np.concatenate([matched, others[np.argsort(-counts[:, others].sum(axis=0), kind="stable")]])
