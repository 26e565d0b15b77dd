"""The summary that a command prints at its end, as a table or as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table


def print_summary(summary: dict[str, Any], *, note: str | None = None, quiet: bool, as_json: bool) -> None:
    """Print a summary on standard output, and a note on standard error; with ``as_json``, both as JSON."""
    if as_json:
        summary |= {} if note is None else {"note": note}
        print(json.dumps(summary, default=_as_json))
    elif not quiet:
        if note is not None:
            print(note, file=sys.stderr)
        table = Table(show_header=False, box=None, pad_edge=False)
        for name, value in summary.items():
            table.add_row(name.replace("_", " "), _format(value))
        Console(highlight=False, markup=False).print(table)


def _as_json(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _format(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_format, value[:20])) + (" …" if len(value) > 20 else "")
    return str(value)
