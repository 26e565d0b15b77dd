"""Processes that a test starts and that never outlive it."""

import contextlib
import os
import signal
import subprocess
import sys

BEGINNING = """
import os, signal, threading

def end_with_the_test():
    while os.read(0, 1):
        pass
    os.killpg(0, signal.SIGKILL)

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=end_with_the_test, daemon=True).start()
"""
"""What runs first. The process ends, with all that it started, when its standard input is closed, even by the death of
the tests. And it takes SIGINT: a shell starts jobs in the background with that signal ignored, which tests inherit and
pass on."""


@contextlib.contextmanager
def python_process(code, *arguments, **options):
    """A process that runs some code in a session of its own, all of which is killed in the end.

    Parameters
    ----------
    code : str
    *arguments : str
        Its ``sys.argv[1:]``.
    **options
        Of :class:`subprocess.Popen`.

    Yields
    ------
    subprocess.Popen
    """
    command = [sys.executable, "-c", BEGINNING + code, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def is_there(group):
    """Whether a process of a group still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
