"""What a paper prints in a cell."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOTHING = "—"
"""Where a paper has no number."""


@dataclass(frozen=True)
class Printed:
    """A number and its spread, or some words instead, as text too; nothing at all in the cells of a figure."""

    value: float | None = None
    spread: float | None = None
    text: str = ""

    @property
    def wanted(self) -> bool:
        """Whether the paper has a result here, be it a number or a point of a curve."""
        return self.value is not None or not self.text


def read_printed(
    lines: dict[str, list[Any]], rows: list[str], columns: list[str], path: Path
) -> dict[tuple[str, str], Printed]:
    """Printed values by row and column, from a list for each row in the order of the columns.

    Parameters
    ----------
    lines : dict
        None for a figure; otherwise a line for every row.
    rows, columns : list of str
    path : Path
        For messages.

    Returns
    -------
    dict
    """
    if not lines:
        return {(row, column): Printed() for row in rows for column in columns}
    if set(lines) != set(rows):
        odd = ", ".join(sorted(set(lines) ^ set(rows)))
        raise ValueError(f"{path}: rows and lines of [printed] are not the same ({odd}).")
    found: dict[tuple[str, str], Printed] = {}
    for row, line in lines.items():
        if len(line) != len(columns):
            raise ValueError(f"{path}: [printed] has {len(line)} values for {row!r} and {len(columns)} columns.")
        found |= {(row, column): _read(value) for column, value in zip(columns, line, strict=True)}
    return found


def _read(value: float | str) -> Printed:
    if isinstance(value, int | float):
        return Printed(float(value), text=f"{value}")
    number, _, spread = value.partition("±")
    try:
        return Printed(float(number), float(spread) if spread else None, value)
    except ValueError:
        return Printed(text=value)
