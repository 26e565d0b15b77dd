"""Levels of clusters, from the finest to the coarsest: the choice of one, and the columns of all."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.catalogue import CATALOGUE
from anchorgraph.contracts import Integers
from anchorgraph.table import count


def check_levels(estimator: Any, level: int | None, *, all_levels: bool) -> None:
    """Raise an error if ``--level`` or ``--levels`` was passed for a method without levels."""
    if (level is not None or all_levels) and not hasattr(type(estimator), "levels_"):
        option = "--levels" if level is None else "--level"
        able = [key for key, method in CATALOGUE.items() if hasattr(method, "levels_")]
        raise ValueError(
            f"{option}: {type(estimator).__name__} has no levels; leave it out, or use a model of --method "
            f"{' or '.join(able)}."
        )


def check_level(estimator: Any, level: int | None) -> None:
    """Raise an error if a fitted method has no such level."""
    if level is not None and level >= len(estimator.levels_):
        raise ValueError(f"--level {level} does not exist; there {_are(estimator)}.")


def labels_at(estimator: Any, level: int | None) -> Integers:
    """(n,) labels of the rows of the fit at a level, by default those of the method."""
    check_level(estimator, level)
    return np.asarray(estimator.labels_ if level is None else estimator.levels_[level].labels)


def columns_of_levels(estimator: Any, finest: Integers, level: int | None) -> tuple[Integers, list[str]]:
    """The labels of a level, those of all levels as further columns, and the names of the columns.

    Parameters
    ----------
    estimator : fitted estimator
    finest : (n,) integers
        Labels of level 0; -1 is none, at all levels.
    level : int or None
        By default that of the method.

    Returns
    -------
    columns : (n, 1 + q) integers
    names : list of str
        ``label``, ``level0``, ``level1``, …
    """
    columns = [finest]
    for parents in estimator.tree_:
        columns.append(np.append(parents, -1).astype(np.int32)[columns[-1]])
    names = ["label", *(f"level{number}" for number in range(len(columns)))]
    labels = columns[estimator.level_ if level is None else level]
    return np.column_stack([labels, *columns]).astype(np.int32, copy=False), names


def facts_of_levels(estimator: Any, level: int | None) -> dict[str, Any]:
    """What a summary says about levels: nothing if there is only one."""
    levels = getattr(estimator, "levels_", ())
    if len(levels) < 2:
        return {}
    return {"levels": [own.n_clusters for own in levels], "level": estimator.level_ if level is None else level}


def describe_levels(estimator: Any, level: int | None, *, is_saved: bool) -> str | None:
    """Sentences on the levels of a method that chose one by itself, or of a saved one that will; otherwise None."""
    saved = (
        f"The saved model has all levels; predict needs --level {level}, too." if is_saved and level is not None else ""
    )
    if level == getattr(estimator, "level_", None):
        saved = ""
    if not facts_of_levels(estimator, level) or estimator.n_clusters is not None:
        return saved or None
    reason = "its persistence" if estimator.resolution is None else f"resolution={estimator.resolution}"
    choice = (
        f"Level {estimator.level_} was chosen by {reason}; --level chooses another, -k another number."
        if level is None
        else f"Without --level, level {estimator.level_} is chosen by {reason}."
    )
    return f"{_are(estimator).partition(' ')[2]}. {choice} {saved}".rstrip()


def _are(estimator: Any) -> str:
    """The end of a sentence: ``are 3 levels of clusters: 144, 34 and 12 (--level 0, 1, 2)``."""
    *others, last = (f"{level.n_clusters:,}" for level in estimator.levels_)
    numbers = f"{', '.join(others)} and {last}" if others else last
    places = ", ".join(str(place) for place in range(len(others) + 1))
    verb = "are" if others else "is"
    return f"{verb} {count(len(others) + 1, 'level')} of clusters: {numbers} (--level {places})"
