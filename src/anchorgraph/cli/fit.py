"""What cluster and embed share: rows in, a fitted method out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anchorgraph.cli.model_file import SavedModel, save_model
from anchorgraph.cli.progress import shown
from anchorgraph.cli.scaling import fit_scaler, scaled
from anchorgraph.cli.source import Source, open_source
from anchorgraph.table import Target, unchanged


@dataclass(frozen=True)
class Fitted:
    """A fitted method, the rows as it saw them, and how long it took."""

    estimator: Any
    scaler: Any
    source: Source
    rows: Any
    seconds: float

    def summary(self) -> dict[str, Any]:
        """What is worth knowing of any method."""
        return {
            "method": type(self.estimator).__name__,
            "rows": self.source.table.n_rows,
            "columns": self.source.table.n_cols,
            "seconds": self.seconds,
        }

    def target(self, out: Path) -> Target:
        """Where results go, with the ids beside them."""
        return Target(out, self.source.ids)

    def save(self, path: Path | None) -> None:
        """Keep the method for new rows."""
        if path is not None:
            save_model(path, SavedModel(self.estimator, self.scaler, self.source.table.names))


def fit_path(estimator: Any, path: Path, *, out: Path | None, scale: bool, quiet: bool, **chosen: Any) -> Fitted:
    """Fit a method to the rows of a path.

    Parameters
    ----------
    estimator : estimator
    path : Path
    out : Path, optional
        Refused before the work is done, if it cannot be written to.
    scale, quiet : bool
    **chosen
        Columns, see :func:`~anchorgraph.cli.source.open_source`.

    Returns
    -------
    Fitted
    """
    source = open_source(path, **chosen)
    if out is not None:
        Target(out, source.ids).check()
    if estimator.card.supervised and source.labels is None:
        raise ValueError(f"{type(estimator).__name__} learns from classes; name their column by --label.")
    start = time.perf_counter()
    with shown(quiet):
        scaler = fit_scaler(source.table) if scale else None
        rows = scaled(source.table, scaler)
        if not estimator.card.streams:
            rows = rows.map_rows(unchanged)
        estimator.fit(rows, source.labels if estimator.card.supervised else None)
    return Fitted(estimator, scaler, source, rows, time.perf_counter() - start)
