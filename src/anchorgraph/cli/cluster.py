"""``anchorgraph cluster``."""

from __future__ import annotations

from typing import Annotated

import typer

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def cluster(
    context: typer.Context,
    path: options.Input,
    clusters: Annotated[
        str | None,
        typer.Option("--clusters", "-k", metavar="N|auto", help="Number of clusters; auto estimates it from the data."),
    ] = None,
    method: options.Method = "communities",
    level: options.Level = None,
    levels: options.Levels = False,
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
    """Cluster rows, and write the label of each row."""
    size = options.read_size("--clusters", "-k", clusters)
    parameters = options.read_settings(settings, metric=metric, missing=missing)
    page = options.read_report(report, image, context.obj)
    options.check_written(levels, out)
    with loading():
        import numpy as np

        from anchorgraph.cli.files import replacing_together
        from anchorgraph.cli.fit import fit_path
        from anchorgraph.cli.levels import (
            check_levels,
            columns_of_levels,
            describe_levels,
            facts_of_levels,
            labels_at,
        )
        from anchorgraph.cli.method import describe_default_size, make_estimator
        from anchorgraph.cli.summary import print_summary
        from anchorgraph.metrics import clustering_accuracy, nmi
        from anchorgraph.table import write_rows
    estimator = make_estimator(method, ("clustering", "anchors"), size, parameters, seed)
    check_levels(estimator, level, all_levels=levels)
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
    try:
        labels = labels_at(fitted.estimator, level)
    except ValueError as error:
        if save is None:
            raise
        with replacing_together():
            fitted.save(save)
        raise ValueError(f"{error} The model was saved to {save}; predict takes --level, too.") from None
    with replacing_together():
        if out is not None:
            written, names = labels, ["label"]
            if levels:
                written, names = columns_of_levels(fitted.estimator, labels_at(fitted.estimator, 0), level)
            write_rows([written], len(labels), fitted.target(out), names)
        fitted.save(save)
        fitted.report(page, level=level, quiet=quietly)
    present = labels >= 0
    sizes = np.bincount(labels[present])
    summary = fitted.summary(written=out, saved=save, report=report) | {"clusters": len(sizes), "sizes": sizes.tolist()}
    if not present.all():
        summary |= {"masked": int(np.count_nonzero(~present))}
    facts = facts_of_levels(fitted.estimator, level)
    summary |= facts
    if hasattr(fitted.estimator, "modularity_") and (not facts or facts["level"] == fitted.estimator.level_):
        summary |= {"modularity": fitted.estimator.modularity_}
    if fitted.source.labels is not None:
        classes = np.unique(fitted.source.labels[present], return_inverse=True)[1]
        summary |= {"accuracy": clustering_accuracy(classes, labels[present]), "nmi": nmi(classes, labels[present])}
    note = describe_levels(fitted.estimator, level, is_saved=save is not None) or describe_default_size(
        fitted.estimator, size, parameters
    )
    print_summary(summary, note=note, quiet=quiet, as_json=as_json)
