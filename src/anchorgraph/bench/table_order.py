"""What a table says as a whole: its means, and the order of its methods."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

from anchorgraph.bench.claims import axes, has_evidence
from anchorgraph.bench.experiment import Experiment


def average_cells(cells: list[dict[str, Any]], experiment: Experiment) -> list[dict[str, Any]]:
    """Means of each method over the data that it has a result for, ours and the printed ones.

    Parameters
    ----------
    cells : list of dict
        Compared cells.
    experiment : Experiment

    Returns
    -------
    list of dict
        With ``method``, ``line`` (the name of the means), ``ours``, ``printed`` and ``n_lines``.
    """
    if not experiment.average:
        return []
    method, line = axes(experiment.methods)
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for cell in cells:
        if _is_printed(cell):
            first, _, rest = cell[line].partition(" ")  # of several axes, the last one is averaged over
            groups[f"{experiment.average} {first}" if rest else experiment.average, cell[method]].append(cell)
    return [
        {
            "line": name,
            "method": label,
            "ours": sum(cell["ours"] for cell in group) / len(group),
            "printed": sum(cell["printed"] for cell in group) / len(group),
            "n_lines": len(group),
        }
        for (name, label), group in groups.items()
    ]


def count_same_order(cells: list[dict[str, Any]], methods: str) -> tuple[int, int]:
    """The number of pairs of methods on the same data whose order is the same as in the paper, and of all pairs."""
    if methods == "none":
        return 0, 0
    _, line = axes(methods)
    pairs = [
        (one["ours"] - other["ours"], one["printed"] - other["printed"])
        for one, other in combinations(filter(_is_printed, cells), 2)
        if (one[line], one["among"]) == (other[line], other["among"]) and one["printed"] != other["printed"]
    ]
    return sum(ours * printed > 0 for ours, printed in pairs), len(pairs)


def _is_printed(cell: dict[str, Any]) -> bool:
    return has_evidence(cell) and cell["printed"] is not None
