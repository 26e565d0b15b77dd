"""What there is to say about each cluster or class: its size, its most typical rows, and what makes it different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import dense, take_rows
from anchorgraph.numerics.missing import are_complete
from anchorgraph.plot.colours import group_colour
from anchorgraph.report.differences import Differences, column_differences, compare_histograms
from anchorgraph.report.groups import Groups
from anchorgraph.report.images import Images
from anchorgraph.report.scores import Score
from anchorgraph.report.shown import ShownRows

MAX_GROUPS = 60
"""Of more groups, the largest are described."""

MAX_MEANS = 2**24
"""Of very wide rows, fewer groups are described: their means are this many numbers."""

N_TYPICAL = 8
N_DIFFERENT = 5
SMALLEST_DIFFERENCE = 0.05
"""In standard deviations; columns that differ less are not named."""


@dataclass(frozen=True)
class Described:
    """The groups that are described, and their shown rows.

    Attributes
    ----------
    groups : Groups
    numbers : (g,) integers
        Of the described groups.
    members : (n,) integers
        Places of rows among the shown ones: those with a group.
    codes : (n,) integers
        Places of their groups in ``numbers``; g for other groups.
    values : (n, d) block
    differences : Differences
    """

    groups: Groups
    numbers: Integers
    members: Integers
    codes: Integers
    values: Block
    differences: Differences


def choose_groups(groups: Groups, rows: ShownRows) -> Described | None:
    """The largest groups, with the statistics of their columns among the shown rows; None if no row has a group."""
    sizes = groups.sizes
    most = max(1, min(MAX_GROUPS, MAX_MEANS // rows.values.shape[1]))
    largest = np.argsort(-sizes, kind="stable")[:most]
    numbers = np.sort(largest[sizes[largest] > 0])
    shown = groups.codes[rows.numbers]
    members = np.flatnonzero(shown >= 0)
    if not len(members):
        return None
    place = np.full(len(groups.names), len(numbers))
    place[numbers] = np.arange(len(numbers))
    codes = place[shown[members]]
    values = rows.values if len(members) == len(rows) else take_rows(rows.values, members)
    return Described(groups, numbers, members, codes, values, column_differences(values, codes, len(numbers)))


def describe_groups(
    found: Described,
    rows: ShownRows,
    row_ids: Sequence[str],
    scores: Sequence[Score],
    names: Sequence[str],
    images: Images | None,
) -> dict[str, Any]:
    """Size, typical rows and differences of each described group.

    Parameters
    ----------
    found : Described
    rows : ShownRows
    row_ids : sequence of str
    scores : sequence of Score
        The rows of the largest probability are the typical ones, and of these the ones nearest to the mean.
    names : sequence of str
        Names of the columns.
    images : Images, optional
        How rows are drawn, if they are images.

    Returns
    -------
    dict
        ``what`` a group is, how many there are (``total``), how many rows of them have missing values (``incomplete``),
        and the ``cards``: ``number``, ``name``, ``colour``,
        ``size``, ``share`` (of the rows with a group), ``typical`` and ``differences``, and for images the pictures
        ``mean`` and ``contrast``.
    """
    sizes = found.groups.sizes
    different = [_most_different(own) for own in found.differences.standardised]
    needed = np.unique(np.concatenate(different))
    values = dict(zip(needed.tolist(), dense(found.values[:, needed]).T.astype(np.float64), strict=True))  # by column
    probability = next((score.values for score in scores if score.name == "probability"), None)
    cards = []
    for place, number in enumerate(found.numbers.tolist()):
        own = np.flatnonzero(found.codes == place)
        typical = _typical(rows, found.members[own], probability)
        card: dict[str, Any] = {
            "number": number,
            "name": found.groups.names[number],
            "colour": group_colour(number),
            "size": int(sizes[number]),
            "share": float(sizes[number] / sizes.sum()),
            "differences": [
                {"column": names[column], **_difference(found, place, column, values[column])}
                for column in different[place].tolist()
            ],
            "typical": [
                {"row": row, "id": row_ids[row], **_values(row, rows, different[place], probability, images)}
                for row in typical.tolist()
            ],
        }
        if images is not None and len(own):
            inside, outside = found.differences.inside[place], found.differences.outside[place]
            card["mean"] = images.picture(inside)
            card["contrast"] = images.difference(np.nan_to_num(inside - outside))
        cards.append(card)
    return {
        "what": found.groups.what,
        "by_probability": probability is not None,
        "total": int(np.count_nonzero(sizes)),
        "incomplete": int(np.count_nonzero(~are_complete(found.values))),
        "cards": cards,
    }


def _most_different(standardised: Floats) -> Integers:
    order = np.argsort(-np.abs(standardised), kind="stable")[:N_DIFFERENT]
    return order[np.abs(standardised[order]) >= SMALLEST_DIFFERENCE]


def _typical(rows: ShownRows, members: Integers, probability: Floats | None) -> Integers:
    """The rows of the largest probability, and among equals those nearest to the mean of the group.

    Rows with missing values are typical only of groups that have no others.
    """
    if rows.complete[members].any():
        members = members[rows.complete[members]]
    if not len(members):
        return members
    own = take_rows(rows.compared, members)
    mean = np.asarray(own.mean(axis=0)).reshape(1, -1)
    distances = euclidean_distances(own, mean)[:, 0]
    clarity = np.zeros(len(members)) if probability is None else np.round(np.nan_to_num(probability[members]), 3)
    chosen: Integers = members[np.lexsort((distances, -clarity))[:N_TYPICAL]]
    return chosen


def _difference(found: Described, place: int, column: int, values: Floats) -> dict[str, Any]:
    """The means of a column in a group and outside it, their standardised difference, and the histograms."""
    return {
        "inside": float(found.differences.inside[place, column]),
        "outside": float(found.differences.outside[place, column]),
        "difference": float(found.differences.standardised[place, column]),
        "histogram": compare_histograms(values, found.codes == place),
    }


def _values(
    row: int, rows: ShownRows, columns: Integers, probability: Floats | None, images: Images | None
) -> dict[str, Any]:
    """The values of a row in some columns, its probability and its picture."""
    values = dense(rows.values[[row]])[0].astype(np.float64)
    told: dict[str, Any] = {"values": [_known(value) for value in values[columns].tolist()]}
    if probability is not None:
        told["probability"] = _known(float(probability[row]))
    if images is not None:
        told["image"] = images.picture(values)
    return told


def _known(value: float) -> float | None:
    """A number, or None in place of NaN, which JSON cannot hold."""
    return value if np.isfinite(value) else None
