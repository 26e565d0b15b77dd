"""Options that several commands share, and how their text is read. Importing this costs Typer alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass
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
Records = Annotated[Path, typer.Option("--records", help="Where results are kept; a second call goes on from there.")]
Limit = Annotated[float, typer.Option(min=1, help="Seconds that a run may take.")]
Enough = Annotated[float, typer.Option(min=0, help="Begin no run of a cell after so many seconds.")]
Memory = Annotated[float, typer.Option(min=0.5, help="GiB that the process of a cell may allocate.")]
Page = Annotated[Path | None, typer.Option(help="Write tables and figures to this .html or .md file.")]

AUTO = "auto"


@dataclass(frozen=True)
class Size:
    """How many clusters or dimensions were asked for.

    Attributes
    ----------
    option : str
        Such as ``-k``.
    value : int, "auto" or None
        None, where the option was not given.
    """

    option: str
    value: int | str | None


def read_size(name: str, option: str, text: str | None) -> Size:
    """A number, or ``auto``."""
    if text is None or text == AUTO:
        return Size(option, text)
    try:
        return Size(option, int(text))
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither an integer nor '{AUTO}'.", param_hint=f"'{name}' / '{option}'"
        ) from None


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
