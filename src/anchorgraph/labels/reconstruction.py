"""Orthogonal and nonnegative reconstruction of an anchor graph (ongr Eq. 7 to 11).

``min ‖A - FGᵀ‖² + λ‖F - G‖²`` over FᵀF = I and G ≥ 0, where ``A = Z Δ⁻¹ Zᵀ`` is never formed: ``A·`` is always
``Z (Δ⁻¹ (Zᵀ ·))``. Given the m×c products ``Δ⁻¹ZᵀF`` and ``Δ⁻¹ZᵀG`` of a round, a row of G and of the next F follows
from that row of Z alone. They are kept, so that new rows go through the same rounds as those of the fit.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from anchorgraph.contracts import Reconstruction
from anchorgraph.numerics.threads import chunks, run, run_sum


def reconstruct(Z, gram, degrees, start, *, lam, max_iter, tol, n_jobs):
    """Alternate Eq. 9 and Eq. 11 from ``F = Z start`` until no more than a share ``tol`` of the labels changes.

    Parameters
    ----------
    Z : (n, m) CSR array
    gram : (m, m) sparse array
        ``ZᵀZ``.
    degrees : (m,) floats
        ``Zᵀ1``.
    start : (m, c) floats
        ``Z start`` has orthonormal columns.
    lam : float, not negative
    max_iter : int
    tol : float
    n_jobs : int

    Returns
    -------
    reconstruction : Reconstruction
    G : (n, c) floats
        Memberships of the last round.
    objectives : (t,) floats
        Eq. 7 after each update of G.
    """
    n, c = Z.shape[0], start.shape[1]
    blocks = [Z[part].astype(np.float64) for part in chunks(n, 16 * (c + Z.nnz // n))]
    inverse = np.divide(1, degrees, out=np.zeros_like(degrees), where=degrees > 0)[:, np.newaxis]  # Δ⁻¹
    norm = np.sum((gram.multiply(inverse).multiply(gram.T).multiply(inverse.T)).data)  # ‖A‖² = tr (Δ⁻¹ZᵀZ)²

    def of_rows(rows):
        (total,) = run_sum(lambda pair: (pair[0].T @ pair[1],), zip(blocks, rows, strict=True), n_jobs)
        return inverse * total

    F = beginning = run(lambda z: z @ start, blocks, n_jobs)
    labels, rounds, objectives = None, [], []
    for _ in range(max_iter):
        of_f = of_rows(F)
        G = [memberships(z, f, of_f, lam) for z, f in zip(blocks, F, strict=True)]  # Eq. 9
        of_g = of_rows(G)
        objectives.append(norm + _varying_part(F, G, degrees, of_f, of_g, lam, n_jobs))
        M = [z @ of_g + lam * g for z, g in zip(blocks, G, strict=True)]
        products, crossed = run_sum(
            lambda pair: (pair[0].T @ pair[0], pair[0].T @ pair[1]), zip(M, beginning, strict=True), n_jobs
        )
        polar, completion = polar_factor(products, crossed)
        rounds.append((of_f, of_g, polar, completion))
        before, labels = labels, np.concatenate([rows.argmax(axis=1) for rows in G])
        if before is not None and np.mean(labels != before) <= tol:
            break
        F = [m @ polar + f @ completion for m, f in zip(M, beginning, strict=True)]  # Eq. 11
    G = np.concatenate(G)
    votes = _votes(inverse * (Z.T @ (np.eye(c)[labels] * G.any(axis=1, keepdims=True))), inverse * gram)
    return Reconstruction(start, *map(np.array, zip(*rounds, strict=True)), votes, lam), G, np.array(objectives)


def _votes(votes, transitions):
    """Clusters of the rows around each anchor; anchors around which there are none take those of anchors nearby."""
    for _ in range(len(votes)):
        without = ~votes.any(axis=1)
        found = transitions[without] @ votes
        if not found.any():
            break
        votes[without] = found
    return votes


def memberships(z, f, of_f, lam):
    """Eq. 9: ``((AF + λF)/(1 + λ))₊``, which is the minimiser of Eq. 8 with max(·, 0) for ``(·)₊``."""
    return np.maximum((z @ of_f + lam * f) / (1 + lam), 0)


def polar_factor(products, crossed):
    """The matrices P and R with ``M P + F⁰ R = UVᵀ`` for the thin SVD of M (Eq. 11), from c×c products.

    ``P = (MᵀM)^-1/2`` and R = 0 where M has full rank. Where a column of G was clipped to nothing, U is completed by
    orthonormal columns out of F⁰ that are orthogonal to M, which gives that cluster a new start.

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
    values, vectors = eigh(products)
    lost = values <= len(values) * np.finfo(np.float64).eps * values[-1]
    scaled = vectors[:, ~lost] / np.sqrt(values[~lost])  # U₁ = M scaled
    P, R = scaled @ vectors[:, ~lost].T, np.zeros_like(products)
    if lost.any():
        along = scaled.T @ crossed  # U₁ᵀF⁰
        left, directions = eigh(np.eye(len(values)) - along.T @ along)  # of F⁰ - U₁U₁ᵀF⁰
        new = directions[:, -np.count_nonzero(lost) :] / np.sqrt(left[-np.count_nonzero(lost) :])
        R = new @ vectors[:, lost].T
        P = P - scaled @ along @ R
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
        m = z @ reconstruction.of_g[t - 1] + lam * g
        f = m @ reconstruction.polars[t - 1] + beginning @ reconstruction.completions[t - 1]
        g = memberships(z, f, reconstruction.of_f[t], lam)
    return g


def labels_of(reconstruction, z, g):
    """The largest membership of each row; a row without any takes the cluster that most of its neighbours have."""
    zero = ~g.any(axis=1)
    labels = g.argmax(axis=1)
    if zero.any():
        labels[zero] = (z[zero] @ reconstruction.votes).argmax(axis=1)
    return labels


def _varying_part(F, G, degrees, of_f, of_g, lam, n_jobs):
    """``-2 tr GᵀAF + ‖FGᵀ‖² + λ‖F - G‖²``, with ‖FGᵀ‖ = ‖G‖ because FᵀF = I."""
    squares, differences = run_sum(
        lambda pair: (np.sum(pair[1] ** 2), np.sum((pair[0] - pair[1]) ** 2)), zip(F, G, strict=True), n_jobs
    )
    return -2 * np.sum(degrees[:, np.newaxis] * of_g * of_f) + squares + lam * differences
