"""Checks that input files exist, before large packages are imported."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import exists, isfile
from pathlib import Path
from typing import Any

from anchorgraph.urls import shown


def check_paths(command: Any, arguments: Sequence[str]) -> None:
    """Raise an error if an input file of a command line does not exist.

    Typer would import Pydantic to convert text to paths, which takes longer than everything else.

    Parameters
    ----------
    command : click.Command
    arguments : sequence of str
        Arguments of the command.
    """
    if "--help" in arguments:
        return
    given, _, _ = command.make_parser(command.context_class(command)).parse_args(args=list(arguments))
    for name, check in CHECKS.items():
        if isinstance(given.get(name), str):
            check(given[name])


def check_input(path: str) -> None:
    """Raise an error if the path of the rows does not exist; URLs are not looked up."""
    is_there = any(isfile(parent) for parent in Path(path).parents)  # the path of an array goes on in an HDF5 file
    if "://" not in path and not exists(path) and not is_there:
        raise FileNotFoundError(f"{shown(path)} does not exist; pass the path of a file or of a folder of files.")


def check_model(path: str) -> None:
    """Raise an error if the path of the model is not a file."""
    if not isfile(path):
        raise FileNotFoundError(f"{shown(path)} does not exist; pass a model that 'anchorgraph cluster --save' wrote.")


CHECKS = {"path": check_input, "model": check_model}
"""Checks by the name of a parameter of a command."""
