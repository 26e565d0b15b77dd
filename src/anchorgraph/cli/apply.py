"""What predict and transform share: a saved model and new rows in, results in a file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from anchorgraph.cli.files import check_files
from anchorgraph.cli.progress import shown
from anchorgraph.cli.scaling import parts_of, scaled
from anchorgraph.cli.source import open_source
from anchorgraph.cli.summary import tell
from anchorgraph.models import load
from anchorgraph.table import Target


def apply_model(verb: str, model: Path, path: Path, out: Path, *, ids: str | None, quiet: bool, as_json: bool) -> None:
    """Write what ``predict`` or ``transform`` of a saved model makes of the rows of a path.

    Parameters
    ----------
    verb : {"predict", "transform"}
    model, path, out : Path
    ids : str, optional
    quiet, as_json : bool
    """
    estimator, scaler, columns = parts_of(load(model))
    if not hasattr(estimator, verb):
        raise ValueError(f"{model} holds {type(estimator).__name__}, which cannot {verb}; use the other command.")
    source = open_source(path, columns=columns, ids=ids)
    target = Target(out, source.ids)
    check_files({"the input": path, "the model": model}, out=target)
    start = time.perf_counter()
    with shown(quiet or as_json):
        work: Any = getattr(estimator, verb)
        work(scaled(source.table, scaler), out=target)
    summary = {
        "method": type(estimator).__name__,
        "rows": source.table.n_rows,
        "seconds": time.perf_counter() - start,
        "written": str(out),
    }
    tell(summary, quiet=quiet, as_json=as_json)
