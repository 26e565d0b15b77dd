"""Anchors of each class, for supervised methods."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.cluster import KMeans

from anchorgraph.contracts import Floats, Integers, RowTable
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.equal_rows import n_different
from anchorgraph.numerics.progress import stage

MOST_ROWS = 5_000
"""Maximum number of rows of a class that its anchors are computed from."""


@stage("anchors")
def select_per_class(
    table: RowTable,
    codes: Integers,
    choose_number: Callable[[Floats, int], int],
    *,
    seed: int,
    max_iter: int = 10,
) -> tuple[Floats, Integers]:
    """Centres of a few iterations of k-means in each class.

    Parameters
    ----------
    table : RowTable
    codes : (n,) integers
        The class of each row.
    choose_number : callable
        ``(rows, seed) -> int``: the number of anchors for a class with these rows. A class with fewer different rows
        than that gets as many anchors as it has different rows.
    seed : int
    max_iter : int
        Maximum number of iterations.

    Returns
    -------
    points : (m, d) floats
    owners : (m,) integers
        The class of each anchor.
    """
    rng = np.random.default_rng(seed)
    points = []
    for code in range(codes.max() + 1):
        own = np.flatnonzero(codes == code)
        if len(own) > MOST_ROWS:
            own = np.sort(rng.choice(own, MOST_ROWS, replace=False))
        rows = dense(table.take(own))
        wanted = choose_number(rows, seed)
        number = min(wanted, n_different(rows, wanted))
        model = KMeans(number, n_init=1, max_iter=max_iter, random_state=seed).fit(rows)
        points.append(model.cluster_centers_[np.unique(model.labels_)])  # leaves out centres without rows
    owners = np.repeat(np.arange(len(points)), [len(some) for some in points])
    return np.concatenate(points), owners
