"""Scores of rows along a direction that changes less and less from one iteration to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anchorgraph.contracts import Floats, Integers

if TYPE_CHECKING:  # nodes imports this module
    from anchorgraph.anchors.nodes import NodeRows, NodeStack


class FullScores:
    """All scores of a stack of nodes, computed again in every iteration.

    Attributes
    ----------
    nodes : NodeStack
    """

    nodes: NodeStack

    def __init__(self, nodes: NodeStack) -> None:
        self.nodes = nodes

    def along(self, directions: Floats) -> Floats:
        """(b, n) scores along (b, d) directions."""
        return self.nodes.project(directions)

    def keep(self, running: NDArray[np.bool_]) -> None:
        """Continue with the nodes selected by a (b,) mask only."""
        self.nodes = self.nodes.keep(running)


class LazyScores:
    """Scores of one node that are updated only where this can change the set of the ``n_left`` smallest.

    When the direction changes from w to w', the score of a row relative to any fixed point o changes by at most
    ``‖x - o‖·‖w' - w‖``. A row whose last computed score is further than that from the cut stays on its side; only the
    scores of the other rows are computed again. The ``n_left`` smallest are the same as if all scores were computed
    again, but far fewer rows are read.

    Attributes
    ----------
    nodes : NodeRows
    """

    nodes: NodeRows
    _n_left: int
    _origin: Floats
    _direction: Floats | None
    _scores: Floats
    _norms: Floats
    _rounding: Floats
    _slack: Floats

    def __init__(self, node: NodeRows, n_left: int) -> None:
        self.nodes, self._n_left = node, n_left
        self._direction = None
        self._origin = node.rough_mean()

    def along(self, directions: Floats) -> Floats:
        """(1, n) scores along a (1, d) direction, exact for rows near the cut."""
        at_origin = self._origin @ directions[0]
        if self._direction is None:
            scores, self._norms = self.nodes.project_with_norms(directions, self._origin)
            self._scores = scores - at_origin
            self._rounding = 8 * np.finfo(self.nodes.dtype).eps * (self._norms + np.linalg.norm(self._origin))
            self._slack = self._rounding.copy()
        else:
            self._slack += self._norms * np.linalg.norm(directions[0] - self._direction)
            uncertain = self._uncertain()
            self._scores[uncertain] = self.nodes.project(directions, uncertain)[0] - at_origin
            self._slack[uncertain] = self._rounding[uncertain]
        self._direction = directions[0]
        current: Floats = (self._scores + at_origin)[np.newaxis]
        return current

    def _uncertain(self) -> Integers:
        """Rows that may or may not be among the ``n_left`` smallest, and candidates for the next larger score."""
        lower, upper = self._scores - self._slack, self._scores + self._slack
        surely_left = upper < np.partition(lower, self._n_left - 1)[self._n_left - 1]
        surely_right = lower > np.partition(upper, self._n_left)[self._n_left]
        return np.flatnonzero(~(surely_left | surely_right))
