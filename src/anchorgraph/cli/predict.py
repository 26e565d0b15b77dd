"""``anchorgraph predict``."""

from __future__ import annotations

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def predict(
    path: options.Input,
    model: options.Model,
    out: options.RequiredOut,
    level: options.Level = None,
    levels: options.Levels = False,
    ids: options.Ids = None,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    header: options.Header = None,
    encoding: options.Encoding = "utf-8",
    transpose: options.Transpose = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Assign new rows to the clusters of a saved model."""
    reading = options.read_reading(separator, decimal, header, encoding, transpose)
    with loading():
        from anchorgraph.cli.apply import apply_model
    apply_model(
        "predict",
        model,
        path,
        out,
        level=level,
        all_levels=levels,
        ids=ids,
        reading=reading,
        quiet=quiet,
        as_json=as_json,
    )
