"""Handling of Ctrl-C while packages are imported."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def exit_on_ctrl_c() -> bool:
    """Let Ctrl-C end the process silently if its handler is Python's default; return whether it was changed."""
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_default and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        return True
    return False


@contextmanager
def loading() -> Iterator[None]:
    """Let Ctrl-C end the process at once while packages are imported.

    The import of an extension module may turn a KeyboardInterrupt into an ImportError or a printed traceback.
    """
    changed = exit_on_ctrl_c()
    try:
        yield
    finally:
        if changed:
            signal.signal(signal.SIGINT, signal.default_int_handler)
