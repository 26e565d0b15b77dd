"""Output files that are written under temporary names, and renamed when all of them are complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outputs:
    """What remains to be done with temporary files.

    Attributes
    ----------
    uploads, renames : lists of functions
        What replaces the output files. Uploads are more likely to fail, so that they come first.
    removal : ExitStack
        Removes temporary files that are left.
    """

    uploads: list[Callable[[], object]] = field(default_factory=list)
    renames: list[Callable[[], object]] = field(default_factory=list)
    removal: ExitStack = field(default_factory=ExitStack)


_outermost: ContextVar[Outputs | None] = ContextVar("outermost", default=None)


@contextmanager
def together() -> Iterator[Outputs]:
    """Replace all files that are written in this context at its end, or none of them after an error.

    A context inside another one leaves its files to the outer one.
    """
    if (outer := _outermost.get()) is not None:
        yield outer
        return
    outputs = Outputs()
    token = _outermost.set(outputs)
    try:
        with outputs.removal:
            yield outputs
            for replace in (*outputs.uploads, *outputs.renames):
                replace()
    finally:
        _outermost.reset(token)
