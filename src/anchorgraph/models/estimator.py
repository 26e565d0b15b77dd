"""Conversion of a fitted method to JSON types and arrays, and back."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from anchorgraph.catalogue import CATALOGUE
from anchorgraph.estimators.bases.fields import Field, Integer, Plain
from anchorgraph.models.errors import InvalidModelError
from anchorgraph.models.reading import Reading, check_keys
from anchorgraph.models.writing import Arrays, write_fields
from anchorgraph.models.writing import write as write_field

N_FEATURES = Integer(at_most=2**53, letter="d")


def is_supported(model: Any) -> bool:
    """Whether a model is a method of this package; instances of subclasses are not."""
    return type(model) in CATALOGUE.values()


def write(model: Any, name: str, arrays: Arrays) -> dict[str, Any]:
    """A fitted method as JSON types; its arrays are added to ``arrays``."""
    parameters = model._parameters_to_save()
    return {
        "method": model.card.key,
        "parameters": {
            key: write_field(_field(type(model), key), value, f"{name}.parameters.{key}", arrays)
            for key, value in parameters.items()
        },
        **write_columns(model),
        "fitted": write_fields(model._fields_to_save(), model, f"{name}.fitted", arrays),
    }


def read(value: Any, name: str, reading: Reading) -> Any:
    """Rebuild a fitted method from what :func:`write` returned; raise an error for any other content."""
    check_keys(value, ["method", "parameters", "n_features", "names", "fitted"], name)
    if not isinstance(value["method"], str) or value["method"] not in CATALOGUE:
        raise InvalidModelError(f"{name}.method is not one of {', '.join(CATALOGUE)}")
    method: Any = CATALOGUE[value["method"]]
    columns = read_columns(value, name, reading)
    known = [key for key in inspect.signature(method).parameters if key != "n_jobs"]
    given = value["parameters"]
    check_keys(given, known, f"{name}.parameters")
    model = method(
        **{key: reading.read(_field(method, key), given[key], f"{name}.parameters.{key}", {}) for key in known}
    )
    vars(model).update(columns | reading.fields(model._fields_to_save(), value["fitted"], f"{name}.fitted", {}))
    return model


def write_columns(model: Any) -> dict[str, Any]:
    """The number of columns that a model was fitted to, and their names or None."""
    names = getattr(model, "feature_names_in_", None)
    return {"n_features": int(model.n_features_in_), "names": None if names is None else list(map(str, names))}


def read_columns(value: dict[str, Any], name: str, reading: Reading) -> dict[str, Any]:
    """The attributes ``n_features_in_`` and, if there are names, ``feature_names_in_`` of scikit-learn."""
    n_features = reading.read(N_FEATURES, value["n_features"], f"{name}.n_features", {})
    names = value["names"]
    if names is None:
        return {"n_features_in_": n_features}
    if not isinstance(names, list) or len(names) != n_features or not all(isinstance(name, str) for name in names):
        raise InvalidModelError(f"{name}.names is not a list of {n_features} strings")
    return {"n_features_in_": n_features, "feature_names_in_": np.array(names, dtype=object)}


def _field(method: Any, parameter: str) -> Field:
    field: Field = method.saved_parameters.get(parameter, Plain())
    return field
