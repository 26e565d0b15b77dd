"""Stability of clusterings: whether halves of the rows are clustered as all rows are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from sklearn.metrics import adjusted_rand_score

from anchorgraph.contracts import Integers


def random_halves(n_rows: int, n_halves: int, seed: int) -> list[tuple[Integers, int]]:
    """The numbers of the rows of random halves, ascending, each with a seed of its own.

    Parameters
    ----------
    n_rows : int
    n_halves : int
    seed : int

    Returns
    -------
    list of (rows, seed)
    """
    generators = [np.random.default_rng([seed, 3, number]) for number in range(n_halves)]
    return [
        (np.sort(rng.choice(n_rows, (n_rows + 1) // 2, replace=False)), int(rng.integers(2**31))) for rng in generators
    ]


def stability(labels: Integers, of_halves: Iterable[tuple[Integers, Integers]]) -> float:
    """The mean adjusted Rand index between a clustering of all rows and those of halves of them.

    It is 1 if every half is clustered as all rows are, and 0 if they agree no more than by chance.

    Parameters
    ----------
    labels : (n,) integers
    of_halves : iterable of (rows, labels)
        The numbers of some rows, and their labels in a clustering of these rows alone.

    Returns
    -------
    float
    """
    return float(np.mean([adjusted_rand_score(labels[rows], own) for rows, own in of_halves]))
