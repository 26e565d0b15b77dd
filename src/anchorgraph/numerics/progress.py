"""Who wants to know how far a computation is.

Passes tell it block by block with :func:`portion`, and threads piece by piece with :func:`done`; without a listener
both cost a look at a variable. A listener gets the name of a stage and the share of it that is done, from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

Listener = Callable[[str, float], None]


@dataclass(frozen=True)
class _Course:
    """A part of a stage that a computation is in."""

    listener: Listener
    stage: str = ""
    start: float = 0.0
    width: float = 1.0


_course: ContextVar[_Course | None] = ContextVar("course", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have a listener told of what happens inside, besides those that listen already."""
    outer = _course.get()

    def both(stage: str, share: float) -> None:
        if outer is not None:
            outer.listener(stage, share)
        listener(stage, share)

    token = _course.set(_Course(both))
    try:
        yield
    finally:
        _course.reset(token)


@contextmanager
def portion(stage: str, number: int, total: int) -> Iterator[None]:
    """What happens inside is part ``number`` of ``total`` equal ones of a stage, or of the part that it is in."""
    course = _course.get()
    if course is None:
        yield
        return
    start, width = course.start + course.width * number / total, course.width / total
    token = _course.set(replace(course, stage=course.stage or stage, start=start, width=width))
    try:
        done(0, 1)
        yield
        done(1, 1)
    finally:
        _course.reset(token)


def done(number: int, total: int) -> None:
    """So many of all pieces of the present part are done."""
    course = _course.get()
    if course is not None and course.stage:
        course.listener(course.stage, course.start + course.width * number / total)
