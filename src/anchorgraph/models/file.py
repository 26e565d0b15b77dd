"""Model files: arrays in the safetensors format, with a JSON header in its metadata."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import anchorgraph
from anchorgraph.models import content
from anchorgraph.models.errors import InvalidModelError, short_repr
from anchorgraph.table import check_path, write_atomically
from anchorgraph.urls import shown

FORMAT = 4
"""Version of the format, increased by every incompatible change; format 1 was skops."""

HEADER_KEY = "anchorgraph"
"""Key of the header in the metadata of the file."""

OTHER_SUFFIXES = {".csv", ".parquet", ".npy", ".npz", ".mtx", ".html"}
"""Suffixes of other files that the program writes, which are not accepted for models."""


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a file, which :func:`load` reads on this or another machine.

    The file contains arrays in the safetensors format and plain data, but no code and no Python objects. An existing
    file is replaced only when the new one is complete. A loaded model gives the same results, bit for bit on the same
    machine.

    Attributes with an entry for each training row (``labels_``, ``embedding_``, ``memberships_``, ``subclasses_``) and
    the training rows themselves are saved only if new rows require them: all of them for ``LE`` and ``KNNSC``, and the
    rows for ``LPP`` and ``SR`` with a kernel. Anchors are always saved; those of ``NystromSC``, ``SSSC`` and
    ``anchors="random"`` are rows of the data. ``n_jobs`` is not saved, ``random_state`` only if it is an integer, and
    ``anchors`` given as a clusterer are saved as an array.

    Parameters
    ----------
    model : estimator
        A fitted estimator of this package, or a :class:`sklearn.pipeline.Pipeline` of a fitted
        :class:`sklearn.preprocessing.StandardScaler` and such an estimator.
    path : path-like
        Usually with the suffix ``.safetensors``. An existing file is replaced.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_digits
    >>> import anchorgraph
    >>> X, _ = load_digits(return_X_y=True)
    >>> model = anchorgraph.FSC(n_clusters=10, random_state=0).fit(X[:1500])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "digits.safetensors")
    ...     anchorgraph.save(model, path)
    ...     again = anchorgraph.load(path)
    >>> bool((again.predict(X) == model.predict(X)).all())
    True
    """
    path = Path(path)
    check_model_path(path)
    try:
        header, arrays = content.write(model)
        text = json.dumps({"format": FORMAT, "version": anchorgraph.__version__, **header})
        content.read(_without_format(json.loads(text)), arrays)  # only what can be read again is written
        data = _safetensors("Saving a model").numpy.save(arrays, {HEADER_KEY: text})
    except InvalidModelError as error:
        raise ValueError(f"{type(model).__name__} cannot be saved: {error}.") from None
    with write_atomically(path, len(data)) as unfinished:
        unfinished.write_bytes(data)


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that :func:`save` wrote. No code from the file is run.

    All content is checked before it is used: the type, shape, range and finiteness of each array, also against the
    other arrays, and that parameters are plain data. A file with any other content is rejected. Pickle, joblib and
    skops files are never read.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    estimator
        Fitted, with ``n_jobs=None``; or the :class:`sklearn.pipeline.Pipeline` that was saved.

    Raises
    ------
    ValueError
        If the file is not a model, or a model of another format.

    See Also
    --------
    save : what a file contains, with an example.
    """
    path = Path(path)
    if not path.is_file():
        problem = "is not a regular file" if path.exists() else "does not exist"
        raise FileNotFoundError(f"{shown(path)} {problem}; pass the path of a file that anchorgraph.save wrote.")
    _check_start(path)
    try:
        text, arrays = _read(path)
        header = json.loads(text, parse_constant=_reject_constant)
        if not isinstance(header, dict) or not {"format", "version"} <= header.keys():
            raise InvalidModelError("its header has no format version")
    except InvalidModelError as error:
        raise ValueError(f"{path} is not a model of anchorgraph: {_reason(error)}.") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not a model of anchorgraph: its header cannot be read.") from error
    if header["format"] != FORMAT:
        raise ValueError(
            f"{path} has format {short_repr(header['format'])} of anchorgraph {short_repr(header['version'])}, but "
            f"this version reads format {FORMAT}; fit the model again and save it."
        )
    try:
        return content.read(_without_format(header), arrays)
    except ValueError as error:
        raise ValueError(f"{path} is not a valid model: {_reason(error)}; save the model again.") from error


def check_model_path(path: Path) -> None:
    """Raise an error if no model can be written to this path, or safetensors is missing."""
    _safetensors("Saving a model")
    check_path(path)
    if path.suffix in OTHER_SUFFIXES or path.is_dir() or not path.parent.is_dir():
        raise ValueError(f"{shown(path)} cannot hold a model; name a .safetensors file in an existing folder.")


def _reason(error: Exception) -> str:
    """The message of an error as part of a sentence."""
    return " ".join(str(error).rstrip(".").split()) or type(error).__name__


def _without_format(header: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in header.items() if key not in ("format", "version")}


def _check_start(path: Path) -> None:
    """Raise an error about a file of another kind; the ninth byte of a safetensors file is a brace."""
    with path.open("rb") as file:
        start = file.read(9)
    if start[8:] == b"{":
        return
    if start.startswith(b"PK"):
        raise ValueError(
            f"{path} is a zip archive; models of earlier versions (skops) are no longer supported: fit the model again "
            "and save it."
        )
    if start[:1] == b"\x80":
        raise ValueError(
            f"{path} is a pickle file, which is never read because it can run arbitrary code; pass a file that "
            "anchorgraph.save wrote."
        )
    raise ValueError(f"{path} is not a model of anchorgraph; pass a file that anchorgraph.save or --save wrote.")


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    """The header and all arrays of a file."""
    safetensors = _safetensors(f"Reading {path}")
    try:
        # read, not mapped: if a mapped file is truncated meanwhile, the process crashes
        with safetensors.safe_open(path, framework="numpy", backend="pread") as file:
            text = (file.metadata() or {}).get(HEADER_KEY)
            if text is None:
                raise InvalidModelError("it has no anchorgraph header")
            return text, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    except (InvalidModelError, MemoryError):
        raise
    except OSError as error:
        raise OSError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Exception as error:  # from safetensors, or from NumPy for types that it does not support
        raise InvalidModelError(_reason(error)) from error


def _reject_constant(name: str) -> None:
    raise InvalidModelError(f"its header contains {name}")


def _safetensors(task: str) -> Any:
    try:
        import safetensors.numpy
    except ImportError as error:
        raise ImportError(f'{task} requires safetensors: pip install "anchorgraph[io]".') from error
    return safetensors
