"""Orthogonal and nonnegative reconstruction of an anchor graph (ongr Eq. 7 to 11).

``min ‖A - FGᵀ‖² + λ‖F - G‖²`` over FᵀF = I and G ≥ 0, where ``A = Z Δ⁻¹ Zᵀ`` is never formed: ``A·`` is always
``Z (Δ⁻¹ (Zᵀ ·))``. Given the m×c products ``Δ⁻¹ZᵀF`` and ``Δ⁻¹ZᵀG`` of an iteration, a row of G and of the next F
depends only on the same row of Z and of the last G. The products are stored, so that new rows can go through the same
iterations as the training rows. With another loss, a row also has a weight, which follows from the same row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import eigh

from anchorgraph.contracts import Floats, Integers, RowMap, RowTable
from anchorgraph.labels.memberships import own_ahead
from anchorgraph.labels.objective import VALUE, WEIGHT, Objective
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.blocks import chunks, row_bytes, weigh
from anchorgraph.numerics.execution import run, run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.rounds import go_round

ROUND_BYTES = 2**21
"""Memory of the rows that a thread takes at once: with fewer rows, threads mostly wait for Python's global lock."""

WEAK_VOTE = 1e-6
"""Weight of the votes that an anchor takes from other anchors: they count only if a row's own anchors have none."""

SHORTEST_SQUARE = 1e-24
"""A column of M is zero up to rounding if its squared length is below this fraction of the largest one."""

SMALLEST_SQUARE = 1e-10
"""Squared singular values of M, with columns of unit length, below this fraction of the largest are left out.

The products leave too few correct digits in their singular vectors.
"""


@dataclass(frozen=True)
class Reconstruction:
    """The results of ONGR's iterations that are needed to repeat them for any row z of Z.

    Attributes
    ----------
    start : (m, c) floats
        ``f = z @ start`` before the first iteration.
    of_f, of_g : (t, m, c) floats
        ``Δ⁻¹ZᵀF`` and ``Δ⁻¹Zᵀdiag(w)G`` of each iteration.
    polars, completions : (t, c, c) floats
        Of each iteration: the next ``f = m @ polar + (z @ start) @ completion``, for the row m of
        ``M = A diag(w) G + λG``.
    votes : (m, c) floats
        ``Δ⁻¹Zᵀ`` of the labels: the clusters of a row's neighbours, for rows whose memberships are all zero.
    objective : Objective
    kernel : (m, m) CSR array, optional
        ``Δ⁻¹ZᵀZΔ⁻¹``, for the norms of rows of A, which the loss ``"l21"`` needs.
    """

    start: Floats
    of_f: Floats
    of_g: Floats
    polars: Floats
    completions: Floats
    votes: Floats
    objective: Objective
    kernel: sparse.csr_array | None = None


Iteration = tuple[Floats, Floats, Floats, Floats]
"""``Δ⁻¹ZᵀF``, ``Δ⁻¹Zᵀdiag(w)G``, and the matrices P and R of :func:`polar_factor`."""


@stage("clusters")
def reconstruct(
    Z: RowTable,
    gram: sparse.csr_array,
    degrees: Floats,
    start: Floats,
    *,
    objective: Objective,
    max_iter: int,
    tol: float,
) -> tuple[Reconstruction, RowTable, Floats]:
    """Alternate Eq. 9 and Eq. 11 from ``F = Z start`` until at most a fraction ``tol`` of the labels changes.

    An iteration reads the rows once for G and once for the sums ``Zᵀdiag(w)G``, ZᵀG and GᵀG; ZᵀF and the products of
    ``M = A diag(w) G + λG`` follow from these and from ZᵀZ.

    Parameters
    ----------
    Z : RowTable
        Rows of Z.
    gram : (m, m) sparse array
        ``ZᵀZ``.
    degrees : (m,) floats
        ``Zᵀ1``.
    start : (m, c) floats
        ``Z start`` has orthonormal columns.
    objective : Objective
    max_iter : int
        Maximum number of iterations.
    tol : float
        Fraction of the labels.

    Returns
    -------
    reconstruction : Reconstruction
    G : RowTable
        Memberships of the last iteration.
    objectives : (t,) floats
        The objective after each update of G.
    """
    c, lam, brief = start.shape[1], objective.lam, objective.follows_from_squares
    inverse = np.divide(1, degrees, out=np.zeros_like(degrees), where=degrees > 0)[:, np.newaxis]  # Δ⁻¹
    norm = np.sum((gram.multiply(inverse).multiply(gram.T).multiply(inverse.T)).data)  # ‖A‖² = tr (Δ⁻¹ZᵀZ)²
    kernel = None if objective.loss == "squared" else gram.multiply(inverse).multiply(inverse.T).tocsr()
    of_start = gram @ start
    iterations: list[Iteration] = []
    objectives: list[float] = []

    def iterate(state: tuple[Floats, Any]) -> tuple[tuple[Floats, Any], bool]:
        of_f, before = state  # before is G of the last iteration; None in the first one
        if before is None:
            G, n_changed = Z.keep(_first_memberships(objective, start, of_f, kernel)), Z.total_weight  # Eq. 9
        else:
            G = Z.keep(_next_memberships(objective, start, iterations[-1], of_f), before)  # Eq. 9
            (n_changed,) = G.sum_blocks(partial(_count_changed, c), before, *Z.weights)
        if brief:
            sums, squares = Z.sum_blocks(_membership_sums, G, *Z.weights)  # ZᵀG, GᵀG
            weighted, value = sums, norm + lam * c - (1 + lam) * np.trace(squares)  # Eq. 7
        else:
            sums, squares, weighted, value = Z.sum_blocks(partial(_weighted_sums, c), G, *Z.weights)
            value += norm if objective.loss == "squared" else 0
        objectives.append(value)
        of_g = inverse * weighted
        crossed = of_g.T @ sums
        products = of_g.T @ (gram @ of_g) + lam * (crossed + crossed.T) + lam**2 * squares  # MᵀM
        polar, completion = polar_factor(products, of_g.T @ of_start + lam * sums.T @ start)  # Eq. 11
        iterations.append((of_f, of_g, polar, completion))
        of_f = inverse * ((gram @ of_g + lam * sums) @ polar + of_start @ completion)
        return (of_f, G), n_changed <= tol * Z.total_weight

    with one_blas_thread:  # once for all iterations: setting the limit takes longer than an iteration over few rows
        first: tuple[Floats, Any] = (inverse * of_start, None)
        (_, G), _ = go_round(iterate, first, max_iter)
        G = G if brief else G.keep(lambda rows: rows[:, :c])
        (votes,) = Z.sum_blocks(_sum_votes, G, *Z.weights)
    votes = _votes(inverse * votes, (inverse * gram).tocsr())  # COO arrays of older SciPy cannot be indexed
    of_f, of_g, polars, completions = (np.array(matrices) for matrices in zip(*iterations, strict=True))
    reconstruction = Reconstruction(start, of_f, of_g, polars, completions, votes, objective, kernel)
    return reconstruction, G, np.array(objectives)


def _first_memberships(objective: Objective, start: Floats, of_f: Floats, kernel: sparse.csr_array | None) -> RowMap:
    """The row map from rows of Z to rows of the first G."""
    return _in_pieces(lambda z: objective.first_rows(z, z @ start, of_f, kernel))


def _next_memberships(objective: Objective, start: Floats, last: Iteration, of_f: Floats) -> RowMap:
    """The row map from rows of Z and of the last G to rows of the next G."""
    _, of_g, polar, completion = last
    c = start.shape[1]

    def rows(z: sparse.csr_array, before: Floats) -> Floats:
        m = objective.polar_input(z, before[:, :c], of_g)
        return objective.next_rows(z, orthonormal(m, z @ start, polar, completion), of_f, before)

    return _in_pieces(rows)


def _in_pieces(work: Callable[..., Floats]) -> RowMap:
    """The row map of ``work(z, *aligned)``, whose blocks are cut into pieces for threads."""

    def rows(z: sparse.csr_array, *aligned: Floats) -> Floats:
        def piece(part: slice) -> Floats:
            return work(z[part].astype(np.float64), *(other[part] for other in aligned))

        return np.concatenate(run(piece, _pieces(z)))

    return rows


def _membership_sums(z: sparse.csr_array, g: Floats, *weights: Floats) -> tuple[Any, ...]:
    """``ZᵀG`` and ``GᵀG`` of a block; with weights of its rows, ``ZᵀWG`` and ``GᵀWG``."""

    def piece(part: slice) -> tuple[Any, ...]:
        weighed = weigh(g[part], *(own[part] for own in weights))
        return z[part].T.astype(np.float64) @ weighed, g[part].T @ weighed

    return run_sum(piece, _pieces(z))


def _weighted_sums(c: int, z: sparse.csr_array, rows: Floats, *weights: Floats) -> tuple[Any, ...]:
    """``ZᵀG``, ``GᵀG``, ``Zᵀdiag(w)G`` and the objective of a block of rows of G and its further columns.

    w are the weights of the loss; weights of the rows count in all of these sums.
    """

    def piece(part: slice) -> tuple[Any, ...]:
        zt, own = z[part].T.astype(np.float64), [each[part] for each in weights]
        g, w = weigh(rows[part, :c], *own), rows[part, WEIGHT, np.newaxis]
        return zt @ g, rows[part, :c].T @ g, zt @ (w * g), weigh(rows[part, VALUE], *own).sum()

    return run_sum(piece, _pieces(z))


def _pieces(z: sparse.csr_array) -> list[slice]:
    return chunks(z.shape[0], 32 * max(z.nnz // max(z.shape[0], 1), 1), ROUND_BYTES)


def _count_changed(c: int, rows: Floats, before: Floats, *weights: Floats) -> tuple[Any, ...]:
    """Number of rows whose label has changed, or their weight."""

    def piece(part: slice) -> tuple[Any, ...]:
        is_changed = rows[part, :c].argmax(axis=1) != before[part, :c].argmax(axis=1)
        return (weigh(is_changed, *(own[part] for own in weights)).sum(),)

    return run_sum(piece, chunks(len(rows), row_bytes(rows)))


def _sum_votes(z: sparse.csr_array, g: Floats, *weights: Floats) -> tuple[Any, ...]:
    """``Zᵀ`` of the labels of a block; rows without memberships do not vote."""
    votes = np.eye(g.shape[1])[g.argmax(axis=1)] * g.any(axis=1, keepdims=True)
    return (z.T.astype(np.float64) @ weigh(votes, *weights),)


def _votes(votes: Floats, transitions: sparse.csr_array) -> Floats:
    """Votes of the rows around each anchor; anchors without any take those of neighbouring anchors."""
    for _ in range(len(votes)):
        without = ~votes.any(axis=1)
        found = transitions[without] @ votes
        if not found.any():
            break
        votes[without] = WEAK_VOTE * found / np.maximum(found.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return votes


def orthonormal(m: Floats, beginning: Floats, polar: Floats, completion: Floats) -> Floats:
    """Eq. 11: ``F = UVᵀ``."""
    f: Floats = m @ polar + beginning @ completion
    return f


def polar_factor(products: Floats, crossed: Floats) -> tuple[Floats, Floats]:
    """The matrices P and R with ``M P + F⁰ R = UVᵀ`` for the thin SVD of M (Eq. 11), from c×c products.

    ``P = (MᵀM)^-1/2`` and R = 0 if M has full rank. If clipping has set a column of G to zero, U is completed by
    orthonormal columns from the span of F⁰ that are orthogonal to M, so that this cluster starts again.

    The products are scaled to columns of unit length, ``N = M D⁻¹``: each product is exact relative to the lengths of
    its own two columns, so that a short column loses no digits. Then ``M = QS`` with an orthonormal basis Q of the
    columns of N and a small S, and ``UVᵀ`` is Q times the polar factor of S.

    Parameters
    ----------
    products : (c, c) floats
        ``MᵀM``.
    crossed : (c, c) floats
        ``MᵀF⁰``, for orthonormal F⁰.

    Returns
    -------
    P, R : (c, c) floats
    """
    squares = np.diag(products)
    nonzero = squares > SHORTEST_SQUARE * squares.max()
    shrink = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=nonzero)  # D⁻¹, or 0 for a zero column
    values, vectors = eigh(shrink[:, np.newaxis] * products * shrink)  # NᵀN
    kept = values > SMALLEST_SQUARE * values[-1]
    basis = shrink[:, np.newaxis] * vectors[:, kept] / np.sqrt(values[kept])  # Q = M basis
    n_kept = basis.shape[1]
    left, _, right = np.linalg.svd(basis.T @ products)  # S = QᵀM
    P, R = basis @ left @ right[:n_kept], np.zeros_like(products)
    if n_kept < len(values):
        along = basis.T @ crossed  # QᵀF⁰
        lengths, directions = eigh(np.eye(len(values)) - along.T @ along)  # of F⁰ - QQᵀF⁰
        new = directions[:, n_kept:] / np.sqrt(lengths[n_kept:])
        R = new @ right[n_kept:]
        P = P - basis @ along @ R
    return P, R


def replay(reconstruction: Reconstruction, z: sparse.csr_array) -> Floats:
    """The memberships of any rows of Z, computed by repeating the iterations of a fit.

    Parameters
    ----------
    reconstruction : Reconstruction
    z : (b, m) CSR array

    Returns
    -------
    (b, c) floats
    """
    z, objective, c = z.astype(np.float64), reconstruction.objective, reconstruction.start.shape[1]
    beginning = z @ reconstruction.start
    with np.errstate(over="ignore", invalid="ignore"):  # in models of damaged files; the caller checks the results
        rows = objective.first_rows(z, beginning, reconstruction.of_f[0], reconstruction.kernel)
        for t in range(1, len(reconstruction.of_f)):
            m = objective.polar_input(z, rows[:, :c], reconstruction.of_g[t - 1])
            f = orthonormal(m, beginning, reconstruction.polars[t - 1], reconstruction.completions[t - 1])
            rows = objective.next_rows(z, f, reconstruction.of_f[t], rows)
    return rows[:, :c]


def labels_of(reconstruction: Reconstruction, z: sparse.csr_array, g: Floats) -> Integers:
    """The largest membership of each row; a row without memberships takes the cluster of most of its neighbours."""
    labels: Integers = _with_votes(reconstruction, z, g).argmax(axis=1).astype(np.int32)
    return labels


def shares_of(reconstruction: Reconstruction, z: sparse.csr_array, g: Floats) -> Floats:
    """The memberships of each row divided by their sum; of a row without any, those of the vote for its label.

    Parameters
    ----------
    reconstruction : Reconstruction
    z : (b, m) CSR array
    g : (b, c) floats
        Memberships of the same rows.

    Returns
    -------
    (b, c) floats
        Rows sum to one, and the largest share is that of :func:`labels_of`.
    """
    found = _with_votes(reconstruction, z, g)
    found[~found.any(axis=1), 0] = 1  # a row without votes has the label 0
    # the label stays the largest when shares are rounded to float32
    ahead: Floats = own_ahead(found / found.max(axis=1, keepdims=True), found.argmax(axis=1))
    normalised: Floats = ahead / ahead.sum(axis=1, keepdims=True)
    return normalised


def _with_votes(reconstruction: Reconstruction, z: sparse.csr_array, g: Floats) -> Floats:
    """The memberships, with the votes of a row's neighbours in place of memberships that are all zero."""
    found, zero = g.copy(), ~g.any(axis=1)
    if zero.any():
        found[zero] = z[zero] @ reconstruction.votes
    return found
