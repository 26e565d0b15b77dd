"""The attraction between points of a map that are tied to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.execution import run

TIES_OF_PIECE = 2**17
"""About how many ties a thread works on at a time."""


@dataclass(frozen=True)
class Piece:
    """The ties of some consecutive points.

    Attributes
    ----------
    points : slice
    weights : (b, n) CSR array
    point_of : integers
        The point that each tie begins at.
    """

    points: slice
    weights: sparse.csr_array
    point_of: Integers


@dataclass(frozen=True)
class Ties:
    """The ties of a graph, with weights that sum to the number of its points.

    Attributes
    ----------
    pieces : list of Piece
    degrees : (n,) floats
        Sum of the weights of each point; their mean is one.
    n_ties : int
        A tie counts once from each end.
    """

    pieces: list[Piece]
    degrees: Floats
    n_ties: int

    @classmethod
    def of(cls, graph: sparse.csr_array) -> Ties:
        """The ties of a symmetric graph."""
        n = graph.shape[0]
        total = graph.data.sum(dtype=np.float64)
        weights = (graph.data * (n / total if total else 0)).astype(np.float32)
        step = max(1, TIES_OF_PIECE * n // max(graph.nnz, 1))
        pieces = []
        for first in range(0, n, step):
            points = slice(first, min(first + step, n))
            starts = graph.indptr[points.start : points.stop + 1]
            own = slice(starts[0], starts[-1])
            part = sparse.csr_array(
                (weights[own], graph.indices[own], starts - starts[0]), shape=(points.stop - points.start, n)
            )
            point_of = np.repeat(np.arange(points.start, points.stop, dtype=np.int32), np.diff(starts))
            pieces.append(Piece(points, part, point_of))
        return cls(pieces, np.concatenate([piece.weights.sum(axis=1) for piece in pieces]), graph.nnz)


def attraction(positions: Floats, ties: Ties) -> tuple[float, Floats]:
    r"""The attraction of t-SNE along the ties.

    .. math:: f_i = \sum_j w_{ij} q_{ij} (y_j - y_i), \qquad \bar q = \tfrac1n \sum_{ij} w_{ij} q_{ij}

    with :math:`q_{ij} = 1 / (1 + |y_i - y_j|^2)`.

    Parameters
    ----------
    positions : (n, p) floats
    ties : Ties

    Returns
    -------
    closeness : float
        The mean :math:`\bar q` over all ties.
    forces : (n, p) floats
    """
    axes = [np.ascontiguousarray(axis) for axis in positions.T]
    ones = np.ones(len(positions), positions.dtype)

    def of_piece(piece: Piece) -> tuple[float, Floats]:
        weights = piece.weights
        squares = np.zeros(weights.nnz, positions.dtype)
        for axis in axes:
            difference = axis.take(piece.point_of)
            difference -= axis.take(weights.indices)
            difference *= difference
            squares += difference
        squares += 1
        pulls = np.divide(weights.data, squares, out=squares)
        pull = sparse.csr_array((pulls, weights.indices, weights.indptr), shape=weights.shape)
        sums = pull @ ones
        return float(sums.sum(dtype=np.float64)), np.stack(
            [pull @ axis - sums * axis[piece.points] for axis in axes], axis=1
        )

    closeness, forces = zip(*run(of_piece, ties.pieces), strict=True)
    return sum(closeness) / len(positions), np.concatenate(forces)
