"""``anchorgraph methods`` and ``anchorgraph datasets``."""

from __future__ import annotations

import difflib
import json
import sys
from typing import Annotated, Any

import typer

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def methods(
    name: Annotated[str | None, typer.Argument(help="Key or name of a method, to see its parameters.")] = None,
    as_json: options.Json = False,
) -> None:
    """List the methods with their keys for --method, or the parameters of one method for --set."""
    with loading():
        from anchorgraph.catalogue import CATALOGUE
        from anchorgraph.cli.parameters import parameters_of
    if name is None:
        _show([_describe(method) for method in CATALOGUE.values()], as_json)
        return
    method = _find(name, CATALOGUE)
    rows = [
        {
            "parameter": parameter.name,
            "default": parameter.default if as_json else repr(parameter.default),
            "values": parameter.values,
            "what it is": parameter.what,
        }
        for parameter in parameters_of(method)
    ]
    if as_json:
        print(json.dumps(_describe(method) | {"parameters": rows}, default=repr))
        return
    for word, text in _describe(method).items():
        print(f"{word:<11} {text}")
    print()
    _show(rows, as_json)


def datasets(as_json: options.Json = False) -> None:
    """List the data sets that are available without a network."""
    with loading():
        from anchorgraph.datasets import available
    _show([{"name": name, "where": where} for name, where in available().items()], as_json)


def _describe(method: Any) -> dict[str, str]:
    return {
        "key": method.card.key,
        "name": method.__name__,
        "task": method.card.task + (" from classes" if method.card.supervised else ""),
        "any source": "yes" if method.card.streams else "rows in memory",
        "title": method.card.title,
        "paper": method.card.paper,
    }


def _find(name: str, catalogue: dict[str, Any]) -> Any:
    """Find a method by its key or class name, ignoring case."""
    keys = {method.__name__.lower(): key for key, method in catalogue.items()} | {key: key for key in catalogue}
    if name.lower() in keys:
        return catalogue[keys[name.lower()]]
    near = dict.fromkeys(keys[word] for word in difflib.get_close_matches(name.lower(), keys))
    remedy = f"did you mean {' or '.join(near)}?" if near else "'anchorgraph methods' lists them all."
    raise ValueError(f"{name!r} is not a method; {remedy}")


def _show(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(*rows[0], box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row.values())
    width = None if sys.stdout.isatty() else 200  # a pipe has no width
    Console(highlight=False, markup=False, width=width).print(table)
