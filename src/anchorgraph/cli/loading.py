"""Ctrl-C while there is nothing to be tidied up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def end_at_ctrl_c() -> bool:
    """Let Ctrl-C end the process without a word, unless it does something else than usual; whether that was changed."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        return True
    return False


@contextmanager
def loading() -> Iterator[None]:
    """Import packages: Ctrl-C ends the process at once.

    A KeyboardInterrupt would come out of an extension module's import as an ImportError, or as a printed traceback.
    """
    changed = end_at_ctrl_c()
    try:
        yield
    finally:
        if changed:
            signal.signal(signal.SIGINT, signal.default_int_handler)
