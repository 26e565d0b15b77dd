"""``anchorgraph embed``."""

from __future__ import annotations

from typing import Annotated

import typer

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def embed(
    context: typer.Context,
    path: options.Input,
    components: Annotated[
        int | None, typer.Option("--components", "-p", help="Number of dimensions of the embedding.")
    ] = None,
    method: options.Method = "ulge",
    out: options.Out = None,
    columns: options.Columns = None,
    column: options.Column = None,
    drop: options.Drop = None,
    ids: options.Ids = None,
    label: options.Label = None,
    weight: options.Weight = None,
    metric: options.Metric = None,
    missing: options.Missing = None,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    header: options.Header = None,
    encoding: options.Encoding = "utf-8",
    transpose: options.Transpose = False,
    scale: options.Scale = False,
    save: options.Save = None,
    report: options.Report = None,
    image: options.Image = None,
    settings: options.Settings = None,
    seed: options.Seed = 0,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Fit an embedding of rows in few dimensions, and write the embedded rows."""
    size = options.Size("-p", components)
    parameters = options.read_settings(settings, metric=metric, missing=missing)
    page = options.read_report(report, image, context.obj)
    with loading():
        from anchorgraph.cli.files import replacing_together
        from anchorgraph.cli.fit import fit_path
        from anchorgraph.cli.method import describe_default_size, make_estimator
        from anchorgraph.cli.progress import show_progress
        from anchorgraph.cli.summary import print_summary
    estimator = make_estimator(method, ("embedding", "graph"), size, parameters, seed)
    chosen = {
        "columns": [*options.split(columns), *(column or [])],
        "drop": options.split(drop),
        "ids": ids,
        "label": label,
        "weight": weight,
        **options.read_reading(separator, decimal, header, encoding, transpose),
    }
    quietly = quiet or as_json
    fitted = fit_path(estimator, path, out=out, save=save, page=page, scale=scale, quiet=quietly, chosen=chosen)
    with replacing_together():
        if out is not None:
            with show_progress(quietly):
                fitted.embed(out)
        fitted.save(save)
        fitted.report(page, quiet=quietly)
    summary = fitted.summary(written=out, saved=save, report=report) | {
        "dimensions": len(fitted.estimator.get_feature_names_out())
    }
    print_summary(summary, note=describe_default_size(fitted.estimator, size, parameters), quiet=quiet, as_json=as_json)
