"""``anchorgraph embed``."""

from __future__ import annotations

from typing import Annotated

import typer

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def embed(
    path: options.Input,
    components: Annotated[
        int | None, typer.Option("--components", "-p", help="Number of dimensions of the embedding.")
    ] = None,
    method: options.Method = "ulge",
    out: options.Out = None,
    columns: options.Columns = None,
    drop: options.Drop = None,
    ids: options.Ids = None,
    label: options.Label = None,
    scale: options.Scale = False,
    save: options.Save = None,
    report: options.Report = None,
    settings: options.Settings = None,
    seed: options.Seed = 0,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Fit an embedding of rows in few dimensions, and write the embedded rows."""
    size = options.Size("-p", components)
    parameters = options.read_settings(settings)
    with loading():
        from anchorgraph.cli.fit import fit_path
        from anchorgraph.cli.method import describe_default_size, make_estimator
        from anchorgraph.cli.progress import show_progress
        from anchorgraph.cli.summary import print_summary
    estimator = make_estimator(method, ("embedding", "graph"), size, parameters, seed)
    chosen = {"columns": options.split(columns), "drop": options.split(drop), "ids": ids, "label": label}
    files = {"out": out, "save": save, "report": report}
    fitted = fit_path(estimator, path, **files, scale=scale, quiet=quiet or as_json, chosen=chosen)
    if out is not None:
        with show_progress(quiet or as_json):
            fitted.estimator.transform(fitted.rows, out=fitted.target(out))
    fitted.save(save)
    fitted.report(report)
    summary = fitted.summary(written=out, saved=save, report=report) | {
        "dimensions": len(fitted.estimator.get_feature_names_out())
    }
    print_summary(summary, note=describe_default_size(fitted.estimator, size, parameters), quiet=quiet, as_json=as_json)
