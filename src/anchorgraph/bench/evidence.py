"""Why a result differs from the published one: a sentence for some cells of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Evidence:
    """What was tried for some cells, and the plausible cause of a difference; empty rows or columns mean all."""

    sentence: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def about(self, row: str, column: str) -> bool:
        """Whether it speaks of a cell."""
        return (not self.rows or row in self.rows) and (not self.columns or column in self.columns)


def read_evidence(
    entries: Iterable[dict[str, Any]], rows: list[str], columns: list[str], path: Path
) -> tuple[Evidence, ...]:
    """Evidence from the entries ``[[evidence]]`` of an experiment.

    Parameters
    ----------
    entries : iterable of dict
        Each with ``sentence``, and with ``rows`` or ``columns`` if it is not about all of them.
    rows, columns : list of str
        Those of the table.
    path : Path
        The file, for error messages.

    Returns
    -------
    tuple of Evidence
    """
    found = []
    for entry in entries:
        one = Evidence(entry["sentence"], tuple(entry.get("rows", ())), tuple(entry.get("columns", ())))
        if unknown := (set(one.rows) - set(rows)) | (set(one.columns) - set(columns)):
            raise ValueError(f"{path}: [[evidence]] names {min(unknown)!r}, which is no row or column of the table.")
        found.append(one)
    return tuple(found)
