"""The content of a model file: a header of JSON types, and arrays."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from anchorgraph.models import estimator as estimators
from anchorgraph.models import scaler as scalers
from anchorgraph.models.errors import InvalidModelError
from anchorgraph.models.reading import Reading, check_keys
from anchorgraph.models.writing import Arrays


def write(model: Any) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of a fitted method, or of a pipeline of a scaler and a fitted method.

    Parameters
    ----------
    model : estimator
        A method of this package, or a Pipeline of a StandardScaler and such a method.

    Returns
    -------
    header : dict
        JSON types only.
    arrays : dict
        Arrays by name.
    """
    scaler, estimator, steps = _split(model)
    for part in (scaler, estimator):
        if part is not None:
            check_is_fitted(part)
    arrays: Arrays = {}
    header = {
        "steps": steps,
        "scaler": None if scaler is None else scalers.write(scaler, "scaler", arrays),
        "estimator": estimators.write(estimator, "estimator", arrays),
    }
    return header, arrays


def read(header: Any, arrays: Arrays) -> Any:
    """Rebuild the model from what :func:`write` returned; raise an error for any other content."""
    check_keys(header, ["steps", "scaler", "estimator"], "the header")
    reading, steps = Reading(arrays), header["steps"]
    scaler = None if header["scaler"] is None else scalers.read(header["scaler"], "scaler", reading)
    estimator = estimators.read(header["estimator"], "estimator", reading)
    reading.finish()
    if scaler is None:
        if steps is not None:
            raise InvalidModelError("steps must be null for a model without a scaler")
        return estimator
    are_names = isinstance(steps, list) and len(steps) == 2 and all(isinstance(name, str) for name in steps)
    if not are_names or steps[0] == steps[1] or any("__" in name or not name for name in steps):
        raise InvalidModelError("steps must be two different names of pipeline steps")
    return Pipeline(list(zip(steps, (scaler, estimator), strict=True)))


def _split(model: Any) -> tuple[Any, Any, list[str] | None]:
    """The scaler or None, the method, and the names of both steps if the model is a pipeline."""
    if estimators.is_supported(model):
        return None, model, None
    if type(model) is Pipeline and len(model.steps) == 2:
        names, parts = zip(*model.steps, strict=True)
        if type(parts[0]) is StandardScaler and estimators.is_supported(parts[1]):
            return parts[0], parts[1], list(names)
    raise TypeError(
        f"model is a {type(model).__name__}; pass a fitted estimator of anchorgraph.CATALOGUE, or a Pipeline of a "
        "StandardScaler and such an estimator, or pickle the model."
    )
