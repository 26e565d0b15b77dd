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
    choose_number: Callable[[Floats, Floats, int], int],
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
        ``(rows, counts, seed) -> int``: the number of anchors for a class with these rows. Counts are in proportion to
        the weights, and their sum is the number of different rows. A class has no more anchors than different rows.
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
    for rows, weights in _rows_of_classes(table, codes, np.random.default_rng(seed)):
        counts = weights * (n_different(rows, len(rows)) / weights.sum())  # a row is one row, whatever it weighs
        wanted = choose_number(rows, counts, seed)
        number = min(wanted, n_different(rows, wanted))
        found = fit_kmeans(rows, number, n_init=1, seed=seed, max_iter=max_iter, weights=counts)
        points.append(found.centres[np.unique(found.labels)])  # leaves out centres without rows
    owners = np.repeat(np.arange(len(points)), [len(some) for some in points])
    return np.concatenate(points), owners


def _rows_of_classes(table: RowTable, codes: Integers, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    """Some rows of each class, and their weights.

    Those of several classes are read at once, as many as :data:`MOST_BYTES` hold.
    """
    weights = table.weight_of_each()
    chosen = [_choose(np.flatnonzero((codes == code) & (weights > 0)), weights, rng) for code in range(codes.max() + 1)]
    ends = np.cumsum([len(own) for own, _ in chosen])
    batches = ends * table.n_cols * table.dtype.itemsize // MOST_BYTES
    for batch in np.unique(batches):
        together = [chosen[code] for code in np.flatnonzero(batches == batch)]
        rows = table.take(np.concatenate([own for own, _ in together]))
        for stop, (own, counts) in zip(np.cumsum([len(own) for own, _ in together]), together, strict=True):
            yield dense(rows[stop - len(own) : stop]), counts


def _choose(own: Integers, weights: Floats, rng: np.random.Generator) -> tuple[Integers, Floats]:
    """At most :data:`MOST_ROWS` of the rows of a class, in proportion to their weights, and the weights of these."""
    weights = weights[own]
    if len(own) <= MOST_ROWS:
        return own, weights
    if (weights == weights[0]).all():
        return np.sort(rng.choice(own, MOST_ROWS, replace=False)), np.ones(MOST_ROWS)
    drawn, counts = np.unique(rng.choice(own, MOST_ROWS, p=weights / weights.sum()), return_counts=True)
    return drawn, counts.astype(np.float64)
