"""Which components of a spectrum are used."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Spectrum


def leading(spectrum, n_components):
    """The first components of a spectrum."""
    return Spectrum(spectrum.singular_values[:n_components], spectrum.anchor_map[:, :n_components], spectrum.n_parts)


def with_trivial(spectrum, n_rows):
    """The same with the trivial component, ``1/√n`` for every row, in front: rows of Z sum to one."""
    constant = np.full((len(spectrum.anchor_map), 1), n_rows**-0.5)
    return Spectrum(
        np.concatenate([[1.0], spectrum.singular_values]), np.hstack([constant, spectrum.anchor_map]), spectrum.n_parts
    )


def eigengap(singular_values):
    """The number of clusters before the largest gap between eigenvalues of A, at least two.

    A graph of c groups has c eigenvalues near one, the trivial one among them, and then a gap (von Luxburg 2007).

    Parameters
    ----------
    singular_values : (p,) floats
        Non-trivial ones, largest first.

    Returns
    -------
    int, from 2 to p, or 2 where there are fewer values
    """
    gaps = -np.diff(singular_values**2)
    return int(np.argmax(gaps)) + 2 if len(gaps) else 2
