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
"""Distance of the nodes of the mesh; repulsion is strongest at a distance of about 0.6."""

FEWEST_ON_A_SIDE = 16
"""A small map has a finer mesh, so that it has as many nodes."""

MOST_NODES = 2**16
"""A wide map has a coarser mesh, so that it has no more nodes."""

STEP = 1.05
"""Factor between the spacings of coarser meshes, so that few kernels are needed."""

SMALLEST = 1e-3
"""Smaller maps have the same mesh."""

POINT_BYTES = 128
"""Memory that a point needs on its way to the mesh and back."""


def repulsion(positions: Floats) -> tuple[float, Floats]:
    r"""The repulsion of t-SNE between all points, as seen through a mesh.

    .. math:: Z = \sum_{i \neq j} q_{ij}, \qquad f_i = \sum_j q_{ij}^2 (y_i - y_j)

    with :math:`q_{ij} = 1 / (1 + |y_i - y_j|^2)`. Each point is shared out linearly among the nodes of the mesh around
    it; the sums over nodes are convolutions, which the fast Fourier transform computes; points take them back from the
    same nodes. The time is linear in the points.

    Parameters
    ----------
    positions : (n, p) floats
        p is at most 3.

    Returns
    -------
    total : float
        Z.
    forces : (n, p) floats
    """
    p = positions.shape[1]
    low = positions.min(axis=0)
    extent = float((positions.max(axis=0) - low).max())
    n_side, spacing = _mesh_for(extent, p)
    n_padded = fft.next_fast_len(2 * n_side, real=True)  # so that a convolution does not come round
    pieces = chunks(len(positions), POINT_BYTES)
    corners = run(lambda part: _corners((positions[part] - low) / positions.dtype.type(spacing), n_padded), pieces)

    def deposit(number: int) -> tuple[Floats]:
        nodes, shares = corners[number]
        sums: Floats = np.bincount(nodes.ravel(), shares.ravel(), minlength=n_padded**p).astype(np.float64)
        return (sums,)

    (charges,) = run_sum(deposit, range(len(corners)))
    shape, workers = (n_padded,) * p, current_n_threads()
    spectrum = fft.rfftn(charges.astype(positions.dtype).reshape(shape), workers=workers)
    fields = [
        fft.irfftn(spectrum * kernel, shape, workers=workers).ravel()
        for kernel in _kernels(n_padded, spacing, p, positions.dtype.str)
    ]

    own = _between_corners(spacing, p).astype(positions.dtype)

    def collect(number: int) -> tuple[float, Floats]:
        nodes, shares = corners[number]
        potential, *forces = (np.einsum("kn,kn->n", field.take(nodes), shares) for field in fields)
        potential -= np.einsum("kn,kn->n", own @ shares, shares)  # of the point itself
        return float(potential.sum(dtype=np.float64)), np.stack(forces, axis=1)

    totals, forces = zip(*run(collect, range(len(corners))), strict=True)
    return max(sum(totals), SMALLEST), np.concatenate(forces)


def _mesh_for(extent: float, n_dims: int) -> tuple[int, float]:
    """Nodes on a side, and their spacing, of a mesh for points within a box."""
    most = int(MOST_NODES ** (1 / max(n_dims, 2)))
    n_halvings = np.ceil(np.log2(FEWEST_ON_A_SIDE * SPACING / max(extent, SMALLEST)))
    spacing = SPACING * 0.5 ** max(n_halvings, 0)
    n_side = 16 * (1 + int(extent / spacing / 16)) + 3  # in steps, so that kernels can be kept
    if n_side <= most:
        return n_side, spacing
    return most, float(STEP ** np.ceil(np.log(extent / (most - 3)) / np.log(STEP)))


def _corners(scaled: Floats, n_padded: int) -> tuple[Integers, Floats]:
    """(2^p, n) the nodes around each point, and the share of the point that each gets."""
    p = scaled.shape[1]
    cell = scaled.astype(np.int32)
    beyond = scaled - cell
    strides = n_padded ** np.arange(p - 1, -1, -1)
    first = (cell * strides).sum(axis=1)
    nodes = np.stack([first + corner @ strides for corner in _corners_of_cell(p)])
    parts = np.stack([1 - beyond, beyond])
    axes = np.arange(p)
    shares = np.stack([parts[corner, :, axes].prod(axis=0) for corner in _corners_of_cell(p)])
    return nodes, shares


def _corners_of_cell(n_dims: int) -> Integers:
    """(2^p, p) steps from the first corner of a cell to each of them."""
    return np.array(list(product((0, 1), repeat=n_dims)))


def _between_corners(spacing: float, n_dims: int) -> Floats:
    """(2^p, 2^p) the q between the corners of a cell."""
    corners = spacing * _corners_of_cell(n_dims)
    ways = corners[:, np.newaxis] - corners
    q: Floats = 1 / (1 + (ways**2).sum(axis=2))
    return q


@lru_cache(maxsize=8)
def _kernels(n_padded: int, spacing: float, n_dims: int, dtype: str) -> list[Floats]:
    """Fourier transforms of q, and of the components of q² times the way to the other point."""
    number = np.arange(n_padded)
    way = (np.where(number <= n_padded // 2, number, number - n_padded) * spacing).astype(dtype)
    ways = np.meshgrid(*[way] * n_dims, indexing="ij", sparse=True)
    q = 1 / (1 + sum(w**2 for w in ways))
    return [fft.rfftn(q.astype(dtype)), *(fft.rfftn((w * q**2).astype(dtype)) for w in ways)]
