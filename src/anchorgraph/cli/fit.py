"""What cluster and embed share: rows in, a fitted method out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anchorgraph.cli.files import check_files
from anchorgraph.cli.progress import shown
from anchorgraph.cli.scaling import fit_scaler, scaled, with_scaler
from anchorgraph.cli.source import Source, open_source
from anchorgraph.models import save
from anchorgraph.numerics.progress import listening
from anchorgraph.numerics.stopwatch import Stopwatch
from anchorgraph.report import summarise, write_page
from anchorgraph.table import MemoryTable, Target


@dataclass(frozen=True)
class Fitted:
    """A fitted method, the rows as it saw them, and how long it took."""

    path: Path
    estimator: Any
    scaler: Any
    source: Source
    rows: Any
    seconds: dict[str, float]

    def summary(self, **files: Path | None) -> dict[str, Any]:
        """What is worth knowing of any method, and the files that were written."""
        return {
            "method": type(self.estimator).__name__,
            "rows": self.source.table.n_rows,
            "columns": self.source.table.n_cols,
            "seconds": sum(self.seconds.values()),
            **{name: str(path) for name, path in files.items() if path is not None},
        }

    def target(self, out: Path) -> Target:
        """Where results go, with the ids beside them."""
        return Target(out, self.source.ids)

    def report(self, path: Path | None) -> None:
        """Write a page of the fit."""
        if path is not None:
            known = {"labels": self.source.labels, "seconds": self.seconds}
            write_page(summarise(self.estimator, self.rows, title=self.path.name, **known), path)

    def save(self, path: Path | None) -> None:
        """Keep the method for new rows."""
        if path is not None:
            save(with_scaler(self.estimator, self.scaler), path)


def fit_path(
    estimator: Any,
    path: Path,
    *,
    out: Path | None,
    save: Path | None,
    report: Path | None,
    scale: bool,
    quiet: bool,
    chosen: dict[str, Any],
) -> Fitted:
    """Fit a method to the rows of a path.

    Parameters
    ----------
    estimator : estimator
    path : Path
    out, save, report : Path, optional
        Refused before the work is done, if they cannot be written to.
    scale, quiet : bool
    chosen : dict
        Columns, see :func:`~anchorgraph.cli.source.open_source`.

    Returns
    -------
    Fitted
    """
    source = open_source(path, **chosen)
    target = None if out is None else Target(out, source.ids)
    check_files({"the input": path}, out=target, save=save, report=report)
    if estimator.card.supervised and source.labels is None:
        raise ValueError(f"{type(estimator).__name__} learns from classes; name their column by --label.")
    watch = Stopwatch()
    with shown(quiet), listening(watch):
        scaler = fit_scaler(source.table) if scale else None
        rows = scaled(source.table, scaler)
        if not estimator.card.streams:
            rows = MemoryTable(rows.rows(), names=rows.names)
        estimator.fit(rows, source.labels if estimator.card.supervised else None)
    watch.stop()
    return Fitted(path, estimator, scaler, source, rows, watch.seconds)
