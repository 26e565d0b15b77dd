"""The published values of cells."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Printed:
    """A published number with its spread, or text without a number; all empty for cells of a figure."""

    value: float | None = None
    spread: float | None = None
    text: str = ""

    @property
    def wanted(self) -> bool:
        """Whether the paper has a result here: a number, or a point of a figure."""
        return self.value is not None or not self.text


def read_printed(
    lines: dict[str, list[Any]], rows: list[str], columns: list[str], path: Path
) -> dict[tuple[str, str], Printed]:
    """Published values by row and column, from a list of values for each row in the order of the columns.

    Parameters
    ----------
    lines : dict
        The values of every row; empty for a figure.
    rows, columns : list of str
    path : Path
        The file, for error messages.

    Returns
    -------
    dict
    """
    if not lines:
        return {(row, column): Printed() for row in rows for column in columns}
    if set(lines) != set(rows):
        different = ", ".join(sorted(set(lines) ^ set(rows)))
        raise ValueError(f"{path}: the rows of the table and of [printed] differ ({different}).")
    found: dict[tuple[str, str], Printed] = {}
    for row, line in lines.items():
        if len(line) != len(columns):
            raise ValueError(f"{path}: [printed] has {len(line)} values in row {row!r}, but {len(columns)} columns.")
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
