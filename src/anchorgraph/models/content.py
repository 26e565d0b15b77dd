"""What a model file holds: a header of plain data, and arrays."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from anchorgraph.models import estimator as estimators
from anchorgraph.models import scaler as scalers
from anchorgraph.models.reading import Reading, check_keys
from anchorgraph.models.refused import RefusedError
from anchorgraph.models.writing import Arrays


def write(model: Any) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of a fitted method, or of a pipeline of a scaler and one.

    Parameters
    ----------
    model : estimator
        Of this package, or a Pipeline of a StandardScaler and one of this package.

    Returns
    -------
    header : dict
        Of JSON's types alone.
    arrays : dict
    """
    scaler, estimator, steps = _parts(model)
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
    """The model that :func:`write` was given; or a refusal of what somebody else wrote."""
    check_keys(header, ["steps", "scaler", "estimator"], "the header")
    reading, steps = Reading(arrays), header["steps"]
    scaler = None if header["scaler"] is None else scalers.read(header["scaler"], "scaler", reading)
    estimator = estimators.read(header["estimator"], "estimator", reading)
    reading.finish()
    if scaler is None:
        if steps is not None:
            raise RefusedError("steps are named of a model that has none")
        return estimator
    are_names = isinstance(steps, list) and len(steps) == 2 and all(isinstance(name, str) for name in steps)
    if not are_names or steps[0] == steps[1] or any("__" in name or not name for name in steps):
        raise RefusedError("steps are not the names of two steps of a pipeline")
    return Pipeline(list(zip(steps, (scaler, estimator), strict=True)))


def _parts(model: Any) -> tuple[Any, Any, list[str] | None]:
    """The scaler or None, the method, and what they are called in a pipeline."""
    if estimators.is_ours(model):
        return None, model, None
    if type(model) is Pipeline and len(model.steps) == 2:
        names, parts = zip(*model.steps, strict=True)
        if type(parts[0]) is StandardScaler and estimators.is_ours(parts[1]):
            return parts[0], parts[1], list(names)
    raise TypeError(
        f"model is a {type(model).__name__}; pass a fitted estimator of anchorgraph, or a Pipeline of a StandardScaler "
        "and one."
    )
