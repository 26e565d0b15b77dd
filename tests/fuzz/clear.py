"""Errors that a user understands."""

from __future__ import annotations

import traceback
from pathlib import Path

import numpy as np
import sklearn

import anchorgraph

OURS, SCIKIT_LEARN = (Path(package.__file__).parent for package in (anchorgraph, sklearn))


def is_clear(error: BaseException) -> bool:
    """Whether an error is a sentence of ours, or one of scikit-learn's about its input."""
    if type(error) is not TypeError and (not isinstance(error, ValueError) or isinstance(error, np.linalg.LinAlgError)):
        return False
    last = traceback.extract_tb(error.__traceback__)[-1]
    file = Path(last.filename)
    if file.is_relative_to(OURS):
        return str(last.line).startswith("raise ")  # and not from C code that a line of ours calls
    return file.is_relative_to(SCIKIT_LEARN / "utils") or file == SCIKIT_LEARN / "base.py"
