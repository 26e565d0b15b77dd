"""Figures that are measured in a process of their own, so that its memory is its own."""

import gc
import json
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

SAMPLING_SECONDS = 0.02


class OverTimeError(RuntimeError):
    """The process was ended by its own ``end_after``."""


def end_after(seconds):
    """End this process after so many seconds, whatever it does then; 0 takes that back."""
    signal.setitimer(signal.ITIMER_REAL, seconds)


def in_a_process(script, *arguments):
    """What ``python script measure …`` prints in its last line, which is JSON."""
    command = [sys.executable, script, "measure", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGALRM:
        raise OverTimeError(f"{' '.join(map(str, arguments))} took too long.")
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, arguments))} failed ({done.returncode}):\n{done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def peak_bytes():
    """The most that this process had at once; ``ru_maxrss`` would also count what its parent had when it began."""
    return _bytes("VmHWM")


def memory_of(work):
    """What ``work`` returns, and bytes: ``peak`` of the process, ``beyond`` what it had before, of which ``own`` are no
    pages of files, looked up every 20 ms.
    """
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before, own_before = _bytes("VmRSS"), _bytes("RssAnon")
    with _sampled("RssAnon") as own:
        result = work()
    peak = peak_bytes()
    return result, {"peak": peak, "beyond": peak - before, "own": max(own) - own_before}


@contextmanager
def _sampled(field):
    """A list that a thread appends a figure to, as long as the ``with`` block runs."""
    found, is_over = [_bytes(field)], threading.Event()

    def look():
        while not is_over.wait(SAMPLING_SECONDS):
            found.append(_bytes(field))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        is_over.set()
        thread.join()


def _bytes(field):
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status[field].split()[0]) * 1024
