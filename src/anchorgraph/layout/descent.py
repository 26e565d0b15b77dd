"""Points of a map on their way to where attraction and repulsion balance."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Floats
from anchorgraph.layout.attraction import Ties, attraction
from anchorgraph.layout.mesh import repulsion
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.execution import set_execution
from anchorgraph.numerics.progress import portion

MOMENTUM = 0.8

LEAST_EXAGGERATION, MOST_EXAGGERATION = 0.4, 4.0

GAIN = 0.3
"""How fast the exaggeration follows the closeness of ties: with more, clusters without structure swing in and out."""


def descend(
    positions: Floats, ties: Ties, n_steps: int, exaggeration: float, closeness: float | None = None
) -> tuple[Floats, float]:
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
    closeness : float, optional
        The mean :math:`q` of ties that ρ is changed for, between 0.4 and 4: so clusters neither collapse to points nor
        fall apart. By default, ρ is constant.

    Returns
    -------
    positions : (n, p) floats
        With their mean at zero.
    exaggeration : float
        ρ at the end.
    """
    n = len(positions)
    velocity = np.zeros_like(positions)
    rate = (1 / np.maximum(ties.degrees, 1)).astype(positions.dtype)[:, np.newaxis]
    with one_blas_thread:  # once for all steps: setting the limit takes longer than a step of few points
        for number in range(n_steps):
            with portion(number, n_steps), set_execution(progress=None):
                found, pull = attraction(positions, ties)
                total, push = repulsion(positions)
            if closeness is not None:
                followed = exaggeration * np.exp(GAIN * (closeness - found))
                exaggeration = float(np.clip(followed, LEAST_EXAGGERATION, MOST_EXAGGERATION))
            push *= positions.dtype.type(n / (exaggeration * total))
            velocity *= positions.dtype.type(MOMENTUM)
            velocity += rate * (pull + push)
            positions = positions + velocity
    return positions - positions.mean(axis=0), exaggeration
