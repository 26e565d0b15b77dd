"""Shared by cluster, embed and map: fit a method to the rows of a path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sklearn.utils.validation import has_fit_parameter

from anchorgraph.cli.columns import check_labels, read_weights
from anchorgraph.cli.files import check_output_files
from anchorgraph.cli.options import ReportOptions
from anchorgraph.cli.progress import show_progress
from anchorgraph.cli.scaling import fit_scaler, scale_table, with_scaler
from anchorgraph.cli.source import Source, open_source
from anchorgraph.models import save
from anchorgraph.numerics.progress import listening
from anchorgraph.numerics.stopwatch import Stopwatch
from anchorgraph.report import check_image, report
from anchorgraph.table import MemoryTable, Target, as_target, write_rows
from anchorgraph.urls import shown


@dataclass(frozen=True)
class Fitted:
    """A fitted method, its (scaled) training rows, the time of each stage, and the output files that existed before."""

    estimator: Any
    scaler: Any
    source: Source
    rows: Any
    seconds: dict[str, float]
    replaced: list[str]

    def summary(self, **files: Path | str | None) -> dict[str, Any]:
        """Summary that applies to all methods, and the files that were written."""
        return {
            "method": type(self.estimator).__name__,
            **self.source.facts(),
            "rows": self.source.table.n_rows,
            "columns": self.source.table.n_cols,
            "seconds": sum(self.seconds.values()),
            **{name: shown(path) for name, path in files.items() if path is not None},
            **({"replaced": self.replaced} if self.replaced else {}),
        }

    def target(self, out: str) -> Target:
        """The target of the results, with the ids as first column."""
        return replace(as_target(out), ids=self.source.ids)

    def report(self, page: ReportOptions, *, quiet: bool, level: int | None = None) -> None:
        """Write a report on the fit, or on a level of its clusters, with the values of rows before they were scaled."""
        if page.path is None:
            return
        with show_progress(quiet):
            made = report(
                with_scaler(self.estimator, self.scaler),
                self.source.table,
                labels=self.source.labels,
                ids=None if self.source.ids is None else self.source.ids[1],
                image=page.image,
                level=level,
                title=self.source.title,
                command=page.command,
                seconds=self.seconds,
            )
        made.save(page.path)

    def embed(self, out: str) -> None:
        """Write the embedded rows: those of the fit if the method has them, because it may place new rows otherwise."""
        rows, target = getattr(self.estimator, "embedding_", None), self.target(out)
        if rows is None:
            self.estimator.transform(self.rows, out=target)
        else:
            write_rows([rows], len(rows), target, list(self.estimator.get_feature_names_out()))

    def save(self, path: Path | None) -> None:
        """Save the fitted model."""
        if path is not None:
            save(with_scaler(self.estimator, self.scaler), path)


def fit_path(
    estimator: Any,
    path: str,
    *,
    out: str | None,
    save: Path | None,
    page: ReportOptions,
    scale: bool,
    quiet: bool,
    chosen: dict[str, Any],
) -> Fitted:
    """Fit a method to the rows of a path.

    Parameters
    ----------
    estimator : estimator
    path : str
        A path or URL.
    out : str, optional
        A path or URL.
    save : Path, optional
        Output file, which is checked before the fit, as that of the report is.
    page : ReportOptions
    scale, quiet : bool
    chosen : dict
        Arguments of :func:`~anchorgraph.cli.source.open_source`: the choice of columns.

    Returns
    -------
    Fitted
    """
    source = open_source(path, **chosen)
    target = None if out is None else replace(as_target(out), ids=source.ids)
    replaced = check_output_files({"the input": path}, out=target, save=save, report=page.path)
    if page.image is not None:
        check_image(page.image, source.table.n_cols)
    if estimator.card.supervised and source.labels is None:
        raise ValueError(f"{type(estimator).__name__} requires classes; pass the name of their column as --label.")
    if source.weights is not None and not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(f"{type(estimator).__name__} does not weigh rows; leave out --weight.")
    weights = None if source.weights is None else read_weights(source.weights, chosen["weight"], source.table.n_rows)
    masks = getattr(estimator, "missing", None) == "mask"
    if source.labels is not None:
        check_labels(source, chosen["label"], masks=masks, supervised=estimator.card.supervised)
    watch = Stopwatch()
    with show_progress(quiet), listening(watch):
        scaler = fit_scaler(source.table, weights, masks=masks) if scale else None
        rows = scale_table(source.table, scaler)
        if not estimator.card.streams:
            rows = MemoryTable(rows.rows(), names=rows.names)
        weighed = {} if weights is None else {"sample_weight": weights}
        estimator.fit(rows, source.labels if estimator.card.supervised else None, **weighed)
    watch.stop()
    return Fitted(estimator, scaler, source, rows, watch.seconds, replaced)
