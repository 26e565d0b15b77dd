"""Options that several commands share, and functions that read their text. This module imports only Typer."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

Input = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="Parquet, Arrow, CSV, .npy, .npz, .mtx, .h5 or .h5ad file, Zarr array, a folder of these, or a URL.",
    ),
]
Out = Annotated[  # not a Path, which would change URLs
    str | None,
    typer.Option("--out", "-o", help=".csv, .parquet or .npy file or its URL, or a new folder of shards."),
]
RequiredOut = Annotated[
    str, typer.Option("--out", "-o", help=".csv, .parquet or .npy file or its URL, or a new folder of shards.")
]
Columns = Annotated[str | None, typer.Option(help="Columns to read, separated by commas.")]
Column = Annotated[
    list[str] | None,
    typer.Option("--column", help="A column to read, by its exact name; can be repeated. Vectors are read whole."),
]
Drop = Annotated[str | None, typer.Option(help="Columns to leave out, separated by commas.")]
Ids = Annotated[str | None, typer.Option("--id", help="Column of ids, written before the results.")]
Label = Annotated[str | None, typer.Option(help="Column of known classes.")]
Separator = Annotated[str | None, typer.Option(help="Separator of a CSV file, such as ';' or tab; by default found.")]
Decimal = Annotated[str | None, typer.Option(help="Decimal point of a CSV file, '.' or ','; by default found.")]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header", help="Whether a CSV file begins with a line of column names; by default found."
    ),
]
Encoding = Annotated[str, typer.Option(help="Encoding of a CSV file, such as latin-1.")]
Transpose = Annotated[bool, typer.Option("--transpose", help="Read the columns of a .mtx file as rows.")]
Weight = Annotated[str | None, typer.Option(help="Column of the weights of rows: 2 counts as the row twice.")]
Metric = Annotated[str | None, typer.Option(help="Distance between rows: euclidean or cosine.")]
Missing = Annotated[
    str | None, typer.Option(help="Rows with missing values: error, or mask, which gives them the label -1 or NaN.")
]
Scale = Annotated[bool, typer.Option("--scale", help="Scale every column to mean 0 and standard deviation 1 first.")]
Report = Annotated[Path | None, typer.Option(help="Write a page with charts of the result to this .html file.")]
Image = Annotated[
    str | None,
    typer.Option(
        "--image", metavar="HxW", help="Shape of the images that rows are, such as 28x28 or 32x32x3, for the report."
    ),
]
Save = Annotated[Path | None, typer.Option(help="Write the fitted model to this file.")]
Model = Annotated[Path, typer.Option(help="Model file that cluster, embed or map saved.")]
Method = Annotated[str, typer.Option(help="Key of a method; see 'anchorgraph methods'.")]
Level = Annotated[
    int | None,
    typer.Option(
        "--level", min=0, metavar="N", help="Level of clusters, 0 for the finest; by default that of the model."
    ),
]
Levels = Annotated[
    bool, typer.Option("--levels", help="Write the labels of all levels too, as columns level0, level1 and so on.")
]
Settings = Annotated[list[str] | None, typer.Option("--set", help="A parameter of the method: name=value.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same result.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no summary.")]
Json = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]
Records = Annotated[Path, typer.Option("--records", help="File of results; a second call continues from there.")]
Limit = Annotated[float, typer.Option(min=1, help="Time limit of a run in seconds.")]
Enough = Annotated[float, typer.Option(min=0, help="Time in seconds after which no further run of a cell is started.")]
Memory = Annotated[float, typer.Option(min=0.5, help="Memory limit of the process of a cell in GiB.")]
Page = Annotated[Path | None, typer.Option(help="Write tables and figures to this .html or .md file.")]

AUTO = "auto"


@dataclass(frozen=True)
class Size:
    """The requested number of clusters or dimensions.

    Attributes
    ----------
    option : str
        Name of the option, such as ``-k``.
    value : int, "auto" or None
        None if the option was not given.
    """

    option: str
    value: int | str | None


def read_size(name: str, option: str, text: str | None) -> Size:
    """Read a number or ``auto``."""
    if text is None or text == AUTO:
        return Size(option, text)
    try:
        return Size(option, int(text))
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither an integer nor '{AUTO}'.", param_hint=f"'{name}' / '{option}'"
        ) from None


def read_reading(
    separator: str | None, decimal: str | None, header: bool | None, encoding: str, transpose: bool
) -> dict[str, Any]:
    """How a file is read: the arguments ``csv``, those of a :class:`~anchorgraph.CSVFormat`, and ``transpose``."""
    separator = {"tab": "\t", "\\t": "\t"}.get(separator or "", separator)
    csv = {"separator": separator, "decimal": decimal, "header": header, "encoding": encoding}
    return {"csv": csv, "transpose": transpose}


@dataclass(frozen=True)
class ReportOptions:
    """The requested report.

    Attributes
    ----------
    path : Path or None
        None if no report is wanted.
    image : tuple of int, optional
        Shape of the images that rows are.
    command : str, optional
        The command line, for those who want to repeat it.
    """

    path: Path | None
    image: tuple[int, ...] | None
    command: str | None


def read_report(path: Path | None, image: str | None, command: str | None) -> ReportOptions:
    """Read the shape of images, such as ``28x28``, which only a report shows."""
    if image is None:
        return ReportOptions(path, None, command)
    if path is None:
        raise typer.BadParameter("images are shown in a report; pass --report too.", param_hint="'--image'")
    try:
        return ReportOptions(path, tuple(int(part) for part in image.lower().split("x")), command)
    except ValueError:
        raise typer.BadParameter(
            f"{image!r} is not a shape such as 28x28 or 32x32x3.", param_hint="'--image'"
        ) from None


def check_written(levels: bool, out: str | None) -> None:
    """Raise an error if ``--levels`` was passed without ``--out``."""
    if levels and out is None:
        raise typer.BadParameter(
            "the labels of all levels are written to a file; pass --out too.", param_hint="'--levels'"
        )


def split(names: str | None) -> list[str]:
    """Split names at commas."""
    if names is None or not names.strip():
        return [] if names is None else [""]  # a column without a name, as an index of pandas has none
    return [name.strip() for name in names.split(",") if name.strip()]


def read_settings(settings: list[str] | None, **named: str | None) -> dict[str, Any]:
    """Read ``name=value`` pairs; values are Python literals, or else strings. Options of their own are added."""
    found: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    for setting in settings or []:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--set {setting} has no value; pass name=value.")
        try:
            found[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            found[name] = value
    return found
