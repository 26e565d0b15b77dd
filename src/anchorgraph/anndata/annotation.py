"""What functions write into an AnnData: their results, the names of groups, and the parameters."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from numbers import Real
from typing import Any

import numpy as np

from anchorgraph.contracts import Integers
from anchorgraph.estimators.bases.method import Method


def build(function: str, method: type[Method], parameters: Mapping[str, Any], **own: Any) -> Any:
    """An estimator with its own parameters of a function, and others; refuses names that it does not have."""
    known = [name for name in method().get_params() if name not in own]
    for name in parameters:
        if name not in known:
            raise TypeError(f"{function} has no parameter {name!r}; use one of {', '.join(known)}.")
    return method(**parameters, **own)


def check_key(adata: Any, function: str, key_added: str, *places: tuple[str, str]) -> None:
    """Refuse to overwrite what another function has written.

    Parameters
    ----------
    adata : AnnData
    function : str
        Name of the function that will write.
    key_added : str
    *places : (str, str)
        The attribute and the key of each result, such as ``("obs", "communities")``.
    """
    if not isinstance(key_added, str) or not key_added:
        raise ValueError(f"key_added must be a string that is not empty; got {key_added!r}.")
    if not is_own(adata, function, key_added):
        check_free(adata, function, *places, ("uns", key_added))


def is_own(adata: Any, function: str, key_added: str) -> bool:
    """Whether the entry of ``uns`` with this key was written by a function."""
    return bool(_author(adata.uns.get(key_added)) == _full_name(function))


def check_free(adata: Any, function: str, *places: tuple[str, str]) -> None:
    """Refuse to write where there is something."""
    for attribute, key in places:
        if key in getattr(adata, attribute):
            raise ValueError(
                f"adata.{attribute}[{key!r}] was not written by {function} and would be lost; pass another key_added, "
                "or delete it first."
            )


def annotate(adata: Any, **results: Mapping[str, Any]) -> None:
    """Write results into the attributes of an AnnData; a view becomes one of its own, as by scanpy's functions."""
    from anndata import ImplicitModificationWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImplicitModificationWarning)
        for attribute, entries in results.items():
            for key, value in entries.items():
                getattr(adata, attribute)[key] = value


def remove_columns(adata: Any, names: Collection[str]) -> None:
    """Remove columns of ``obs``, also where it is read from a file lazily and has no ``del``."""
    if names:
        adata.obs = adata.obs[[name for name in adata.obs.columns if name not in names]].copy()


def described(function: str, model: Method, **others: Any) -> dict[str, Any]:
    """The entry of ``uns``: the parameters but those that are None, as values that ``write_h5ad`` can write."""
    parameters = others | model.get_params(deep=False)
    known = {name: _writable(value) for name, value in parameters.items() if value is not None}
    return {"params": {"function": _full_name(function), **known}}


def named_groups(labels: Integers) -> tuple[list[str], Integers]:
    """The names of the groups that have rows, in the order of their numbers, and the place of each row's among them."""
    numbers = np.unique(labels[labels >= 0])
    codes = np.where(labels >= 0, np.searchsorted(numbers, labels), -1)
    return [str(number) for number in numbers], codes


def categorical(labels: Integers) -> Any:
    """Labels as pandas has them, with strings as names, as scanpy's clusterings; -1 is missing."""
    from pandas import Categorical

    names, codes = named_groups(labels)
    return Categorical.from_codes(codes, names)


def _full_name(function: str) -> str:
    return f"anchorgraph.anndata.{function}"


def _author(entry: Any) -> Any:
    """The function that an entry of ``uns`` is of, or None."""
    parameters = entry.get("params") if isinstance(entry, Mapping) else None
    return parameters.get("function") if isinstance(parameters, Mapping) else None


def _writable(value: Any) -> Any:
    if isinstance(value, str | Real | np.ndarray):
        return value
    return np.asarray(value) if isinstance(value, list | tuple) else str(value)
