"""How far a computation is.

A stage names itself with :func:`stage`; within it, passes tell block by block with :func:`portion`, and threads piece
by piece. Without a listener all of this costs a look at a variable.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from anchorgraph.numerics.execution import Course, Listener, present_course, set_execution


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have a listener told of what happens inside, besides those that listen already."""
    outer = present_course()

    def both(stage: str, share: float) -> None:
        if outer is not None:
            outer.listener(stage, share)
        listener(stage, share)

    with set_execution(course=Course(both)):
        yield


@contextmanager
def stage(name: str) -> Iterator[None]:
    """What happens inside is the stage of this name, or part of the one that it is in. Also a decorator."""
    course = present_course()
    if course is None or course.stage:
        yield
    else:
        with set_execution(course=replace(course, stage=name)), portion(0, 1):
            yield


@contextmanager
def portion(number: int, total: int) -> Iterator[None]:
    """What happens inside is part ``number`` of ``total`` equal ones of the present stage, or of the part of it."""
    course = present_course()
    if course is None:
        yield
        return
    start, width = course.start + course.width * number / total, course.width / total
    part = replace(course, stage=course.stage or "rows", start=start, width=width)
    with set_execution(course=part):
        part.tell(0)
        yield
        part.tell(1)
