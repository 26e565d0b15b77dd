"""Methods by their names in tables: those of this package, and those of scikit-learn that papers compare with."""

from __future__ import annotations

import inspect
from typing import Any

from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import FunctionTransformer

from anchorgraph.anchors import KMeansAnchors
from anchorgraph.bench.forms import Rows
from anchorgraph.bench.sharing import share_work
from anchorgraph.catalogue import CATALOGUE
from anchorgraph.graph import Adaptive, Gaussian, Inverse, SelfTuning

METHODS: dict[str, Any] = {method.__name__: method for method in CATALOGUE.values()} | {
    "KernelPCA": KernelPCA,
    "KMeans": KMeans,
    "LDA": LinearDiscriminantAnalysis,
    "PCA": PCA,
    "none": FunctionTransformer,
}

PARAMETER_TYPES: dict[str, Any] = {
    "Adaptive": Adaptive,
    "Gaussian": Gaussian,
    "Inverse": Inverse,
    "KMeans": KMeans,
    "KMeansAnchors": KMeansAnchors,
    "SelfTuning": SelfTuning,
}
"""Objects that a parameter may be, as in ``weighting = { Gaussian = { sigma = "local" } }``."""


def make_method(name: str, params: dict[str, Any], data: Rows, seed: int, shared: str | None = None) -> Any:
    """A method for some data, by default with as many clusters, or else components, as there are classes.

    Unconnected parts of graphs are treated as in the papers, ``parts="literal"``, unless ``params`` says otherwise.

    Parameters
    ----------
    name : str
    params : dict
    data : Rows
    seed : int
    shared : str, optional
        What identifies the rows, if work on them is to be shared with other choices of parameters.

    Returns
    -------
    estimator
    """
    if name not in METHODS:
        raise ValueError(f"method = {name!r} is not known; choose one of {', '.join(METHODS)}.")
    accepted = inspect.signature(METHODS[name]).parameters
    size = "n_clusters" if "n_clusters" in accepted else "n_components"
    defaults = {size: data.n_classes, "random_state": seed, "parts": "literal"}
    given = {key: value for key, value in defaults.items() if key in accepted}
    given |= {key: _build_parameter(value, params, seed) for key, value in params.items()}
    return METHODS[name](**(given if shared is None else share_work(given, accepted, shared)))


def _build_parameter(value: Any, params: dict[str, Any], seed: int) -> Any:
    """The value of a parameter; ``{name: parameters}`` becomes an object of :data:`PARAMETER_TYPES`."""
    if not (isinstance(value, dict) and len(value) == 1 and set(value) <= set(PARAMETER_TYPES)):
        return value
    ((name, own),) = value.items()
    if name == "KMeans":
        own = {"n_clusters": params["n_anchors"], "random_state": seed} | own
    return PARAMETER_TYPES[name](**own)


def limit_anchors(params: dict[str, Any], n_rows: int) -> dict[str, Any]:
    """Parameters with at most a quarter as many anchors as rows, for samples."""
    if "n_anchors" not in params:
        return params
    return params | {"n_anchors": min(params["n_anchors"], n_rows // 4)}
