"""Conversion of a fitted StandardScaler to JSON types and arrays, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from anchorgraph.estimators.bases.fields import Field, Floats, Number, Optional
from anchorgraph.models.errors import InvalidModelError
from anchorgraph.models.estimator import read_columns, write_columns
from anchorgraph.models.reading import Reading, check_keys
from anchorgraph.models.writing import Arrays, write_fields

SMALLEST_SCALE = 1e-100
"""Smallest scale by which columns can be divided without overflow."""

PARAMETERS = ["copy", "with_mean", "with_std"]
FITTED: dict[str, Field] = {
    "mean_": Optional(Floats("d")),
    "scale_": Optional(Floats("d")),
    "var_": Optional(Floats("d", squared=True)),
    "n_samples_seen_": Number(above=0),
}


def write(scaler: Any, name: str, arrays: Arrays) -> dict[str, Any]:
    """A fitted scaler as JSON types; its arrays are added to ``arrays``."""
    return {
        "parameters": {key: bool(getattr(scaler, key)) for key in PARAMETERS},
        **write_columns(scaler),
        "fitted": write_fields(FITTED, scaler, f"{name}.fitted", arrays),
    }


def read(value: Any, name: str, reading: Reading) -> StandardScaler:
    """Rebuild a fitted scaler from what :func:`write` returned; raise an error for any other content."""
    check_keys(value, ["parameters", "n_features", "names", "fitted"], name)
    parameters = value["parameters"]
    check_keys(parameters, PARAMETERS, f"{name}.parameters")
    if wrong := [key for key in PARAMETERS if not isinstance(parameters[key], bool)]:
        raise InvalidModelError(f"{name}.parameters.{wrong[0]} must be true or false")
    columns = read_columns(value, name, reading)
    fitted = reading.fields(FITTED, value["fitted"], f"{name}.fitted", {})
    for parameter, attribute in (("with_mean", "mean_"), ("with_std", "scale_")):
        if parameters[parameter] and fitted[attribute] is None:
            raise InvalidModelError(f"{name}.fitted.{attribute} is missing")
    if fitted["scale_"] is not None and not (fitted["scale_"] >= SMALLEST_SCALE).all():
        raise InvalidModelError(f"{name}.fitted.scale_ has values below {SMALLEST_SCALE}")
    fitted["n_samples_seen_"] = np.float64(fitted["n_samples_seen_"])  # scikit-learn reads its shape
    scaler = StandardScaler(**parameters)
    vars(scaler).update(columns | fitted)
    return scaler
