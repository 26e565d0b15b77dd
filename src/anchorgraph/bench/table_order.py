"""What a table says as a whole: its means, and the order of its methods."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

from anchorgraph.bench.experiment import Experiment
from anchorgraph.bench.verdict import TOO_FEW, TOO_LONG


def average_cells(cells: list[dict[str, Any]], experiment: Experiment) -> list[dict[str, Any]]:
    """Means of each method over the data that have a result for all methods, ours and the printed ones.

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
    lines: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for cell in cells:
        if "difference" in cell:
            lines[cell[line]][cell[method]] = cell
    names = list(dict.fromkeys(cell[method] for cell in cells if "difference" in cell))
    groups: dict[str, list[dict[str, dict[str, Any]]]] = defaultdict(list)
    for label, by_method in lines.items():
        if len(by_method) == len(names):
            first, _, rest = label.partition(" ")
            groups[f"{experiment.average} {first}" if rest else experiment.average].append(by_method)
    return [
        {
            "line": group,
            "method": name,
            "ours": sum(one[name]["ours"] for one in complete) / len(complete),
            "printed": sum(one[name]["printed"] for one in complete) / len(complete),
            "n_lines": len(complete),
        }
        for group, complete in groups.items()
        for name in names
    ]


def count_same_order(cells: list[dict[str, Any]], methods: str) -> tuple[int, int]:
    """The number of pairs of methods on the same data whose order is the same as in the paper, and of all pairs."""
    method, line = axes(methods)
    known = [cell for cell in cells if "difference" in cell and cell.get("verdict") not in (TOO_FEW, TOO_LONG)]
    pairs = [
        (one["ours"] - other["ours"], one["printed"] - other["printed"])
        for one, other in combinations(known, 2)
        if one[line] == other[line] and one[method] != other[method] and one["printed"] != other["printed"]
    ]
    return sum(ours * printed > 0 for ours, printed in pairs), len(pairs)


def axes(methods: str) -> tuple[str, str]:
    """The names of a cell's axis of methods and of the other one."""
    return ("column", "row") if methods == "columns" else ("row", "column")
