"""Numbers that a model gives to each row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats
from anchorgraph.plot.fitted import on_arrays
from anchorgraph.report.shown import ShownRows
from anchorgraph.table import computed_labels

ATTRIBUTES = {"probabilities_": "probability", "outlier_scores_": "outlier score"}
"""Attributes with a number for each row of the fit, and what they are called."""


@dataclass(frozen=True)
class Score:
    """A number for each shown row; NaN where there is none."""

    name: str
    values: Floats


def find_scores(model: Any, rows: ShownRows) -> list[Score]:
    """The scores of the shown rows that a fitted model has kept, and those that it can still compute."""
    kept: dict[str, Floats] = {
        name: np.asarray(computed_labels(getattr(model, attribute)), dtype=np.float64)[rows.numbers]
        for attribute, name in ATTRIBUTES.items()
        if hasattr(model, attribute)
    }
    if "probability" not in kept and hasattr(model, "predict_proba"):
        kept = {"probability": _computed(lambda X: model.predict_proba(X).max(axis=1), rows), **kept}
    if "outlier score" not in kept and hasattr(model, "score_samples") and not _is_graph(model):
        kept["outlier score"] = _computed(lambda X: -model.score_samples(X), rows)
    return [Score(name, values) for name, values in kept.items()]


def _computed(score: Callable[[Any], Any], rows: ShownRows) -> Floats:
    """What a model computes of the shown rows; NaN where values are missing."""
    return np.where(rows.complete, np.asarray(on_arrays(score)(rows.inputs), dtype=np.float64), np.nan)


def _is_graph(model: Any) -> bool:
    """Whether the rows are those of a graph, which have no distances."""
    return getattr(model, "metric", None) in ("precomputed", "affinity")
