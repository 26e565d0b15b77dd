"""Clusters of bounded sizes: the parameter, and the assignment of rows to near centres."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers, RowTable
from anchorgraph.graph import AllAnchors
from anchorgraph.labels import Bounds, assign_within
from anchorgraph.numerics.checks import as_number

N_CANDIDATES = 8
"""Number of nearest centres among which a row finds its cluster."""

SizesParameter: TypeAlias = Literal["equal"] | tuple[float, float] | None


def check_sizes(sizes: Any, assignment: str) -> None:
    """Refuse sizes that are not a known word or two bounds, or that the leaves of a tree do not have."""
    if assignment == "routed" and not isinstance(sizes, str):
        raise ValueError(
            f"assignment='routed' makes clusters of equal size; got sizes={sizes!r}: use sizes='equal' or "
            "assignment='nearest'."
        )
    if sizes is None or (isinstance(sizes, str) and sizes == "equal"):
        return
    is_pair = isinstance(sizes, tuple | list | np.ndarray) and len(sizes) == 2
    smallest, largest = map(as_number, sizes) if is_pair else (np.nan, np.nan)
    if not 0 <= smallest <= largest:
        raise ValueError(f"sizes must be 'equal', None, or two numbers 0 ≤ smallest ≤ largest; got {sizes!r}.")


def size_bounds(sizes: SizesParameter, total: float, n_clusters: int) -> Bounds | None:
    """The bounds of the sizes of clusters, which are ``total`` together; None if they are as equal as possible."""
    if isinstance(sizes, str):
        return None
    smallest, largest = (0, total) if sizes is None else map(float, sizes)
    if not smallest * n_clusters <= total <= largest * n_clusters:
        raise ValueError(
            f"sizes=({smallest:g}, {largest:g}) cannot hold for n_clusters={n_clusters} of {total:g} rows; use bounds "
            f"below and above the mean size, {total / n_clusters:g}, or another n_clusters."
        )
    return Bounds(smallest, largest)


def assign_to_nearest(table: RowTable, labels: RowTable, search: AllAnchors, bounds: Bounds | None) -> RowTable:
    """The clusters of rows among those with the nearest centres, from clusters that are as equal as possible.

    Parameters
    ----------
    table : RowTable
    labels : RowTable
        The clusters to start from.
    search : AllAnchors
        Of the centres.
    bounds : Bounds or None
        Of the sizes; None for those of the clusters to start from.

    Returns
    -------
    RowTable
    """
    n_clusters = len(search.anchors.points)
    weights = table.weight_of_each() if table.weights else None
    start: Any = labels.take(np.arange(table.n_rows))
    sizes = np.bincount(start, weights, n_clusters)
    own = Bounds(float(sizes.min()), float(sizes.max()))
    bounds = own if bounds is None else _including(bounds, own, weights)
    candidates = table.keep(partial(_candidates, search, min(N_CANDIDATES, n_clusters)), labels)
    found = table.align(assign_within(candidates, start, sizes, bounds, weights))
    return found.weighted(*table.weights, *table.present) if table.weights else found


def _including(bounds: Bounds, own: Bounds, weights: Floats | None) -> Bounds:
    """Bounds that hold for clusters as equal as possible, up to rounding; refuses those that do not."""
    rounding = 1e-9 * own.largest
    if own.smallest < bounds.smallest - rounding or own.largest > bounds.largest + rounding:
        why = "whole rows" if weights is None else "rows of these weights, which are not divided"
        raise ValueError(
            f"sizes=({bounds.smallest:g}, {bounds.largest:g}) cannot hold for {why}; use at most {own.smallest:g} and "
            f"at least {own.largest:g}."
        )
    return Bounds(min(bounds.smallest, own.smallest), max(bounds.largest, own.largest))


def _candidates(search: AllAnchors, k: int, block: Block, labels: Integers) -> Floats:
    """The nearest clusters, the squared distances to them, and that to the own one, in a row each.

    Numbers of clusters are stored as floats, which are exact up to 2²⁴ of them in float32.
    """
    columns, distances = search.nearest(block, k)
    return np.column_stack([columns.astype(block.dtype), distances, search.one(block, labels)])
