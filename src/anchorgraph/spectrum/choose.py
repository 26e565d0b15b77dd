"""Which components of a spectrum are used, and what the gaps between its eigenvalues say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anchorgraph.contracts import Floats, Spectrum

CLEAR = 2.0
"""The largest gap between eigenvalues is clear if it is so many times as large as any other."""

SMALLEST = 1e-3
"""What is added to eigenvalues of L = I - A before their ratio is taken: a graph is nearly in parts below that."""


def leading(spectrum: Spectrum, n_components: int) -> Spectrum:
    """The first ``n_components`` components of a spectrum."""
    return Spectrum(spectrum.singular_values[:n_components], spectrum.anchor_map[:, :n_components], spectrum.n_parts)


def with_trivial(spectrum: Spectrum, total_weight: float) -> Spectrum:
    """The same spectrum with the trivial component first: it is ``1/√n`` for every row, since rows of Z sum to one.

    n is the number of rows, or the sum of their weights.
    """
    constant = np.full((len(spectrum.anchor_map), 1), total_weight**-0.5)
    return Spectrum(
        np.concatenate([[1.0], spectrum.singular_values]), np.hstack([constant, spectrum.anchor_map]), spectrum.n_parts
    )


def eigengaps(singular_values: Floats, n_clusters: Sequence[int]) -> Floats:
    """The gaps ``λ_c - λ_{c+1}`` after the c largest eigenvalues of A, for several numbers c of clusters.

    A graph of c groups has c eigenvalues near one, including the trivial one, followed by a gap (von Luxburg 2007).

    Parameters
    ----------
    singular_values : (p,) floats
        Non-trivial ones, largest first; further ones count as zero.
    n_clusters : sequence of int, each at least 1

    Returns
    -------
    floats, one for each number
    """
    before, after = _eigenvalues_around(singular_values, n_clusters)
    return before - after


def relative_eigengaps(singular_values: Floats, n_clusters: Sequence[int]) -> Floats:
    r"""The gaps between the eigenvalues :math:`\mu = 1 - \lambda` of L on a logarithmic scale.

    .. math:: \log \frac{\mu_{c+1} + \epsilon}{\mu_c + \epsilon}

    with ε = 0.001. Eigenvalues of a curve or a surface without groups grow evenly, so that their differences
    :func:`eigengaps` are as large for many as for few clusters; their ratios are not.

    Parameters
    ----------
    singular_values : (p,) floats
    n_clusters : sequence of int, each at least 1

    Returns
    -------
    floats, one for each number
    """
    before, after = _eigenvalues_around(singular_values, n_clusters)
    ratios: Floats = np.log((1 - after + SMALLEST) / (1 - before + SMALLEST))
    return ratios


def clear_gap(gaps: Floats) -> int | None:
    """Where the largest gap is, if it is at least :data:`CLEAR` times as large as any other; otherwise None."""
    largest = int(np.argmax(gaps))
    others = np.delete(gaps, largest)
    return largest if gaps[largest] > 0 and gaps[largest] >= CLEAR * others.max(initial=0) else None


def _eigenvalues_around(singular_values: Floats, n_clusters: Sequence[int]) -> tuple[Floats, Floats]:
    """The eigenvalues ``λ_c`` and ``λ_{c+1}`` of A for each number c, the trivial one counted."""
    numbers = np.asarray(n_clusters)
    values = np.zeros(numbers.max() + 1)
    values[0] = 1
    squares = singular_values[: len(values) - 1] ** 2
    values[1 : len(squares) + 1] = squares
    return values[numbers - 1], values[numbers]
