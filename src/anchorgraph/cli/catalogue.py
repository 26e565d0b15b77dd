"""``anchorgraph methods`` and ``anchorgraph datasets``."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from anchorgraph.cli import options


def methods(as_json: options.Json = False) -> None:
    """List the methods, with the keys that --method takes."""
    from anchorgraph.estimators import CATALOGUE

    rows = [
        {
            "key": key,
            "name": method.__name__,
            "task": method.card.task + (" from classes" if method.card.supervised else ""),
            "any source": "yes" if method.card.streams else "rows in memory",
            "title": method.card.title,
            "paper": method.card.paper,
        }
        for key, method in CATALOGUE.items()
    ]
    _show(rows, as_json)


def datasets(as_json: options.Json = False) -> None:
    """List the data sets that can be had without a network."""
    from anchorgraph.datasets import available

    _show([{"name": name, "where": where} for name, where in available().items()], as_json)


def _show(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows))
        return
    table = Table(*rows[0], box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row.values())
    width = None if sys.stdout.isatty() else 200  # a pipe has no width to keep to
    Console(highlight=False, markup=False, width=width).print(table)
