"""Options that several commands share, and the parameters of methods from the command line."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Annotated, Any

import typer

Input = Annotated[Path, typer.Argument(help="CSV, Parquet, .npy, .npz or .mtx file, Zarr array, or a folder of these.")]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help=".csv, .parquet or .npy file, or a new folder of shards.")
]
OutAlways = Annotated[Path, typer.Option("--out", "-o", help=".csv, .parquet or .npy file, or a new folder of shards.")]
Columns = Annotated[str | None, typer.Option(help="Columns to read, with commas between them.")]
Drop = Annotated[str | None, typer.Option(help="Columns to leave out, with commas between them.")]
Ids = Annotated[str | None, typer.Option("--id", help="Column of ids, written next to the results.")]
Label = Annotated[str | None, typer.Option(help="Column of known classes.")]
Scale = Annotated[bool, typer.Option("--scale", help="Give every column mean 0 and deviation 1 first.")]
Report = Annotated[Path | None, typer.Option(help="Write a page with pictures of the result to this .html file.")]
Save = Annotated[Path | None, typer.Option(help="Write the fitted model to this file.")]
Model = Annotated[Path, typer.Option(help="A model that cluster or embed saved.")]
Method = Annotated[str, typer.Option(help="Key of a method; see 'anchorgraph methods'.")]
Settings = Annotated[list[str] | None, typer.Option("--set", help="A parameter of the method: name=value.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same result.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")]
Json = Annotated[bool, typer.Option("--json", help="The summary as JSON on standard output.")]


def split(names: str | None) -> list[str]:
    """Names that were given with commas between them."""
    return [name.strip() for name in names.split(",") if name.strip()] if names else []


def read_settings(settings: list[str] | None) -> dict[str, Any]:
    """``name=value`` pairs as numbers, None and the like, or else as text."""
    found = {}
    for setting in settings or []:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--set {setting} has no value; pass name=value.")
        try:
            found[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            found[name] = value
    return found


def make_estimator(key: str, tasks: tuple[str, ...], **parameters: Any) -> Any:
    """The method with this key, with those of the parameters that it has and that are given."""
    from anchorgraph.estimators import CATALOGUE

    suitable = [name for name, method in CATALOGUE.items() if method.card.task in tasks]
    if key not in suitable:
        raise ValueError(f"--method {key} is not known here; choose one of {', '.join(suitable)}.")
    method = CATALOGUE[key]()
    known = method.get_params()
    settings = parameters.pop("settings")
    if wrong := next((name for name in settings if name not in known), None):
        raise ValueError(f"--set {wrong}: {type(method).__name__} has no such parameter; it has {', '.join(known)}.")
    given = {name: value for name, value in parameters.items() if name in known and value is not None}
    return method.set_params(**(given | settings))
