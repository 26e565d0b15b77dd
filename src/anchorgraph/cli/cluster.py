"""``anchorgraph cluster``."""

from __future__ import annotations

from typing import Annotated

import typer

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def cluster(
    path: options.Input,
    clusters: Annotated[
        str | None,
        typer.Option("--clusters", "-k", metavar="N|auto", help="Number of clusters; auto estimates it from the data."),
    ] = None,
    method: options.Method = "communities",
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
    """Cluster rows, and write the label of each row."""
    size = options.read_size("--clusters", "-k", clusters)
    parameters = options.read_settings(settings)
    with loading():
        import numpy as np

        from anchorgraph.cli.fit import fit_path
        from anchorgraph.cli.method import describe_default_size, make_estimator
        from anchorgraph.cli.summary import print_summary
        from anchorgraph.metrics import clustering_accuracy, nmi
        from anchorgraph.table import write_rows
    estimator = make_estimator(method, ("clustering", "anchors"), size, parameters, seed)
    chosen = {"columns": options.split(columns), "drop": options.split(drop), "ids": ids, "label": label}
    files = {"out": out, "save": save, "report": report}
    fitted = fit_path(estimator, path, **files, scale=scale, quiet=quiet or as_json, chosen=chosen)
    labels = np.asarray(fitted.estimator.labels_)
    if out is not None:
        write_rows([labels], len(labels), fitted.target(out), ["label"])
    fitted.save(save)
    fitted.report(report)
    sizes = np.bincount(labels)
    summary = fitted.summary(written=out, saved=save, report=report) | {"clusters": len(sizes), "sizes": sizes.tolist()}
    if hasattr(fitted.estimator, "modularity_"):
        summary |= {"modularity": fitted.estimator.modularity_}
    if fitted.source.labels is not None:
        classes = np.unique(fitted.source.labels, return_inverse=True)[1]
        summary |= {"accuracy": clustering_accuracy(classes, labels), "nmi": nmi(classes, labels)}
    print_summary(summary, note=describe_default_size(fitted.estimator, size, parameters), quiet=quiet, as_json=as_json)
