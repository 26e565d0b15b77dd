"""Load a data set: from a folder, from scikit-learn's bundled ones, or from OpenML."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

FOLDER_VARIABLE = "ANCHORGRAPH_DATA"

OPENML = {
    "connect4": "connect-4",
    "covtype": "covertype",
    "mnist": "mnist_784",
    "sensit": "SensIT-Vehicle-Combined",
    "usps": "USPS",
}
"""Names there of data that have others here."""

N_TRAIN = {"mnist": 60_000}
"""Training rows, where OpenML has them first."""


class DatasetUnavailableError(LookupError):
    """A data set that cannot be had here; the message says why."""


@dataclass(frozen=True)
class Dataset:
    """Rows ``X``, integer labels ``y`` from 0, and how many of the first rows are the usual training set, if any."""

    name: str
    X: Any
    y: np.ndarray
    n_train: int | None = None


def load(name: str) -> Dataset:
    """Load a data set by name.

    The folder that the environment variable ``ANCHORGRAPH_DATA`` names is asked first (``<name>.npz`` with ``X``, or
    the parts of a CSR matrix, and ``y``), then scikit-learn's bundled sets, then OpenML.

    Parameters
    ----------
    name : str

    Returns
    -------
    Dataset

    Raises
    ------
    DatasetUnavailableError
        With the reason, where none of the three has it.
    """
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder and (path := Path(folder) / f"{name}.npz").is_file():
        return _from_file(name, path)
    if (bundled := _from_sklearn(name)) is not None:
        return bundled
    return _from_openml(name, folder)


def available() -> dict[str, str]:
    """Names of data sets that can be had without a network, and where each is."""
    bundled = dict.fromkeys(_bundled(), "scikit-learn")
    folder = os.environ.get(FOLDER_VARIABLE)
    files = sorted(Path(folder).glob("*.npz")) if folder and Path(folder).is_dir() else []
    return bundled | {file.stem: str(file) for file in files}


def _from_file(name: str, path: Path) -> Dataset:
    with np.load(path) as parts:
        if "X" in parts:
            X = parts["X"]
        else:
            X = sparse.csr_array((parts["data"], parts["indices"], parts["indptr"]), shape=tuple(parts["shape"]))
        n_train = int(parts["n_train"]) if "n_train" in parts else None
        return Dataset(name, X, parts["y"].astype(np.intp), n_train)


def _from_sklearn(name: str) -> Dataset | None:
    loader = _bundled().get(name)
    return None if loader is None else Dataset(name, *loader(return_X_y=True))


def _bundled() -> dict[str, Any]:
    from sklearn import datasets

    return {
        "breast_cancer": datasets.load_breast_cancer,
        "digits": datasets.load_digits,
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
    }


def _from_openml(name: str, folder: str | None) -> Dataset:
    from sklearn.datasets import fetch_openml

    try:
        known = {"name": OPENML.get(name, name), "version": "active"}
        X, labels = fetch_openml(**known, as_frame=False, return_X_y=True, n_retries=1)
    except (OSError, ValueError) as error:  # no network, or no such name
        where = f"the folder {folder}" if folder else f"a folder ({FOLDER_VARIABLE} is not set)"
        raise DatasetUnavailableError(
            f"Data set {name!r} is neither in {where} nor bundled with scikit-learn nor to be had from OpenML "
            f"({error})."
        ) from error
    return Dataset(name, X, np.unique(labels, return_inverse=True)[1], N_TRAIN.get(name))
