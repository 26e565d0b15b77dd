"""Model files: arrays in the safetensors format, and a header of plain data in its metadata."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import anchorgraph
from anchorgraph.models import content
from anchorgraph.models.refused import RefusedError, shown
from anchorgraph.table import appearing

FORMAT = 2
"""Changes whenever a model of today could not be read as one of before; 1 was skops'."""

KEY = "anchorgraph"
"""Of the header in the file's metadata."""

NO_MODELS = {".csv", ".parquet", ".npy", ".npz", ".mtx", ".html"}
"""Suffixes of other files that the program writes."""


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a file, from which :func:`load` makes it again, here or on another machine.

    The file holds arrays in the safetensors format and plain data: no code, and no objects of Python. It appears when
    it is whole. Results of the model are the same afterwards, to the bit on the same machine.

    Of what has an entry for each row of the fit (``labels_``, ``embedding_``, ``memberships_``, ``subclasses_``), and
    of the rows themselves, only that is saved which new rows need: all of ``LE`` and ``KNNSC``, and the rows for
    ``LPP`` and ``SR`` with a kernel. Anchors are saved always; those of ``NystromSC``, ``SSSC`` and
    ``anchors="random"`` are rows of the data. ``n_jobs`` is not saved, a ``random_state`` only if it is an integer,
    and ``anchors`` that were given as a clusterer are saved as an array.

    Parameters
    ----------
    model : estimator
        A fitted estimator of this package, or a :class:`sklearn.pipeline.Pipeline` of a fitted
        :class:`sklearn.preprocessing.StandardScaler` and one.
    path : path
        By custom with the suffix ``.safetensors``. A file that is there already is replaced.

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
        content.read(_without_format(json.loads(text)), arrays)  # what could not be read is not written
        data = _safetensors("Saving a model").numpy.save(arrays, {KEY: text})
    except RefusedError as error:
        raise ValueError(f"{type(model).__name__} cannot be saved: {error}.") from None
    with appearing(path, len(data)) as unfinished:
        unfinished.write_bytes(data)


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that :func:`save` wrote. Reading runs nothing that is in the file.

    What a file says is checked before it is used: each array's type, shape, range and finiteness against the others,
    and that parameters are plain data. Anything that no model of this package has is refused. Files of pickle, joblib
    and skops are never read.

    Parameters
    ----------
    path : path

    Returns
    -------
    estimator
        Fitted, with ``n_jobs=None``; or the :class:`sklearn.pipeline.Pipeline` that was saved.

    Raises
    ------
    ValueError
        If the file is not a model, or one of another format.

    See Also
    --------
    save : says what a file holds, with an example.
    """
    path = Path(path)
    if not path.is_file():
        what = "is not a regular file" if path.exists() else "does not exist"
        raise FileNotFoundError(f"{path} {what}; pass the path of a file that anchorgraph.save wrote.")
    _refuse_others(path)
    try:
        text, arrays = _read(path)
        header = json.loads(text, parse_constant=_refuse_constant)
        if not isinstance(header, dict) or not {"format", "version"} <= header.keys():
            raise RefusedError("its header has no format")
    except RefusedError as error:
        raise ValueError(f"{path} is not a model of anchorgraph: {_reason(error)}.") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not a model of anchorgraph: its header cannot be read.") from error
    if header["format"] != FORMAT:
        raise ValueError(
            f"{path} has format {shown(header['format'])} of anchorgraph {shown(header['version'])}, and this version "
            f"reads format {FORMAT}; fit the model again and save it."
        )
    try:
        return content.read(_without_format(header), arrays)
    except ValueError as error:
        raise ValueError(f"{path} is not a valid model: {_reason(error)}; save the model again.") from error


def check_model_path(path: Path) -> None:
    """Refuse to begin without what writes a model, or with a path that none can be written to."""
    _safetensors("Saving a model")
    if path.suffix in NO_MODELS or path.is_dir() or not path.parent.is_dir():
        raise ValueError(f"{path} cannot hold a model; name a .safetensors file in an existing folder.")


def _reason(error: Exception) -> str:
    """What an error says, as a part of a sentence."""
    return " ".join(str(error).rstrip(".").split()) or type(error).__name__


def _without_format(header: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in header.items() if key not in ("format", "version")}


def _refuse_others(path: Path) -> None:
    """Say what a file is that is often taken for a model; the ninth byte of a safetensors file is a brace."""
    with path.open("rb") as file:
        start = file.read(9)
    if start[8:] == b"{":
        return
    if start.startswith(b"PK"):
        raise ValueError(
            f"{path} is a zip archive, as models of earlier versions were (skops), which are not read any more; fit "
            "the model again and save it."
        )
    if start[:1] == b"\x80":
        raise ValueError(f"{path} is a pickle file, which is never read, because reading it may run any code.")


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    """The header and all arrays of a file."""
    safetensors = _safetensors(f"Reading {path}")
    try:
        # read, not mapped: a mapped file that becomes shorter would end the process
        with safetensors.safe_open(path, framework="numpy", backend="pread") as file:
            text = (file.metadata() or {}).get(KEY)
            if text is None:
                raise RefusedError("it has no header of ours")
            return text, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (RefusedError, MemoryError):
        raise
    except OSError as error:
        raise OSError(f"{path} could not be read: {error.strerror or error}.") from error
    except Exception as error:  # of safetensors, and of NumPy for types that it does not have
        raise RefusedError(_reason(error)) from error


def _refuse_constant(name: str) -> None:
    raise RefusedError(f"its header has the number {name}")


def _safetensors(task: str) -> Any:
    try:
        import safetensors.numpy
    except ImportError as error:
        raise ImportError(f"{task} requires safetensors: pip install anchorgraph[io].") from error
    return safetensors
