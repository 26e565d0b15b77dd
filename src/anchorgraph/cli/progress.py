"""Progress bars for work that takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from anchorgraph.numerics.progress import listening

Item = TypeVar("Item", bound=tuple[Any, ...])

DELAY = 2.0
"""Seconds before a bar is shown."""


@contextmanager
def show_progress(quiet: bool) -> Iterator[None]:
    """Show progress bars on standard error, unless it is not a terminal or ``quiet`` is set."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    with bars, listening(Bars(bars)):
        yield


def track(items: Sequence[Item], console: Console) -> Iterator[Item]:
    """Yield items with a bar that shows the name of the current one, its first element, and the remaining time."""
    if console.quiet or not console.is_terminal:
        yield from items
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task("", total=len(items))
        for item in items:
            bars.update(task, description=str(item[0]))
            yield item
            bars.advance(task)


class Bars:
    """A progress listener that shows one bar at a time, for the current stage, after a delay."""

    def __init__(self, bars: Progress, delay: float = DELAY) -> None:
        self._bars, self._start, self._delay = bars, time.monotonic(), delay
        self._stage = ""
        self._task: TaskID | None = None

    def __call__(self, stage: str, share: float) -> None:
        if time.monotonic() - self._start < self._delay:
            return
        if stage != self._stage or self._task is None:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._stage, self._task = stage, self._bars.add_task(stage, total=1.0)
        self._bars.update(self._task, completed=share)
