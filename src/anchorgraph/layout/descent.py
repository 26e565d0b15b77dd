"""Points of a map on their way to where attraction and repulsion balance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anchorgraph.contracts import Floats
from anchorgraph.layout.attraction import Ties, attraction
from anchorgraph.layout.mesh import repulsion
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.execution import set_execution
from anchorgraph.numerics.progress import portion

MOMENTUM = 0.8

CLOSENESS = 0.83
"""Target of the mean q of ties."""

CROWDING = 0.05
"""Limit of the mean q of points without ties: where it is larger, not even they are apart."""

CLOSENESS_GAIN, CROWDING_GAIN = 0.3, 0.9
"""How fast the exaggeration follows: with more, clusters without structure swing in and out."""

LEAST_EXAGGERATION, MOST_EXAGGERATION = 0.4, 4.0


def descend(positions: Floats, ties: Ties, n_steps: int, exaggeration: float) -> Floats:
    r"""Move all points by steps of t-SNE.

    .. math:: v_i \leftarrow 0.8\, v_i + \frac{1}{\max(1, d_i)} \Big[ \sum_j w_{ij} q_{ij} (y_j - y_i)
              + \frac{n}{\rho Z} \sum_j q_{ij}^2 (y_i - y_j) \Big], \qquad y_i \leftarrow y_i + v_i

    with weights that sum to n, degrees :math:`d_i = \sum_j w_{ij}`, and ρ, the exaggeration of the attraction. Without
    the division by the degree, points with many ties would swing.

    Parameters
    ----------
    positions : (n, p) floats
    ties : Ties
    n_steps : int
    exaggeration : float
        ρ.

    Returns
    -------
    (n, p) floats
        With their mean at zero.
    """
    return _descend(positions, ties, n_steps, exaggeration, lambda rho, closeness, crowding: rho)[0]


def settle(positions: Floats, ties: Ties, n_steps: int, exaggeration: float) -> tuple[Floats, float]:
    """:func:`descend` with an exaggeration that follows the map, between 0.4 and 4.

    It grows as long as the mean q of ties is below 0.83, so that clusters do not fall apart, and falls above that, so
    that those without inner structure do not collapse to points. It also falls while points without ties are close to
    each other, for then nothing can be told apart in the map.

    Returns
    -------
    positions : (n, p) floats
    exaggeration : float
        ρ at the end.
    """
    return _descend(positions, ties, n_steps, exaggeration, _follow)


def _follow(exaggeration: float, closeness: float, crowding: float) -> float:
    signal = min(CLOSENESS_GAIN * (CLOSENESS - closeness), CROWDING_GAIN * (CROWDING - crowding))
    return float(np.clip(exaggeration * np.exp(signal), LEAST_EXAGGERATION, MOST_EXAGGERATION))


def _descend(
    positions: Floats, ties: Ties, n_steps: int, exaggeration: float, follow: Callable[[float, float, float], float]
) -> tuple[Floats, float]:
    n = len(positions)
    velocity = np.zeros_like(positions)
    rate = (1 / np.maximum(ties.degrees, 1)).astype(positions.dtype)[:, np.newaxis]
    with one_blas_thread:  # once for all steps: setting the limit takes longer than a step of few points
        for number in range(n_steps):
            with portion(number, n_steps), set_execution(progress=None):
                closeness, pull = attraction(positions, ties)
                total, push = repulsion(positions)
            crowding = max(total - closeness * ties.n_ties, 0) / n**2  # of pairs without a tie
            exaggeration = follow(exaggeration, closeness, crowding)
            push *= positions.dtype.type(n / (exaggeration * total))
            velocity *= positions.dtype.type(MOMENTUM)
            velocity += rate * (pull + push)
            positions = positions + velocity
    return positions - positions.mean(axis=0), exaggeration
