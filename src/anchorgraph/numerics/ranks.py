"""Numbers of given ranks in each group of a table, found by counting their digits in passes over its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anchorgraph.contracts import Floats, RowMap, RowTable

MOST_COUNTS = 2**22
"""About how many counts a pass may take."""

WIDEST, NARROWEST = 11, 4
"""Numbers of bits that a pass counts: as many as :data:`MOST_COUNTS` allows."""

Keys = NDArray[np.uint64]


@dataclass(frozen=True)
class Ranks:
    """Where the running totals of sorted numbers reach their targets, for t targets in each of g groups.

    Attributes
    ----------
    values : (t, g) unsigned integers
        The first number at which the total of all numbers up to it is at least the target. If there is none, the
        largest number of so many bits.
    below : (t, g) floats
        The total of all smaller numbers.
    own : (t, g) floats
        The total of all numbers equal to it.
    """

    values: Keys
    below: Floats
    own: Floats


def find_ranks(table: RowTable, entries: RowMap, targets: Floats, n_bits: int, *aligned: RowTable) -> Ranks:
    """Find the numbers whose rank in their group is given, wherever the rows are stored.

    As in radix selection, a pass counts the next few bits of the numbers that begin like the wanted one. Totals of
    whole numbers are exact, so the result does not depend on the blocks.

    Parameters
    ----------
    table : RowTable
    entries : RowMap
        From a block and the aligned ones to the group, the number (as ``uint64``) and the weight (or ``None``, which
        stands for 1) of some or all of its rows.
    targets : (t, g) floats
        Ranks from 1 on, or totals of weights.
    n_bits : int
        Of the numbers.
    *aligned : RowTable

    Returns
    -------
    Ranks
    """
    most = max(1, MOST_COUNTS // targets.size)
    widest = min(max(most.bit_length() - 1, NARROWEST), WIDEST)
    values = np.zeros(targets.shape, dtype=np.uint64)
    below, own = np.zeros(targets.shape), np.zeros(targets.shape)
    n_left = n_bits
    while n_left > 0:
        width = min(widest, n_left)
        n_left -= width
        (counts,) = table.sum_blocks(partial(_count_digits, entries, values, n_left, width), *aligned)
        reached = below[..., np.newaxis] + np.cumsum(counts, axis=-1)
        digits = np.minimum(np.sum(reached < targets[..., np.newaxis], axis=-1), 2**width - 1)[..., np.newaxis]
        own = np.take_along_axis(counts, digits, axis=-1)[..., 0]
        below = np.take_along_axis(reached, digits, axis=-1)[..., 0] - own
        values = values << np.uint64(width) | digits[..., 0].astype(np.uint64)
    return Ranks(values, below, own)


def _count_digits(
    entries: RowMap, values: Keys, shift: int, width: int, block: Any, *aligned: Any
) -> tuple[NDArray[np.float64]]:
    """(t, g, 2^width) totals by the next digit of the numbers that begin with those found so far."""
    groups, numbers, weights = entries(block, *aligned)
    n_targets, n_groups = values.shape
    first_bits = numbers >> np.uint64(shift)
    digits = (first_bits & np.uint64(2**width - 1)).astype(np.intp)
    counts = np.zeros((n_targets, n_groups << width))
    for target, found in enumerate(values):
        alike = first_bits >> np.uint64(width) == found.take(groups)
        places = (groups[alike] << width) + digits[alike]
        counts[target] = np.bincount(places, None if weights is None else weights[alike], n_groups << width)
    return (counts.reshape(n_targets, n_groups, -1),)


def as_keys(scores: Floats) -> Keys:
    """Floats as integers of the same order and size: negative ones with all bits flipped, others with their sign."""
    n_bits = 8 * scores.dtype.itemsize
    bits = (scores + 0).view(f"u{scores.dtype.itemsize}")  # there is one zero
    top = bits.dtype.type(1 << (n_bits - 1))
    keys: Keys = np.where(bits & top, ~bits, bits | top).astype(np.uint64)
    return keys


def from_keys(keys: Keys, dtype: np.dtype[Any]) -> Floats:
    """The floats that keys stand for: the inverse of :func:`as_keys`."""
    n_bits = 8 * dtype.itemsize
    bits = keys.astype(f"u{dtype.itemsize}")
    top = bits.dtype.type(1 << (n_bits - 1))
    scores: Floats = np.where(bits & top, bits ^ top, ~bits).view(dtype)
    return scores
