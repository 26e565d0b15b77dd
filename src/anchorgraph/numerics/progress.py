"""Report the progress of a computation to listeners.

:func:`stage` names a stage. Within it, passes over a table report progress block by block with :func:`portion`, and
threads report it piece by piece. Without a listener, the cost is that of reading a context variable.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from anchorgraph.numerics.execution import Listener, Progress, current_progress, set_execution


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Report progress within a ``with`` block to a listener, in addition to those that listen already."""
    outer = current_progress()

    def both(stage: str, share: float) -> None:
        if outer is not None:
            outer.listener(stage, share)
        listener(stage, share)

    with set_execution(progress=Progress(both)):
        yield


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Name the stage of a ``with`` block or, as a decorator, of a function; within another stage, part of that one."""
    progress = current_progress()
    if progress is None or progress.stage:
        yield
    else:
        with set_execution(progress=replace(progress, stage=name)), portion(0, 1):
            yield


@contextmanager
def portion(number: int, total: int) -> Iterator[None]:
    """Treat a ``with`` block as one of ``total`` equal parts of the current stage, or of its current part."""
    progress = current_progress()
    if progress is None:
        yield
        return
    start, width = progress.start + progress.width * number / total, progress.width / total
    part = replace(progress, stage=progress.stage or "rows", start=start, width=width)
    with set_execution(progress=part):
        part.tell(0)
        yield
        part.tell(1)
