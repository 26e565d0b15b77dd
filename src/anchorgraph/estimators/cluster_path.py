"""How many clusters: one graph, clustered with many numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from anchorgraph.contracts import Floats, Integers, Spectrum
from anchorgraph.estimators.bases.anchor_clusterer import AnchorClusterer
from anchorgraph.estimators.bases.anchor_method import tie_rows
from anchorgraph.estimators.bases.clusterer import present_rows
from anchorgraph.estimators.bases.inputs import check_clusters, draw_seed, read_table
from anchorgraph.estimators.bases.number_of_clusters import Choice, choose_by_gap, choose_by_stability
from anchorgraph.estimators.bases.resampled_graph import N_HALVES, AnchorRows, ResampledGraph
from anchorgraph.estimators.fsc import FSC
from anchorgraph.labels import normalised_cuts
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.execution import execution
from anchorgraph.spectrum import anchor_sums, eigengaps, spectrum_for_numbers


@dataclass(frozen=True, repr=False, eq=False)
class ClusterPath:
    """Clusterings of the same graph with different numbers of clusters, and how good each is.

    Printed, it is a table with the chosen number marked. :func:`anchorgraph.plot.path` draws it.

    Attributes
    ----------
    n_clusters : ndarray of shape (p,)
        Numbers of clusters, ascending.
    eigengaps : ndarray of shape (p,)
        Gap between the eigenvalues c and c + 1 of A, for c clusters: large where there are c groups.
    normalised_cuts : ndarray of shape (p,)
        The sum over the clusters of the share of their ties that lead to other clusters: from 0 to c.
    stability : ndarray of shape (p,)
        Mean adjusted Rand index between the clusters of all rows and those of random halves of the rows.
    chosen : int
        The number that the rule takes (see :func:`cluster_path`).
    reason : str
        Why it was chosen.
    labels : mapping of int to ndarray of shape (n_rows,)
        The labels of the rows for each number of clusters. For a Dask collection, Dask arrays in the memory of the
        workers.
    """

    n_clusters: Integers
    eigengaps: Floats
    normalised_cuts: Floats
    stability: Floats
    chosen: int
    reason: str
    labels: Mapping[int, Any]

    @property
    def scores(self) -> dict[str, Floats]:
        """The three scores by their names."""
        return {
            "eigengap": self.eigengaps,
            "normalised cut": self.normalised_cuts,
            "stability": self.stability,
        }

    def to_frame(self) -> Any:
        """The scores as a pandas data frame, a row for each number of clusters.

        Returns
        -------
        pandas.DataFrame
        """
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("ClusterPath.to_frame requires pandas: pip install pandas.") from None
        return pd.DataFrame(self.scores, index=pd.Index(self.n_clusters, name="n_clusters"))

    def __repr__(self) -> str:
        lines = ["  clusters  eigengap  normalised cut  stability"]
        rows = zip(self.n_clusters, self.eigengaps, self.normalised_cuts, self.stability, strict=True)
        for number, gap, cut, stability in rows:
            mark = ">" if number == self.chosen else " "
            lines.append(f"{mark} {number:8d}  {gap:8.4f}  {cut:14.3f}  {stability:9.3f}")
        return "\n".join([*lines, self.reason])


def cluster_path(
    X: Any,
    n_clusters: Iterable[int] = range(2, 31),
    *,
    estimator: AnchorClusterer | None = None,
    n_resamples: int = N_HALVES,
    sample_weight: Any = None,
) -> ClusterPath:
    r"""Cluster the rows with many numbers of clusters, and choose one: one graph and one spectrum for all of them.

    For c clusters, it computes the gap :math:`\lambda_c - \lambda_{c+1}` between eigenvalues of A; the normalised cut
    :math:`\sum_y 1 - \lVert \Delta^{-1/2} Z^\top y \rVert^2 / (y^\top 1)` over the indicators y of the clusters; and
    the stability: random halves of the rows get their own spectrum and clusters, which are compared with those of all
    rows by the adjusted Rand index. Of more than 8,192 rows, stability is that of a sample of these, and k-means has at
    most three initialisations for it.

    The number is chosen by this rule:

    1. If the graph has more connected parts than the largest number, the largest number is chosen.
    2. If one gap is clear, at least twice as large as any other, the number before it is chosen.
    3. Otherwise the number with the best score is chosen: the product of stability to the power of 4 and the relative
       gap :math:`\log\bigl((1 - \lambda_{c+1} + 0.001) / (1 - \lambda_c + 0.001)\bigr)`.

    ``FSC(n_clusters=None)`` and ``LSC(n_clusters=None)`` choose by the same rule, but take as many clusters as there
    are connected parts if these are more than 30. How often it finds a known number is on the page "How many clusters"
    of the documentation.

    Parameters
    ----------
    X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
    n_clusters : iterable of int, default=range(2, 31)
        Numbers of clusters, each at least 2.
    estimator : FSC or LSC, default=None
        Its parameters of anchors, graph, rounding and data are used; it is not fitted. ``None`` is ``FSC()``. With
        ``n_anchors=None``, there are at least as many anchors as for the largest number.
    n_resamples : int, default=5
        Number of halves of the rows for stability.
    sample_weight : array-like of shape (n_rows,) or str, default=None
        Weights of the rows: 2 counts as the row twice, 0 as no row. Or the name of the column of X that holds them.

    Returns
    -------
    ClusterPath

    See Also
    --------
    FSC : the labels for each number are those of ``FSC`` with it, up to their order. For fewer clusters than the graph
        has connected parts, they are those of ``parts="literal"``, whatever ``parts`` of the estimator is.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from anchorgraph import FSC, cluster_path
    >>> X, y = make_blobs(600, centers=4, cluster_std=0.8, random_state=3)
    >>> path = cluster_path(X, range(2, 8), estimator=FSC(random_state=0))
    >>> path.chosen
    4
    >>> path.labels[3].shape
    (600,)
    """
    numbers = _check_numbers(n_clusters)
    check_integer("n_resamples", n_resamples)
    method = _check_estimator(FSC() if estimator is None else estimator).set_params(n_clusters=numbers[-1])
    with execution(method.n_jobs):
        return _follow_path(method, X, numbers, n_resamples, sample_weight)


def _follow_path(
    method: AnchorClusterer, X: Any, numbers: list[int], n_resamples: int, sample_weight: Any
) -> ClusterPath:
    split, quick_split = method._split(method._rounding()), method._quick_split()
    method._check_graph()
    table, seed = read_table(method, X, sample_weight), draw_seed(method.random_state)
    check_clusters(numbers[-1], table.n_positive)
    graph = method._connect(method._select_anchors(table, seed), table, seed)
    Z, (gram, degrees) = tie_rows(table, graph, anchor_sums)
    spectrum = spectrum_for_numbers(gram, degrees, numbers[-1])
    rows = AnchorRows(Z, spectrum, table.total_weight, draw_seed(method.random_state))  # seeds are drawn as fit does
    labels = [split(rows, number) for number in numbers]
    cuts = normalised_cuts(Z, labels, numbers, degrees)
    resampled = ResampledGraph.of(rows, numbers[-1], n_resamples)
    stability = {number: resampled.stability(quick_split, number) for number in numbers}
    choice = _choose(spectrum, numbers, stability)
    return ClusterPath(
        n_clusters=np.array(numbers),
        eigengaps=eigengaps(spectrum.singular_values, numbers),
        normalised_cuts=cuts,
        stability=np.array(list(stability.values())),
        chosen=choice.n_clusters,
        reason=choice.reason,
        labels={number: present_rows(own) for number, own in zip(numbers, labels, strict=True)},
    )


def _choose(spectrum: Spectrum, numbers: list[int], stability: dict[int, float]) -> Choice:
    """The rule of :func:`cluster_path`, which takes one of the numbers."""
    if len(numbers) == 1:
        return Choice(numbers[0], "It is the only number that was tried.")
    choice = choose_by_gap(spectrum, numbers) or choose_by_stability(spectrum, numbers, stability.__getitem__)
    if choice.n_clusters in numbers:
        return choice
    reason = f"{choice.reason[:-1]}, more than the largest number of clusters, which is chosen."
    return Choice(numbers[-1], reason)


def _check_numbers(n_clusters: Iterable[int]) -> list[int]:
    """The numbers of clusters in ascending order, each once."""
    if not isinstance(n_clusters, Iterable) or isinstance(n_clusters, str):
        raise ValueError(f"n_clusters must be an iterable of integers ≥ 2, such as range(2, 31); got {n_clusters!r}.")
    numbers = list(n_clusters)
    for number in numbers:
        check_integer("n_clusters", number, at_least=2)
    if not numbers:
        raise ValueError("n_clusters is empty; pass integers ≥ 2, such as range(2, 31).")
    return sorted({int(number) for number in numbers})


def _check_estimator(estimator: Any) -> AnchorClusterer:
    """A clone of an estimator that can be used."""
    if not isinstance(estimator, AnchorClusterer):
        raise ValueError(f"estimator must be an FSC or LSC; got {estimator!r}.")
    found: AnchorClusterer = clone(estimator)
    return found
