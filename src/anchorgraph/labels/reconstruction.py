"""Orthogonal and nonnegative reconstruction of an anchor graph (ongr Eq. 7 to 11).

``min ‖A - FGᵀ‖² + λ‖F - G‖²`` over FᵀF = I and G ≥ 0, where ``A = Z Δ⁻¹ Zᵀ`` is never formed: ``A·`` is always
``Z (Δ⁻¹ (Zᵀ ·))``. Given the m×c products ``Δ⁻¹ZᵀF`` and ``Δ⁻¹ZᵀG`` of a round, a row of G and of the next F follows
from that row of Z and its last G alone. They are kept, so that new rows go through the same rounds as those of the fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from anchorgraph.contracts import Floats
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.chunks import chunks
from anchorgraph.numerics.execution import run, run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.rounds import go_round

ROUND_BYTES = 2**22
"""Rows that a thread takes at once: with fewer, threads wait for each other's Python more than they work."""

FAINT_VOTE = 1e-6
"""Weight of votes that an anchor takes from others: they count only where a row's own anchors have none."""

SHORTEST_SQUARE = 1e-24
"""Share of the largest squared length below which a column of M is what rounding left of zero."""

SMALLEST_SQUARE = 1e-10
"""Share of the largest squared singular value below which products of unit columns leave few digits of a vector."""


@dataclass(frozen=True)
class Reconstruction:
    """What ONGR's rounds leave behind: enough to take any row z of Z through them.

    Attributes
    ----------
    start : (m, c) floats
        ``f = z @ start`` before the first round.
    of_f, of_g : (t, m, c) floats
        ``Δ⁻¹ZᵀF`` and ``Δ⁻¹ZᵀG`` of each round.
    polars, completions : (t, c, c) floats
        Of each round: the next ``f = m @ polar + (z @ start) @ completion``, for the row m of ``M = AG + λG``.
    votes : (m, c) floats
        ``Δ⁻¹Zᵀ`` of the labels: the clusters of a row's neighbours, for rows whose memberships are all zero.
    lam : float
        λ.
    """

    start: Floats
    of_f: Floats
    of_g: Floats
    polars: Floats
    completions: Floats
    votes: Floats
    lam: float


@stage("clusters")
def reconstruct(Z, gram, degrees, start, *, lam, max_iter, tol):
    """Alternate Eq. 9 and Eq. 11 from ``F = Z start`` until no more than a share ``tol`` of the labels changes.

    A round goes over the rows once for G and once for the sums ZᵀG and GᵀG; ZᵀF and the products of ``M = AG + λG``
    follow from these and from ZᵀZ. By Eq. 9, ``tr Gᵀ(AF + λF) = (1 + λ)‖G‖²``, so that Eq. 7 is
    ``‖A‖² + λc - (1 + λ)‖G‖²``.

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
    lam : float, not negative
    max_iter : int
    tol : float

    Returns
    -------
    reconstruction : Reconstruction
    G : RowTable
        Memberships of the last round.
    objectives : (t,) floats
        Eq. 7 after each update of G.
    """
    c = start.shape[1]
    inverse = np.divide(1, degrees, out=np.zeros_like(degrees), where=degrees > 0)[:, np.newaxis]  # Δ⁻¹
    norm = np.sum((gram.multiply(inverse).multiply(gram.T).multiply(inverse.T)).data)  # ‖A‖² = tr (Δ⁻¹ZᵀZ)²
    of_start = gram @ start
    rounds, objectives = [], []

    def turn(state):
        of_f, before = state
        if before is None:
            G, n_changed = Z.keep(_first_memberships(start, of_f, lam)), Z.n_rows  # Eq. 9
        else:
            G = Z.keep(_next_memberships(start, rounds[-1], of_f, lam), before)  # Eq. 9
            (n_changed,) = G.sum_blocks(_count_changed, before)
        sums, squares = Z.sum_blocks(_membership_sums, G)  # ZᵀG, GᵀG
        objectives.append(norm + lam * c - (1 + lam) * np.trace(squares))  # Eq. 7
        of_g = inverse * sums
        crossed = of_g.T @ sums
        products = of_g.T @ (gram @ of_g) + lam * (crossed + crossed.T) + lam**2 * squares  # MᵀM
        polar, completion = polar_factor(products, of_g.T @ of_start + lam * sums.T @ start)  # Eq. 11
        rounds.append((of_f, of_g, polar, completion))
        of_f = inverse * ((gram @ of_g + lam * sums) @ polar + of_start @ completion)
        return (of_f, G), n_changed <= tol * Z.n_rows

    with one_blas_thread:  # once for all rounds: limiting BLAS takes longer than a round of few rows
        (_, G), _ = go_round(turn, (inverse * of_start, None), max_iter)
        (votes,) = Z.sum_blocks(_vote, G)
    votes = _votes(inverse * votes, (inverse * gram).tocsr())  # COO arrays of older SciPy take no index
    return Reconstruction(start, *map(np.array, zip(*rounds, strict=True)), votes, lam), G, np.array(objectives)


def _first_memberships(start, of_f, lam):
    return _over_pieces(lambda z: memberships(z, z @ start, of_f, lam))


def _next_memberships(start, last, of_f, lam):
    _, of_g, polar, completion = last

    def rows(z, g):
        return memberships(z, orthonormal(reached(z, g, of_g, lam), z @ start, polar, completion), of_f, lam)

    return _over_pieces(rows)


def _over_pieces(work):
    """The row map of ``work(z, *aligned)``, whose blocks are cut into pieces for threads."""

    def rows(z, *aligned):
        def piece(part):
            return work(z[part].astype(np.float64), *(other[part] for other in aligned))

        return np.concatenate(run(piece, _pieces(z)))

    return rows


def _membership_sums(z, g):
    def piece(part):
        return z[part].T.astype(np.float64) @ g[part], g[part].T @ g[part]

    return run_sum(piece, _pieces(z))


def _pieces(z):
    return chunks(z.shape[0], 32 * max(z.nnz // max(z.shape[0], 1), 1), ROUND_BYTES)


def _count_changed(g, before):
    return (np.count_nonzero(g.argmax(axis=1) != before.argmax(axis=1)),)


def _vote(z, g):
    return (z.T.astype(np.float64) @ (np.eye(g.shape[1])[g.argmax(axis=1)] * g.any(axis=1, keepdims=True)),)


def _votes(votes, transitions):
    """Clusters of the rows around each anchor; anchors around which there are none take those of anchors nearby."""
    for _ in range(len(votes)):
        without = ~votes.any(axis=1)
        found = transitions[without] @ votes
        if not found.any():
            break
        votes[without] = FAINT_VOTE * found / np.maximum(found.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return votes


def memberships(z, f, of_f, lam):
    """Eq. 9: ``((AF + λF)/(1 + λ))₊``, which is the minimiser of Eq. 8 with max(·, 0) for ``(·)₊``."""
    return np.maximum((z @ of_f + lam * f) / (1 + lam), 0)


def reached(z, g, of_g, lam):
    """``M = AG + λG``, whose polar factor is the next F (Eq. 10)."""
    return z @ of_g + lam * g


def orthonormal(m, beginning, polar, completion):
    """Eq. 11: ``F = UVᵀ``."""
    return m @ polar + beginning @ completion


def polar_factor(products, crossed):
    """The matrices P and R with ``M P + F⁰ R = UVᵀ`` for the thin SVD of M (Eq. 11), from c×c products.

    ``P = (MᵀM)^-1/2`` and R = 0 where M has full rank. Where a column of G was clipped to nothing, U is completed by
    orthonormal columns out of F⁰ that are orthogonal to M, which gives that cluster a new start.

    The products are taken of columns of unit length, ``N = M D⁻¹``: each product is exact relative to the lengths of
    its own two columns, so that a short column keeps all of its digits. Then ``M = QS`` with an orthonormal basis Q of
    the columns of N and a small S, and ``UVᵀ`` is Q times the polar factor of S.

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
    there = squares > SHORTEST_SQUARE * squares.max()
    shrink = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=there)  # D⁻¹, 0 for lost columns
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


def replay(reconstruction, z):
    """The memberships of any rows of Z, after the rounds of a fit.

    Parameters
    ----------
    reconstruction : Reconstruction
    z : (b, m) CSR array

    Returns
    -------
    (b, c) floats
    """
    z, lam = z.astype(np.float64), reconstruction.lam
    f = beginning = z @ reconstruction.start
    g = memberships(z, f, reconstruction.of_f[0], lam)
    for t in range(1, len(reconstruction.of_f)):
        m = reached(z, g, reconstruction.of_g[t - 1], lam)
        f = orthonormal(m, beginning, reconstruction.polars[t - 1], reconstruction.completions[t - 1])
        g = memberships(z, f, reconstruction.of_f[t], lam)
    return g


def labels_of(reconstruction, z, g):
    """The largest membership of each row; a row without any takes the cluster that most of its neighbours have."""
    zero = ~g.any(axis=1)
    labels = g.argmax(axis=1).astype(np.int32)
    if zero.any():
        labels[zero] = (z[zero] @ reconstruction.votes).argmax(axis=1)
    return labels
