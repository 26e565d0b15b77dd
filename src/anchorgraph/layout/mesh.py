"""Repulsion between all points of a map, by a mesh and its Fourier transform."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from scipy import fft

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import current_n_threads, run, run_sum

SPACING = 0.5
"""Width of a cell of the mesh. Repulsion is strongest at a distance of about 0.6."""

FEWEST_CELLS = 16
"""Cells on a side that a small map has, of half the width, or a quarter, and so on."""

MOST_CORNERS = 2**16
"""Corners of cells that a wide map has, of wider cells."""

WIDER = 1.05
"""Widths of wider cells are powers of this, so that few kernels are needed."""

LEAST_EXTENT = 1e-3
"""Extent of a map below which its cells do not become smaller."""

LEAST_TOTAL = 1e-3
"""Lower limit of the sum of all q, which is a divisor."""

PIECE_BYTES = 64
"""Memory for a point on its way to the mesh and back; it decides how many points a thread works on at a time."""


def repulsion(positions: Floats) -> tuple[float, Floats]:
    r"""The repulsion of t-SNE between all points, as seen through a mesh.

    .. math:: Z = \sum_{i \neq j} q_{ij}, \qquad f_i = \sum_j q_{ij}^2 (y_i - y_j)

    with :math:`q_{ij} = 1 / (1 + |y_i - y_j|^2)`. Each point is shared out linearly among the corners of its cell; the
    sums over all corners are convolutions, which the fast Fourier transform computes; points take them back from the
    same corners. The time is linear in the points.

    Parameters
    ----------
    positions : (n, p) floats
        p is at most 3.

    Returns
    -------
    total : float
        Z, at least 0.001.
    forces : (n, p) floats
    """
    p, dtype = positions.shape[1], positions.dtype
    low = positions.min(axis=0)
    n_side, width = _mesh_for(float((positions.max(axis=0) - low).max()), p)
    n_padded = fft.next_fast_len(2 * n_side, real=True)  # so that a convolution does not come round
    pieces = chunks(len(positions), PIECE_BYTES)
    shared = run(lambda part: _shared_out((positions[part] - low) / dtype.type(width), n_side), pieces)

    def deposit(piece: tuple[Integers, Floats]) -> tuple[Floats]:
        corners, shares = piece
        return (np.bincount(corners.ravel(), shares.ravel(), minlength=n_side**p).astype(np.float64, copy=False),)

    (charges,) = run_sum(deposit, shared)
    padded, workers = (n_padded,) * p, current_n_threads()
    spectrum = fft.rfftn(charges.reshape((n_side,) * p).astype(dtype), padded, workers=workers)
    within = (slice(n_side),) * p
    fields = [
        fft.irfftn(spectrum * kernel, padded, workers=workers)[within].ravel()
        for kernel in _kernels(n_padded, width, p, dtype.str)
    ]
    between = _between_corners(width, p).astype(dtype)

    def collect(piece: tuple[Integers, Floats]) -> tuple[float, Floats]:
        corners, shares = piece
        potential, *forces = (np.einsum("kn,kn->n", field.take(corners), shares) for field in fields)
        potential -= np.einsum("kn,kn->n", between @ shares, shares)  # of the point itself
        return float(potential.sum(dtype=np.float64)), np.stack(forces, axis=1)

    totals, forces = zip(*run(collect, shared), strict=True)
    return max(sum(totals), LEAST_TOTAL), np.concatenate(forces)


def _mesh_for(extent: float, n_dims: int) -> tuple[int, float]:
    """Corners on a side, and the width of the cells, of a mesh for points within a box."""
    most = int(MOST_CORNERS ** (1 / n_dims))
    n_halvings = np.ceil(np.log2(FEWEST_CELLS * SPACING / max(extent, LEAST_EXTENT)))
    width = SPACING * 0.5 ** max(n_halvings, 0)
    n_side = 16 * (1 + int(extent / width / 16)) + 3  # in steps, so that kernels can be kept
    if n_side <= most:
        return n_side, width
    return most, float(WIDER ** np.ceil(np.log(extent / (most - 3)) / np.log(WIDER)))


def _shared_out(scaled: Floats, n_side: int) -> tuple[Integers, Floats]:
    """(2^p, n) the corners of each point's cell, and the share of the point that each gets."""
    p = scaled.shape[1]
    cell = scaled.astype(np.int32)
    inside = scaled - cell
    strides = n_side ** np.arange(p - 1, -1, -1)
    first = (cell * strides).sum(axis=1)
    corners = np.stack([first + step @ strides for step in _steps_to_corners(p)])
    parts = np.stack([1 - inside, inside])
    axes = np.arange(p)
    shares = np.stack([parts[step, :, axes].prod(axis=0) for step in _steps_to_corners(p)])
    return corners, shares


def _steps_to_corners(n_dims: int) -> Integers:
    """(2^p, p) steps from the first corner of a cell to each of them."""
    return np.array(list(product((0, 1), repeat=n_dims)))


def _between_corners(width: float, n_dims: int) -> Floats:
    """(2^p, 2^p) the q between the corners of a cell."""
    corners = width * _steps_to_corners(n_dims)
    differences = corners[:, np.newaxis] - corners
    q: Floats = 1 / (1 + (differences**2).sum(axis=2))
    return q


@lru_cache(maxsize=8)
def _kernels(n_padded: int, width: float, n_dims: int, dtype: str) -> list[Floats]:
    """Fourier transforms of q, and of q² times the difference of positions, as functions of this difference."""
    number = np.arange(n_padded)
    along = (np.where(number <= n_padded // 2, number, number - n_padded) * width).astype(dtype)
    differences = np.meshgrid(*[along] * n_dims, indexing="ij", sparse=True)
    q = 1 / (1 + sum(difference**2 for difference in differences))
    return [fft.rfftn(q.astype(dtype)), *(fft.rfftn((d * q**2).astype(dtype)) for d in differences)]
