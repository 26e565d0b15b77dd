"""Anchors of each class, for supervised methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from anchorgraph.contracts import Floats, Integers, RowTable
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.equal_rows import n_different
from anchorgraph.numerics.kmeans import fit_kmeans
from anchorgraph.numerics.progress import stage

MOST_ROWS = 5_000
"""Maximum number of rows of a class that its anchors are computed from."""

MOST_BYTES = 2**26
"""Rows of several classes that are read at once: a pass over a file may be needed for each reading."""


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
    points = []
    for rows in _rows_of_classes(table, codes, np.random.default_rng(seed)):
        wanted = choose_number(rows, seed)
        number = min(wanted, n_different(rows, wanted))
        model = fit_kmeans(rows, number, n_init=1, seed=seed, max_iter=max_iter)
        points.append(model.cluster_centers_[np.unique(model.labels_)])  # leaves out centres without rows
    owners = np.repeat(np.arange(len(points)), [len(some) for some in points])
    return np.concatenate(points), owners


def _rows_of_classes(table: RowTable, codes: Integers, rng: np.random.Generator) -> Iterator[Floats]:
    """Some rows of each class; those of several classes are read at once, as many as :data:`MOST_BYTES` hold."""
    chosen = []
    for code in range(codes.max() + 1):
        own = np.flatnonzero(codes == code)
        chosen.append(own if len(own) <= MOST_ROWS else np.sort(rng.choice(own, MOST_ROWS, replace=False)))
    ends = np.cumsum([len(own) for own in chosen])
    batches = ends * table.n_cols * table.dtype.itemsize // MOST_BYTES
    for batch in np.unique(batches):
        together = [chosen[code] for code in np.flatnonzero(batches == batch)]
        rows = table.take(np.concatenate(together))
        for stop, own in zip(np.cumsum([len(own) for own in together]), together, strict=True):
            yield dense(rows[stop - len(own) : stop])
