"""Numbers that a model gives to each row."""

from __future__ import annotations

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
    """The scores of the shown rows that a fitted model has kept, and the probability that it can still compute."""
    kept = {
        name: np.asarray(computed_labels(getattr(model, attribute)), dtype=np.float64)[rows.numbers]
        for attribute, name in ATTRIBUTES.items()
        if hasattr(model, attribute)
    }
    if "probability" not in kept and hasattr(model, "predict_proba"):
        largest = np.asarray(on_arrays(model.predict_proba)(rows.inputs), dtype=np.float64).max(axis=1)
        kept = {"probability": np.where(rows.complete, largest, np.nan), **kept}
    return [Score(name, values) for name, values in kept.items()]
