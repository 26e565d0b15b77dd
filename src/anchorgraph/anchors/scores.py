"""Scores of rows along a direction that turns less and less from round to round."""

from __future__ import annotations

import numpy as np


class FullScores:
    """All scores of a stack of nodes, computed anew each round."""

    def __init__(self, nodes):
        self.nodes = nodes

    def along(self, directions):
        """(b, n) scores along (b, d) directions."""
        return self.nodes.project(directions)

    def keep(self, running):
        """Go on with some of the nodes only."""
        self.nodes = self.nodes.keep(running)


class LazyScores:
    """Scores of one node that are brought up to date only where they can change the ``n_left`` smallest.

    When the direction turns from w to w', the score of a row relative to any fixed point o moves by at most
    ``‖x - o‖·‖w' - w‖``. A row whose last known score is further than that from the cut stays on its side; the others
    are read again. The ``n_left`` smallest are the same as with all scores computed anew, at a fraction of the reading.
    """

    def __init__(self, node, n_left):
        self.nodes, self._n_left = node, n_left
        self._direction = None
        self._origin = node.rough_mean()

    def along(self, directions):
        """(1, n) scores along a (1, d) direction, exact for rows near the cut."""
        at_origin = self._origin @ directions[0]
        if self._direction is None:
            scores, self._norms = self.nodes.project_with_norms(directions, self._origin)
            self._scores = scores - at_origin
            self._rounding = 8 * np.finfo(self.nodes.dtype).eps * (self._norms + np.linalg.norm(self._origin))
            self._slack = self._rounding.copy()
        else:
            self._slack += self._norms * np.linalg.norm(directions[0] - self._direction)
            doubtful = self._doubtful()
            self._scores[doubtful] = self.nodes.project(directions, doubtful)[0] - at_origin
            self._slack[doubtful] = self._rounding[doubtful]
        self._direction = directions[0]
        return (self._scores + at_origin)[np.newaxis]

    def _doubtful(self):
        """Rows that may be among the ``n_left`` smallest or not, and the first one beyond."""
        lower, upper = self._scores - self._slack, self._scores + self._slack
        surely_left = upper < np.partition(lower, self._n_left - 1)[self._n_left - 1]
        surely_right = lower > np.partition(upper, self._n_left)[self._n_left]
        return np.flatnonzero(~(surely_left | surely_right))
