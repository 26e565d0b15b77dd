"""A graph of near rows that was computed elsewhere: its rows are the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.graph.row_ties import directed, ties
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.finite import RowError

FINE_UNITS = 2.0**24
"""Given ties are rounded to the largest divided by this, so that sums of them in float64 are exact in any order."""

MEANINGS = {"precomputed": "distances to its nearest rows of the fit", "affinity": "ties to rows of the fit"}
"""What each row of X holds, by the metric."""

GIVEN_METRICS = tuple(MEANINGS)

ROWS_THEMSELVES = "use metric='euclidean' if X holds the rows themselves"


class NoNeighborsError(RowError):
    """A row that is not one of a graph of near rows.

    Parameters
    ----------
    row : int
        Its number within its block.
    wrong : str
        What is wrong with it, such as "no neighbour".
    metric : str
        A key of :data:`MEANINGS`.
    way_out : str
        What to do.
    """

    args: tuple[Any, ...]

    def __init__(self, row: int, wrong: str, metric: str, way_out: str) -> None:
        super().__init__(row)
        self.args = (row, wrong, metric, way_out)

    def __str__(self) -> str:
        _, wrong, metric, way_out = self.args
        return (
            f"X has {wrong} in {self.where or f'row {self.row}'}, but with metric={metric!r} each row of X holds "
            f"{MEANINGS[metric]}, at least one and none negative; {way_out}."
        )


@dataclass(frozen=True)
class GivenIndex:
    """Near rows of the fit as the rows of a given graph have them: in place of a search for them.

    Attributes
    ----------
    columns : (n,) integers
        The columns of the rows that count, in ascending order.
    metric : str
        What entries are, a key of :data:`MEANINGS`. A tie of w is taken for a distance of 1/√w.
    """

    columns: Integers
    metric: str

    @property
    def n_points(self) -> int:
        """Number of rows that count."""
        return len(self.columns)

    def prepared(self) -> GivenIndex:
        """The same: nothing needs to be prepared."""
        return self

    def nearest(self, rows: Block, k: int) -> tuple[Integers, Floats]:
        """The k nearest rows of the fit, nearest first, and the distances to them.

        A row with fewer has these over again, at the distance of its farthest.

        Parameters
        ----------
        rows : (b, d) Block
            Entries for each column of the fit, which may be sparse.
        k : int

        Returns
        -------
        neighbors : (b, k) integers
        distances : (b, k) floats
        """
        numbers = np.arange(rows.shape[0])
        graph = self._entries(rows, k, numbers)
        self._refuse_empty(graph, rows, numbers)
        neighbors, distances = nearest_first(self.lengths(graph), k)
        return neighbors, up_to_farthest(distances)

    def among(self, rows: Block, n_wanted: int) -> sparse.csr_array:
        """The distances between the rows of the fit, or their symmetric ties; without the diagonal.

        Ties are the mean of both directions, :math:`(A + A^T) / 2`, divided by the largest.

        Parameters
        ----------
        rows : (n, d) Block
            The rows that count.
        n_wanted : int
            Of a dense array of distances, about so many of each row are kept.

        Returns
        -------
        (n, n) CSR array
            Every row has entries. Distances of zero are explicit.
        """
        graph = without_diagonal(self._entries(rows, n_wanted + 1, self.columns))
        if self.metric == "precomputed":
            self._refuse_empty(graph, rows, self.columns)
            return graph
        graph = both_ways(graph)
        self._refuse_empty(graph, rows, self.columns)
        found = _in_units(graph)
        self._refuse(
            np.diff(found.indptr) == 0,
            self.columns,
            f"no tie of more than {1 / FINE_UNITS:.0e} of the largest one, {rows.max():.3g},",
            "make the largest ties smaller, for example by their logarithm: much smaller ones are rounded to zero",
        )
        return found

    def lengths(self, graph: sparse.csr_array) -> sparse.csr_array:
        """The same graph with distances in place of its entries."""
        if self.metric == "precomputed":
            return graph
        return sparse.csr_array((1 / np.sqrt(graph.data), graph.indices, graph.indptr), shape=graph.shape)

    def _entries(self, rows: Any, n_wanted: int, numbers: Integers) -> sparse.csr_array:
        """(b, n) the entries of rows, none negative; in each row by their column."""
        if len(self.columns) < rows.shape[1]:
            rows = rows[:, self.columns]
        if self.metric == "precomputed" and not sparse.issparse(rows):
            self._refuse(
                _n_zeros(rows) > max(n_wanted, rows.shape[1] / 2),
                numbers,
                "mostly zeros",
                "pass the sparse matrix itself if missing entries were filled with zeros, as these are distances of "
                "zero in a dense array",
            )
            graph = _smallest(rows, min(n_wanted, rows.shape[1]))
        else:
            graph = sparse.csr_array(rows, copy=True)
        graph.sum_duplicates()
        if self.metric == "affinity":
            graph.eliminate_zeros()
        is_negative = np.zeros(graph.shape[0], dtype=bool)
        is_negative[_row_of(graph)[graph.data < 0]] = True
        instead = "set negative ties to 0" if self.metric == "affinity" else "pass distances"
        self._refuse(is_negative, numbers, "a negative value", f"{instead}, or {ROWS_THEMSELVES}")
        return graph

    def _refuse_empty(self, graph: sparse.csr_array, rows: Any, numbers: Integers) -> None:
        """Refuse rows without entries; ``rows`` also have the columns of rows of weight zero, which may be all."""
        is_empty = np.diff(graph.indptr) == 0
        if len(self.columns) < rows.shape[1] and is_empty.any():
            others = np.delete(np.arange(rows.shape[1]), self.columns)
            self._refuse(
                is_empty & (np.diff(sparse.csr_array(rows[:, others]).indptr) > 0),
                numbers,
                "no neighbour of positive sample_weight",
                "give one of its neighbours a positive weight, or leave this row out, too",
            )
        self._refuse(is_empty, numbers, "no neighbour", f"leave such a row and its column out, or {ROWS_THEMSELVES}")

    def _refuse(self, is_wrong: Any, numbers: Integers, wrong: str, way_out: str) -> None:
        found = np.flatnonzero(is_wrong)
        if len(found):
            raise NoNeighborsError(int(numbers[found[0]]), wrong, self.metric, way_out)


def nearest_first(graph: sparse.csr_array, k: int) -> tuple[Integers, Floats]:
    """The k smallest entries of each row, smallest first; equal ones by their column.

    A row with fewer has its neighbours over again, at an infinite distance.

    Parameters
    ----------
    graph : (b, n) CSR array
        Every row has entries, in the order of their columns.
    k : int

    Returns
    -------
    neighbors : (b, k) integers
    distances : (b, k) floats
    """
    starts = graph.indptr

    def of_rows(part: slice) -> tuple[Integers, Floats]:
        own = slice(starts[part.start], starts[part.stop])
        counts = np.diff(starts[part.start : part.stop + 1])
        order = np.lexsort((graph.data[own], np.repeat(np.arange(len(counts)), counts)))
        rank = np.arange(k) % counts[:, np.newaxis]
        place = own.start + order[(starts[part] - own.start)[:, np.newaxis] + rank]
        is_own = np.arange(k) < counts[:, np.newaxis]
        return graph.indices[place].astype(np.int32), np.where(is_own, graph.data[place], np.inf)

    parts = chunks(graph.shape[0], 32 * max(k, graph.nnz // max(graph.shape[0], 1)))
    neighbors, distances = zip(*run(of_rows, parts), strict=True)
    return np.concatenate(neighbors), np.concatenate(distances)


def up_to_farthest(distances: Floats) -> Floats:
    """The same distances, with each row's largest finite one in place of infinite ones."""
    is_near = np.isfinite(distances)
    return np.where(is_near, distances, np.where(is_near, distances, 0).max(axis=1, keepdims=True))


def both_ways(graph: sparse.csr_array) -> sparse.csr_array:
    """The sum of a graph and its transpose."""
    return (graph + graph.T).tocsr()


def ties_of_near(neighbors: Integers, distances: Floats) -> sparse.csr_array:
    """A tie in both directions for each neighbour at a finite distance."""
    return both_ways(directed(neighbors, distances))


def without_diagonal(graph: sparse.csr_array) -> sparse.csr_array:
    """The same graph without ties of rows to themselves; explicit zeros stay."""
    row = _row_of(graph)
    is_other = row != graph.indices
    starts = np.concatenate([[0], np.cumsum(np.bincount(row[is_other], minlength=graph.shape[0]))])
    return sparse.csr_array((graph.data[is_other], graph.indices[is_other], starts), shape=graph.shape)


def _row_of(graph: sparse.csr_array) -> Integers:
    return np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))


def _n_zeros(rows: Floats) -> Integers:
    """(b,) the number of zeros in each row of a dense array."""
    return np.concatenate(run(lambda part: np.sum(rows[part] == 0, axis=1), chunks(len(rows), rows.shape[1])))


def _smallest(rows: Floats, n_kept: int) -> sparse.csr_array:
    """The smallest entries of each row of a dense array, as a CSR array with explicit zeros."""

    def of_rows(part: slice) -> Integers:
        return np.argpartition(rows[part], n_kept - 1, axis=1)[:, :n_kept].astype(np.int32)

    near = np.concatenate(run(of_rows, chunks(len(rows), 16 * rows.shape[1])))
    return ties(near, np.take_along_axis(rows, near, axis=1), rows.shape[1])


def _in_units(graph: sparse.csr_array) -> sparse.csr_array:
    """Ties divided by the largest and rounded, in float64; those that are negligible beside it are left out."""
    largest = float(graph.data.max(initial=0)) or 1.0
    found = graph.astype(np.float64)
    found.data = np.rint(FINE_UNITS * (found.data / largest)) / FINE_UNITS
    found.eliminate_zeros()
    found.sort_indices()
    return found
