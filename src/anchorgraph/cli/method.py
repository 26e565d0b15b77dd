"""The method that a command fits, with the parameters from the command line."""

from __future__ import annotations

from typing import Any

from anchorgraph.catalogue import CATALOGUE
from anchorgraph.cli.options import AUTO, Size
from anchorgraph.table import count

SIZES = ("n_clusters", "n_components", "n_anchors")
"""``-k`` and ``-p`` set the first of these parameters that a method has; one without them fits neither command."""

OWN_OPTIONS = ("metric", "missing")
"""Parameters of some methods with an option of the same name."""


def make_estimator(key: str, tasks: tuple[str, ...], size: Size, settings: dict[str, Any], seed: int) -> Any:
    """Create the method with this key, which must be for one of these tasks.

    Parameters
    ----------
    key : str
    tasks : tuple of str
        See :class:`~anchorgraph.estimators.bases.card.Card`.
    size : Size
        ``-k`` or ``-p``.
    settings : dict
        Parameters from ``--set``, which override the other arguments.
    seed : int
        ``random_state`` of methods that have this parameter.

    Returns
    -------
    estimator
    """
    suitable = [name for name, method in CATALOGUE.items() if method.card.task in tasks and _size_name(method())]
    if key not in suitable:
        raise ValueError(f"--method {key} is not available for this command; choose one of {', '.join(suitable)}.")
    estimator: Any = CATALOGUE[key]()
    known = estimator.get_params()
    if wrong := next((name for name in settings if name not in known), None):
        if wrong in OWN_OPTIONS:
            able = [name for name in suitable if wrong in CATALOGUE[name]().get_params()]
            raise ValueError(
                f"--{wrong}: {type(estimator).__name__} has no parameter {wrong}; leave it out, or use --method "
                f"{_either(able)}."
            )
        raise ValueError(
            f"--set {wrong}: {type(estimator).__name__} has no such parameter; its parameters are {', '.join(known)}."
        )
    given: dict[str, Any] = {"random_state": seed} if "random_state" in known else {}
    if size.value is not None:
        given[_size_name(estimator)] = _size(estimator, size)
    return estimator.set_params(**(given | settings))


def describe_default_size(estimator: Any, size: Size, settings: dict[str, Any]) -> str | None:
    """A sentence on the number of clusters or dimensions that was used if it was not given, otherwise None."""
    name, method = _size_name(estimator), type(estimator).__name__
    if size.value is not None or name in settings:
        return None
    found: Any = getattr(estimator, f"{name}_", None)
    default = getattr(estimator, name)
    if default is None and estimator.card.finds_clusters:
        clusters = count(int(found), "cluster")
        return f"{size.option} was not given: {method} found {clusters}; pass {size.option} for another number."
    if default is None:
        return f"{size.option} was not given: used {name}={found}, which {method} derives from the number of rows."
    used = f"{size.option} was not given: used {name}={default}, the default of {method}"
    if name != "n_clusters":
        return f"{used}."
    condition = "" if estimator.card.finds_clusters else f" with --method {_auto_methods()}"
    return f"{used}; {size.option} {AUTO}{condition} estimates the number from the data."


def _size_name(estimator: Any) -> str:
    """The name of the parameter that ``-k`` or ``-p`` sets; empty if there is none."""
    known = estimator.get_params()
    return next((name for name in SIZES if name in known), "")


def _size(estimator: Any, size: Size) -> int | str | None:
    if size.value != AUTO:
        return size.value
    if not estimator.card.finds_clusters:
        raise ValueError(
            f"{size.option} {AUTO}: {type(estimator).__name__} cannot estimate the number of clusters; pass a number, "
            f"or use --method {_auto_methods()}."
        )
    return None


def _auto_methods() -> str:
    return _either([key for key, method in CATALOGUE.items() if method.card.finds_clusters])


def _either(keys: list[str]) -> str:
    *others, last = keys
    return f"{', '.join(others)} or {last}"
