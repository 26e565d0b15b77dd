"""Load a data set from a folder, from scikit-learn, or from OpenML."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from anchorgraph.urls import quoted

NAME = re.compile(r"[\w.+()-]+")

FOLDER_VARIABLE = "ANCHORGRAPH_DATA"
"""Environment variable that names the folder of data sets."""

OPENML: dict[str, str] = {
    "connect4": "connect-4",
    "fashion_mnist": "Fashion-MNIST",
    "mnist": "mnist_784",
    "sensit": "SensIT-Vehicle-Combined",
    "usps": "USPS",
}
"""Names on OpenML of data sets that have other names here."""

FOLDER_ONLY: dict[str, str] = {
    "cmu_pie": "11,554 × 1,024: CMU PIE's frontal faces as 32×32 grey values, of 68 persons",
    "emnist_digits": "402,953 × 784: the ten digits of EMNIST ByClass",
    "prostate_ms": "322 × 15,154: mass spectra of serum, of 3 classes",
    "rcv1": "193,844 × 47,236, sparse: Reuters stories of one industry each, of 103 industries",
}
"""Data sets that are nowhere to be downloaded as papers use them, and what their files contain.

scikit-learn's RCV1 is not ongr's: its 103 classes are topics, of which a story has several.
"""

N_TRAIN: dict[str, int] = {"fashion_mnist": 60_000, "mnist": 60_000}
"""Number of training rows of data sets on OpenML in which they are the first rows."""


class DatasetUnavailableError(LookupError):
    """A data set that cannot be loaded; the message says why."""


@dataclass(frozen=True)
class Dataset:
    """A data set in memory.

    Attributes
    ----------
    name : str
    X : (n, d) array or sparse array
        The rows.
    y : (n,) integers
        The class of each row, from 0.
    n_train : int or None
        Number of training rows, which are the first ones; None if there is no usual training set.
    """

    name: str
    X: Any
    y: NDArray[np.integer[Any]]
    n_train: int | None = None


def load(name: str) -> Dataset:
    """Load a data set by name.

    It is looked for in the folder that the environment variable ``ANCHORGRAPH_DATA`` names (a file ``<name>.npz`` with
    ``y`` and either ``X`` or ``data``, ``indices``, ``indptr`` and ``shape`` of a CSR array), then among the data sets
    that scikit-learn includes or downloads, then on OpenML.

    Parameters
    ----------
    name : str
        Name of the data set, for example ``"digits"``.

    Returns
    -------
    Dataset

    Raises
    ------
    DatasetUnavailableError
        If the data set is in none of them.
    """
    if not NAME.fullmatch(name):  # it would be part of a request
        raise DatasetUnavailableError(f"{quoted(name)} is not the name of a data set; see 'anchorgraph datasets'.")
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder and (path := Path(folder) / f"{name}.npz").is_file():
        return _from_file(name, path)
    if (bundled := _from_sklearn(name)) is not None:
        return bundled
    where = f"the folder {folder}" if folder else f"a folder ({FOLDER_VARIABLE} is not set)"
    if name in FOLDER_ONLY:
        raise DatasetUnavailableError(
            f"Data set {name!r} is not in {where}, and cannot be downloaded. Save it as {name}.npz in the folder that "
            f"{FOLDER_VARIABLE} names ({FOLDER_ONLY[name]}; see docs/reproduce.md#data)."
        )
    try:
        return _download(name)
    except (OSError, ValueError) as error:  # no network, or no such name
        raise DatasetUnavailableError(
            f"Data set {name!r} is neither in {where} nor part of scikit-learn, and could not be downloaded ({error}). "
            f"Save it as {name}.npz in the folder that {FOLDER_VARIABLE} names (see docs/reproduce.md#data), or check "
            "the name."
        ) from error


def available() -> dict[str, str]:
    """Names of the data sets that can be loaded without a network connection, and where each is stored."""
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


def _download(name: str) -> Dataset:
    """From scikit-learn's own source for it, if there is one, else from OpenML."""
    from sklearn import datasets

    if name == "covtype":  # of those with this name on OpenML, some have two classes
        X, labels = datasets.fetch_covtype(return_X_y=True, n_retries=1)
    else:
        known = {"name": OPENML.get(name, name), "version": "active"}
        X, labels = datasets.fetch_openml(**known, as_frame=False, return_X_y=True, n_retries=1)
    return Dataset(name, X, np.unique(labels, return_inverse=True)[1], N_TRAIN.get(name))
