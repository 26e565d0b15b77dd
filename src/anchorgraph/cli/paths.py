"""Files that a command reads: looked for before anything that takes long to import is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def check_paths(command: Any, arguments: Sequence[str]) -> None:
    """Refuse a command line that names files to read which do not exist.

    Typer would import Pydantic first, to turn text into paths, which takes longer than all the rest.

    Parameters
    ----------
    command : click.Command
    arguments : sequence of str
        Of the command.
    """
    if "--help" in arguments:
        return
    given, _, _ = command.make_parser(command.context_class(command)).parse_args(args=list(arguments))
    for name, check in CHECKS.items():
        if isinstance(given.get(name), str):
            check(Path(given[name]))


def check_input(path: Path) -> None:
    """Refuse a path of rows that leads nowhere."""
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; pass the path of a file or of a folder of files.")


def check_model(path: Path) -> None:
    """Refuse a path of a model that leads nowhere."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist; pass a model that 'anchorgraph cluster --save' wrote.")


CHECKS = {"path": check_input, "model": check_model}
"""By the name of a command's parameter."""
