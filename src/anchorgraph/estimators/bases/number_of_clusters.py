"""The rule that chooses the number of clusters.

1. A graph that falls into more connected parts than the largest number that is tried has as many clusters as parts.
2. If one gap between eigenvalues is clear, at least twice as large as any other, the number before it is chosen.
3. Otherwise the number c is chosen for which

       stability(c)⁴ · log((μ_{c+1} + ε) / (μ_c + ε)),    ε = 0.001,

   is largest: μ are the eigenvalues of L = I - A, and stability is the mean adjusted Rand index between the clusters of
   all rows and those of random halves of them. The logarithm alone finds the place where the graph becomes much harder
   to cut; stability counts it less where the clusters before this place are not found again.

How often this finds a known number is measured by ``benchmarks/how_many.py`` (docs/how_many_clusters.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from anchorgraph.contracts import Spectrum
from anchorgraph.spectrum import clear_gap, eigengaps, relative_eigengaps

MOST_CLUSTERS = 30
"""Largest number of clusters that is tried."""

POWER = 4
"""Of stability, in the product with the relative gap."""


@dataclass(frozen=True)
class Choice:
    """A number of clusters, and why it was chosen."""

    n_clusters: int
    reason: str


def choose_by_gap(spectrum: Spectrum, n_clusters: Sequence[int]) -> Choice | None:
    """The number that connected parts or a clear gap suggest, by the rules 1 and 2; None without these.

    Parameters
    ----------
    spectrum : Spectrum
        Of the graph, with a component for each cluster of the largest number.
    n_clusters : sequence of int
        The numbers that are tried.

    Returns
    -------
    Choice or None
    """
    if spectrum.n_parts > max(n_clusters):
        return Choice(spectrum.n_parts, f"The graph has {spectrum.n_parts} connected parts.")
    gaps = eigengaps(spectrum.singular_values, n_clusters)
    place = clear_gap(gaps)
    if place is None:
        return None
    others = np.delete(gaps, place).max(initial=0)
    times = f"{gaps[place] / others:.1f} times as large as any other" if others > 0 else "the only one"
    return Choice(int(n_clusters[place]), f"The eigengap after {n_clusters[place]} is clear: {times}.")


def choose_by_stability(spectrum: Spectrum, n_clusters: Sequence[int], stability: Callable[[int], float]) -> Choice:
    """The number with the best product of stability and relative gap, by rule 3.

    Stability is 1 at most. Numbers are therefore tried from the largest relative gap on, until no other one can have a
    better product.

    Parameters
    ----------
    spectrum : Spectrum
    n_clusters : sequence of int
    stability : callable
        The stability for a number of clusters.

    Returns
    -------
    Choice
    """
    gaps = relative_eigengaps(spectrum.singular_values, n_clusters)
    best, score, stable = int(n_clusters[0]), -1.0, 0.0
    for place in np.argsort(-gaps, kind="stable"):
        if gaps[place] <= score:
            break
        found = max(stability(n_clusters[place]), 0.0)
        if found**POWER * gaps[place] > score:
            best, score, stable = int(n_clusters[place]), found**POWER * gaps[place], found
    return Choice(best, f"No eigengap is clear; {best} clusters have the best score, with a stability of {stable:.2f}.")
