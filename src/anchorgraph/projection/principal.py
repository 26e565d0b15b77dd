"""Principal axes of a table, and its rows along them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.utils.extmath import row_norms
from sklearn.utils.sparsefuncs import mean_variance_axis

from anchorgraph.contracts import Block, Floats, LinearMap, RowMap, RowTable
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.blocks import chunks, row_bytes
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.eigen import largest_eigenpairs, with_fixed_signs
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.finite import SIZES, RowError
from anchorgraph.numerics.progress import stage

SAMPLE_ROWS = 8192
"""Maximum number of rows that the axes are computed from."""

SAMPLE_BYTES = 2**27
"""Maximum memory of these rows in float64."""

ROUNDING = 1e-12
"""What is smaller, relative to the size of the rows, is taken for rounding: their spread, or what lies beyond axes."""

FARTHEST = SIZES[np.dtype(np.float32)][1]
"""Largest coordinate, in units of the spread of the rows that the axes were computed from."""


class FarRowError(RowError):
    """A row whose coordinates are too large for float32."""

    def __str__(self) -> str:
        return (
            f"X has values in {self.where or f'row {self.row}'} that are more than {FARTHEST:.0e} times as far from "
            "the mean as those of the fit; remove such rows, or scale X as in fit."
        )


@stage("principal axes")
def principal_axes(
    table: RowTable, n_components: int, seed: int, n_kept: Callable[[Floats], int] | None = None
) -> LinearMap:
    """The directions in which rows vary most, computed from a sample.

    Components are scaled by one power of two, so that coordinates are of the order of one and fit into float32.

    Parameters
    ----------
    table : RowTable
        Of at least as many columns as ``n_components``.
    n_components : int
    seed : int
    n_kept : callable, optional
        How many of the components are kept, from the coordinates of the rows of the sample along all of them.

    Returns
    -------
    LinearMap
        Of one dimension less than there are rows, if that is fewer.
    """
    exact_row = 2 * table.row_bytes if table.is_sparse else 8 * table.n_cols
    n_sampled = min(table.n_counted, SAMPLE_ROWS, max(2 * n_components, SAMPLE_BYTES // exact_row))
    sample = table.draw(n_sampled, np.random.default_rng(seed)).astype(np.float64)
    n_axes = min(n_components, n_sampled - 1)
    mean, spread = _centre(sample)
    if spread <= ROUNDING * np.linalg.norm(mean):
        return LinearMap(np.eye(n_axes, table.n_cols), mean)  # no direction is better than another
    with one_blas_thread:  # as threads of this package do, so that results do not depend on n_jobs
        if sparse.issparse(sample):
            components = _axes_of_sparse(sample, mean, n_axes)
        else:
            components = PCA(n_axes, copy=False, svd_solver="auto", random_state=seed).fit(sample).components_
        if n_kept is not None:
            coordinates = sample @ components.T
            components = components[
                : n_kept(coordinates - mean @ components.T if sparse.issparse(sample) else coordinates)
            ]
    return LinearMap(components * 2.0 ** -np.round(np.log2(spread)), mean)


def _axes_of_sparse(sample: sparse.csr_array, mean: Floats, n_axes: int) -> Floats:
    """(n_axes, d) the first right singular vectors of ``C = X - 1 meanᵀ``, which is not formed.

    They follow from eigenvectors of the smaller one of CᵀC and CCᵀ. PCA would draw random numbers without a seed.
    """

    def right(x: Floats) -> Floats:
        return np.asarray(sample @ x - mean @ x)

    def left(y: Floats) -> Floats:
        return np.asarray(sample.T @ y - np.multiply.outer(mean, y.sum(axis=0)))

    n, d = sample.shape
    if n < d:
        _, of_rows = largest_eigenpairs(lambda y: right(left(y)), n, n_axes)
        axes = np.linalg.qr(left(of_rows))[0]
    else:
        _, axes = largest_eigenpairs(lambda x: left(right(x)), d, n_axes)
    components: Floats = with_fixed_signs(axes).T
    return components


def _centre(sample: Block) -> tuple[Floats, float]:
    """The mean of some rows, and the root of their mean squared distance to it; dense rows are centred in place.

    Some solvers of scikit-learn subtract the mean only after the product, which loses the digits of rows far from the
    origin.
    """
    if sparse.issparse(sample):
        mean, variances = mean_variance_axis(sample, axis=0)
        return mean, float(np.sqrt(variances.sum()))
    mean = sample.mean(axis=0)
    sample -= mean
    return mean, float(np.linalg.norm(sample) / np.sqrt(len(sample)))


def along_axes(axes: LinearMap) -> RowMap:
    """The row map ``x ↦ (x - mean) Wᵀ`` to float32.

    Products are computed in float64, so that their rounding to float32 hardly ever depends on the BLAS library.

    Parameters
    ----------
    axes : LinearMap

    Returns
    -------
    RowMap
    """
    return _projected(axes, lambda rows, projected: projected)


def along_and_beyond_axes(axes: LinearMap) -> RowMap:
    """The row map to :func:`along_axes`, and in a last column ``s ‖x - mean‖² - ‖(x - mean) Wᵀ‖²`` with ``WWᵀ = s I``.

    This is the squared distance of a row to the nearest point of the span of the axes, in the scale of the others.

    Parameters
    ----------
    axes : LinearMap
        Orthogonal components of the same length.

    Returns
    -------
    RowMap
    """
    scale = float(np.square(axes.components[0]).sum())

    def with_squares(rows: Block, projected: Floats) -> Floats:
        squares = scale * _squared_distances(rows, axes.mean)
        beyond = squares - row_norms(projected, squared=True)
        beyond[beyond <= ROUNDING * squares] = 0
        return np.column_stack([projected, beyond])

    return _projected(axes, with_squares)


def _projected(axes: LinearMap, finish: Callable[[Block, Floats], Floats]) -> RowMap:
    """The row map to ``finish(x, (x - mean) Wᵀ)`` in float32; dense rows are passed as ``x - mean``."""
    directions = np.ascontiguousarray(axes.components.T, dtype=np.float64)
    shift = axes.mean @ directions

    def rows(block: Block) -> Floats:
        def part(chunk: slice) -> Floats:
            centred = minus_centre(block[chunk].astype(np.float64), axes.mean)
            projected = centred @ directions
            if sparse.issparse(block):  # which minus_centre leaves as they are
                projected -= shift
            is_far = ~(np.abs(projected) <= FARTHEST).all(axis=1)
            if is_far.any():
                raise FarRowError(chunk.start + int(is_far.argmax()))
            return finish(centred, projected).astype(np.float32)

        return np.concatenate(run(part, chunks(block.shape[0], row_bytes(block))))

    return rows


def _squared_distances(rows: Block, mean: Floats) -> Floats:
    """(n,) ``‖x - mean‖²`` of sparse rows x, or of dense rows from which the mean is subtracted already."""
    squares: Floats = row_norms(rows, squared=True)
    return squares - 2 * (rows @ mean) + mean @ mean if sparse.issparse(rows) else squares
