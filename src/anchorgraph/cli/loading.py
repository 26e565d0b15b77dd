"""Handling of Ctrl-C where it must not raise an exception: in imports, and while output files are replaced."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

INTERRUPTED = 130
"""Exit code after Ctrl-C."""

SENTENCE = "Interrupted; no incomplete files were left."


def ignore_ctrl_c() -> None:
    """Ignore Ctrl-C from now on; Python, which resets other handlers when it shuts down, keeps this one."""
    _handle(signal.SIG_IGN)


def loading() -> AbstractContextManager[None]:
    """Let Ctrl-C end the process at once while packages are imported.

    The import of an extension module may turn a KeyboardInterrupt into an ImportError or a printed traceback.
    """
    return _handling(_exit)


@contextmanager
def delaying_ctrl_c() -> Iterator[None]:
    """Raise the KeyboardInterrupt of Ctrl-C at the end."""
    pressed: list[Any] = []
    with _handling(lambda *event: pressed.append(event)):
        yield
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def _handling(handler: Callable[..., Any]) -> Iterator[None]:
    changed = _handle(handler)
    try:
        yield
    finally:
        if changed:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _handle(handler: Callable[..., Any] | signal.Handlers) -> bool:
    """Set the handler of Ctrl-C unless others decided on it; return whether it was changed."""
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_default and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)
        return True
    return False


def _exit(*event: Any) -> None:
    try:
        os.write(2, f"{SENTENCE}\n".encode())
        sys.stdout.flush()  # what a command printed, if it is over
    finally:
        os._exit(INTERRUPTED)
