"""The method that a command fits, with the parameters from the command line."""

from __future__ import annotations

from typing import Any

from anchorgraph.catalogue import CATALOGUE
from anchorgraph.cli.options import AUTO, Size

SIZES = ("n_clusters", "n_components", "n_anchors")
"""What ``-k`` and ``-p`` set: the first of these that a method has."""


def make_estimator(key: str, tasks: tuple[str, ...], size: Size, settings: dict[str, Any], seed: int) -> Any:
    """The method with this key, for one of these tasks.

    Parameters
    ----------
    key : str
    tasks : tuple of str
        See :class:`~anchorgraph.estimators.bases.card.Card`.
    size : Size
        ``-k`` or ``-p``.
    settings : dict
        Of ``--set``; they count more than the others.
    seed : int
        For methods that have a ``random_state``.

    Returns
    -------
    estimator
    """
    suitable = [name for name, method in CATALOGUE.items() if method.card.task in tasks]
    if key not in suitable:
        raise ValueError(f"--method {key} is not known here; choose one of {', '.join(suitable)}.")
    estimator = CATALOGUE[key]()
    known = estimator.get_params()
    if wrong := next((name for name in settings if name not in known), None):
        raise ValueError(f"--set {wrong}: {type(estimator).__name__} has no such parameter; it has {', '.join(known)}.")
    given: dict[str, Any] = {"random_state": seed} if "random_state" in known else {}
    if size.value is not None:
        given[_size_name(estimator)] = _size(estimator, size)
    return estimator.set_params(**(given | settings))


def size_taken(estimator: Any, size: Size, settings: dict[str, Any]) -> str | None:
    """What was taken for the size of a fitted method and why, where nobody gave it."""
    name, method = _size_name(estimator), type(estimator).__name__
    if size.value is not None or name in settings:
        return None
    found, default = getattr(estimator, f"{name}_", None), getattr(estimator, name)
    if default is None:
        return f"No {size.option} given: took {name}={found}, which {method} derives from the number of rows."
    taken = f"No {size.option} given: took {name}={default}, the default of {method}"
    if name != "n_clusters":
        return f"{taken}."
    by = "" if estimator.card.finds_clusters else f" with --method {_finders()}"
    return f"{taken}; {size.option} {AUTO}{by} finds a number from the data."


def _size_name(estimator: Any) -> str:
    known = estimator.get_params()
    return next(name for name in SIZES if name in known)


def _size(estimator: Any, size: Size) -> int | str | None:
    if size.value != AUTO:
        return size.value
    if not estimator.card.finds_clusters:
        raise ValueError(
            f"{size.option} {AUTO}: {type(estimator).__name__} cannot find the number of clusters; pass a number, or "
            f"use --method {_finders()}."
        )
    return None


def _finders() -> str:
    return " or ".join(key for key, method in CATALOGUE.items() if method.card.finds_clusters)
