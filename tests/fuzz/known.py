"""Cases whose outcome is known, to try the harness itself."""

import os
import signal
import time

import numpy as np


def refuse(folder):
    raise ValueError("A sentence.")


KNOWN = {
    "done": lambda folder: None,
    "refused": refuse,
    "unclear error": lambda folder: [][0],
    "silent nonsense": lambda folder: "wrong",
    "crash": lambda folder: os.kill(os.getpid(), signal.SIGKILL),
}


def case(seed):
    kind = [*KNOWN][seed % len(KNOWN)]
    return kind, KNOWN[kind]


def endless_case(seed):
    return "sleep", lambda folder: time.sleep(3600)


def greedy_case(seed):
    return "hog", lambda folder: np.ones(2**40)


def warning_case(seed):
    return "divide", lambda folder: str(np.ones(1) / 0)[:0]


def is_clear(error):
    return isinstance(error, ValueError)
