"""Time of a fit in seconds, in total and by stage."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from anchorgraph.numerics.progress import listening
from anchorgraph.numerics.recall import saved_seconds
from anchorgraph.numerics.stopwatch import Stopwatch


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """The result of ``work``, and its time in seconds: in total, before the stage "clusters", and by stage.

    Work that was recalled instead of done counts with the time that it took once, but in no stage.
    """
    start, saved, watch = time.perf_counter(), saved_seconds(), Stopwatch()
    with listening(watch):
        result = work()
    watch.stop()
    seconds = time.perf_counter() - start + saved_seconds() - saved
    stages = {f"seconds of {stage}": taken for stage, taken in watch.seconds.items()}
    return result, {
        "seconds": seconds,
        "seconds before clusters": seconds - watch.seconds.get("clusters", 0.0),
        **stages,
    }
