"""How long each stage of a fit takes."""

from __future__ import annotations

import time


class Stopwatch:
    """A listener that adds up the time between what it hears, by the stage that it hears of."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stage, self._since = "", time.perf_counter()

    def __call__(self, stage: str, share: float) -> None:
        self._stage = self._stage or stage  # what came before the first word belongs to it
        self.stop()
        self._stage = stage

    def stop(self) -> None:
        """Count what passed since the last word."""
        now = time.perf_counter()
        if self._stage:
            self.seconds[self._stage] = self.seconds.get(self._stage, 0.0) + now - self._since
        self._since = now
