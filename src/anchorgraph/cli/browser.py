"""Open a page in the browser of whoever sits in front of the screen, if somebody does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WITHOUT_A_SCREEN = ("CI", "SSH_CONNECTION", "SSH_TTY")
"""Environment variables of processes that nobody watches, or somebody in front of another machine."""


def open_page(path: Path) -> bool:
    """Ask a browser to open a page, without waiting for it; return whether one was asked.

    Python's ``webbrowser`` runs in a process of its own without a terminal: there may be only a browser that works in
    the terminal, and one that fails would print its errors there.

    Parameters
    ----------
    path : Path

    Returns
    -------
    bool
    """
    if not has_screen():
        return False
    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-m", "webbrowser", path.resolve().as_uri()]
    subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)
    return True


def has_screen() -> bool:
    """Whether this process was started in a terminal window of this machine."""
    if not sys.stdout.isatty() or any(os.environ.get(name) for name in WITHOUT_A_SCREEN):
        return False
    has_windows = sys.platform in ("darwin", "win32")
    return has_windows or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
