"""Which components of a spectrum are used."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Floats, Spectrum


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


def eigengap(singular_values: Floats) -> int:
    """The number of clusters before the largest gap between eigenvalues of A, at least two.

    A graph of c groups has c eigenvalues near one, including the trivial one, followed by a gap (von Luxburg 2007).

    Parameters
    ----------
    singular_values : (p,) floats
        Non-trivial ones, largest first.

    Returns
    -------
    int, from 2 to p; 2 if p < 2
    """
    gaps = -np.diff(singular_values**2)
    return int(np.argmax(gaps)) + 2 if len(gaps) else 2
