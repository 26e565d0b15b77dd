"""Measure how long each stage of a fit takes."""

from __future__ import annotations

import time


class Stopwatch:
    """A progress listener that adds up the time spent in each stage.

    Attributes
    ----------
    seconds : dict of str to float
        Time spent in each stage so far, by the name of the stage.
    """

    seconds: dict[str, float]

    def __init__(self) -> None:
        self.seconds = {}
        self._stage, self._since = "", time.perf_counter()

    def __call__(self, stage: str, share: float) -> None:
        self._stage = self._stage or stage  # time before the first report counts for its stage
        self.stop()
        self._stage = stage

    def stop(self) -> None:
        """Add the time since the last report to its stage."""
        now = time.perf_counter()
        if self._stage:
            self.seconds[self._stage] = self.seconds.get(self._stage, 0.0) + now - self._since
        self._since = now
