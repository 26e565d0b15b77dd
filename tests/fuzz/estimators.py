"""Every estimator × kinds of data × containers × odd parameters, weights and batches.

A case may have traits, which its name lists: weights, ``partial_fit`` in batches, the metrics ``"cosine"`` and
``"precomputed"``, rows that ``missing="mask"`` leaves out, and sizes of the clusters of BKHK.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph import FSC, LSC, WithOutliers
from anchorgraph.catalogue import CATALOGUE
from fuzz.clear import is_clear
from fuzz.data import CONTAINERS, KINDS, ORDINARY, USUAL_CONTAINERS, USUAL_WEIGHTS, WEIGHTS, anchor_graph
from fuzz.fitting import Fitting, PathOf, clusterer_of
from fuzz.parameters import with_parameters
from fuzz.results import whats_wrong

SCORED = ("communities", "fsc", "lsc", "ongr", "bkhk")
"""Clusterers that ``WithOutliers`` takes."""

__all__ = ["SUBJECTS", "case", "is_clear"]

SUBJECTS = (*CATALOGUE, "with_outliers", "cluster_path")


def case(seed: int) -> tuple[str, Callable[[Path], str | None]]:
    """The name of the case with this seed, such as "fsc, blobs, csr; cosine, weights (huge)", and its work."""
    rng = np.random.default_rng(seed)
    key, kind = str(rng.choice(SUBJECTS)), str(rng.choice(list(KINDS)))
    container = str(rng.choice(USUAL_CONTAINERS if rng.random() < 0.6 else list(CONTAINERS)))
    model = _subject(key, rng)
    traits = _traits(model, rng)
    name = f"{key}, {kind}, {container}" + ("; " + ", ".join(traits) if traits else "")
    return name, lambda folder: _fit_and_look(rng, model, kind, container, traits)


def _subject(key: str, rng: Any) -> Any:
    """An estimator with some of its parameters changed."""
    if key == "with_outliers":
        return with_parameters(rng, WithOutliers(_subject(str(rng.choice(SCORED)), rng)))
    if key == "cluster_path":
        return with_parameters(rng, PathOf(with_parameters(rng, [FSC, LSC][rng.integers(2)]())))
    model = with_parameters(rng, CATALOGUE[key]())
    if "precomputed" in CATALOGUE[key].metrics and rng.random() < 0.12:
        model.set_params(metric="precomputed")
    if key == "anchor_map" and model.n_components == 3 and rng.random() < 0.8:
        model.set_params(n_components=2)  # a map in three dimensions takes seconds
    return model


def _is_supervised(model: Any) -> bool:
    return hasattr(model, "card") and model.card.supervised


def _traits(model: Any, rng: Any) -> list[str]:
    clusterer = clusterer_of(model)
    metric, missing, sizes = (str(getattr(clusterer, name, "")) for name in ("metric", "missing", "sizes"))
    traits = [metric] if metric in ("cosine", "precomputed") else []
    traits += ["mask"] if missing == "mask" else []
    traits += [f"sizes ({sizes})"] if hasattr(clusterer, "sizes") and sizes != "equal" else []
    traits += ["partial_fit"] if hasattr(model, "partial_fit") and rng.random() < 0.25 else []
    if "sample_weight" in inspect.signature(model.fit).parameters and rng.random() < 0.3:
        traits.append(f"weights ({rng.choice(USUAL_WEIGHTS if rng.random() < 0.6 else list(WEIGHTS))})")
    return traits


def _fit_and_look(rng: Any, model: Any, kind: str, container: str, traits: list[str]) -> str | None:
    n, d = int(rng.choice([2, 3, 5, 9, 20, 40, 60])), int(rng.choice([1, 2, 4, 12]))
    n = max(n, 20) if rng.random() < 0.7 else n
    with np.errstate(all="ignore"):
        numbers = _numbers(rng, kind, n, d, traits)
        X = CONTAINERS[container](numbers, rng)
    y = rng.integers(0, int(rng.choice([1, 2, 3])) + 1, n) if _is_supervised(model) else None
    weights = next((WEIGHTS[trait[9:-1]](rng, n) for trait in traits if trait.startswith("weights")), None)
    n_batches = int(rng.integers(2, 4)) if "partial_fit" in traits else 1
    ends = sorted({n, *rng.integers(2, n + 1, n_batches - 1).tolist()})
    fitting = Fitting(model, X, y, weights, ends if "partial_fit" in traits else [])
    with np.errstate(all="ignore"):
        others = _numbers(rng, str(rng.choice(list(KINDS))), 5, d, traits)
    as_sparse = numbers if kind in ORDINARY and container == "float64" else None
    return whats_wrong(fitting, others, as_sparse, rng)


def _numbers(rng: Any, kind: str, n: int, d: int, traits: list[str]) -> Any:
    numbers = KINDS[kind](rng, n, d)
    if "precomputed" in traits and rng.random() < 0.9:
        numbers = anchor_graph(numbers)
    if "mask" in traits and rng.random() < 0.6:
        numbers[rng.random(n) < 0.15] = 0 if "cosine" in traits and rng.random() < 0.5 else np.nan
    return numbers
