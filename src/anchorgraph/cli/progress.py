"""A bar for each stage of what takes longer than two seconds."""

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

PATIENCE = 2.0
"""Seconds without a bar."""


@contextmanager
def shown(quiet: bool) -> Iterator[None]:
    """Show the progress of what happens inside on standard error, if that is a terminal and nobody wants quiet."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    with bars, listening(Bars(bars)):
        yield


def counted(items: Sequence[Item], console: Console) -> Iterator[Item]:
    """Things to do, whose names come first, with a bar that names the one at hand and says how much time is left."""
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
    """A listener with one bar at a time, which begins when the whole has taken a while."""

    def __init__(self, bars: Progress, patience: float = PATIENCE) -> None:
        self._bars, self._start, self._patience = bars, time.monotonic(), patience
        self._stage = ""
        self._task: TaskID | None = None

    def __call__(self, stage: str, share: float) -> None:
        if time.monotonic() - self._start < self._patience:
            return
        if stage != self._stage or self._task is None:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._stage, self._task = stage, self._bars.add_task(stage, total=1.0)
        self._bars.update(self._task, completed=share)
