"""Waiting for what another process does, however busy the machine is."""

import time

PATIENCE = 600.0
"""Seconds after which a thing that should happen never will; no test depends on how much sooner it happens."""


def wait_until(condition, what):
    """Return once ``condition()`` holds.

    Parameters
    ----------
    condition : callable
    what : str
        Named by the failure if it never holds.
    """
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited {PATIENCE:.0f} s for {what}"
        time.sleep(0.05)
