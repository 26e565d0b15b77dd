"""Fitted models in files that can be read without running code that is in them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anchorgraph
from anchorgraph.table import appearing

FORMAT = 1
"""Changes whenever a model of today could not be read as one of before."""

DATA = {".csv", ".parquet", ".npy", ".npz", ".mtx", ".html"}
"""Suffixes of what is no model."""

OF_THE_FIT = ("labels_", "embedding_", "memberships_", "subclasses_")
"""Attributes with an entry for each row of the fit: new rows do not need them."""


@dataclass(frozen=True)
class SavedModel:
    """A fitted estimator, what was done to its rows before, and the columns that they have, where these have names."""

    estimator: Any
    scaler: Any
    columns: list[str] | None


def save_model(path: Path, model: SavedModel) -> None:
    """Write a fitted estimator without what it has for each row; whole, or not at all.

    Parameters
    ----------
    path : Path
    model : SavedModel
    """
    small = copy.copy(model.estimator)
    if small.card.streams:  # methods on all pairs of rows need theirs for new ones
        for name in OF_THE_FIT:
            vars(small).pop(name, None)
    content = {"format": FORMAT, "version": anchorgraph.__version__, **vars(replace(model, estimator=small))}
    skops = _skops()
    with appearing(path) as unfinished:
        skops.dump(content, unfinished)


def check_model_file(path: Path) -> None:
    """Refuse a place that no model can be written to, or to begin without what writes it."""
    _skops()
    if path.suffix in DATA or path.is_dir() or not path.parent.is_dir():
        raise ValueError(f"--save {path} is no place for a model; name a .skops file in a folder that exists.")


def load_model(path: Path) -> SavedModel:
    """Read what :func:`save_model` wrote; types that are not of this package or of scikit-learn are refused."""
    skops = _skops()
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist; pass a model that 'anchorgraph cluster --save' wrote.")
    try:
        types = skops.get_untrusted_types(file=path)
        if foreign := [name for name in types if not name.startswith("anchorgraph.")]:
            raise ValueError(f"{path} holds {foreign[0]}, which no model of ours does; it is not read.")
        content = skops.load(path, trusted=types)
        number = content["format"]
    except ValueError:
        raise
    except Exception as error:  # of zipfile, json and skops
        raise ValueError(f"{path} is not a model file ({type(error).__name__}: {error}).") from error
    if number != FORMAT:
        raise ValueError(
            f"{path} is of format {number}, written by anchorgraph {content['version']}; this one reads format "
            f"{FORMAT}. Fit the model again."
        )
    return SavedModel(content["estimator"], content["scaler"], content["columns"])


def _skops() -> Any:
    try:
        import skops.io
    except ImportError as error:
        raise ImportError("Model files take skops; install anchorgraph[cli].") from error
    return skops.io
