"""``anchorgraph transform``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anchorgraph.cli import options
from anchorgraph.cli.apply import apply_model


def transform(
    path: options.Input,
    model: options.Model,
    out: Annotated[Path, typer.Option("--out", "-o", help=".csv, .parquet or .npy file, or a new folder of shards.")],
    ids: options.Ids = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Embed new rows by a saved model."""
    apply_model("transform", model, path, out, ids=ids, quiet=quiet, as_json=as_json)
