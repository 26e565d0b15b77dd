"""Shared by predict and transform: apply a saved model to new rows, and write the results."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.cli.files import check_output_files
from anchorgraph.cli.levels import check_level, check_levels, columns_of_levels, facts_of_levels
from anchorgraph.cli.progress import show_progress
from anchorgraph.cli.scaling import scale_table, split_pipeline
from anchorgraph.cli.source import open_source
from anchorgraph.cli.summary import print_summary
from anchorgraph.models import load
from anchorgraph.table import as_target, write_rows
from anchorgraph.urls import shown


def apply_model(
    verb: str,
    model: Path,
    path: str,
    out: str,
    *,
    level: int | None = None,
    all_levels: bool = False,
    ids: str | None,
    reading: dict[str, Any],
    quiet: bool,
    as_json: bool,
) -> None:
    """Write the results of ``predict`` or ``transform`` of a saved model on the rows of a path.

    Parameters
    ----------
    verb : {"predict", "transform"}
    model : Path
    path : str
        A path or URL.
    out : str
        A path or URL.
    level : int, optional
        Of clusters.
    all_levels : bool
        Whether the labels of all levels are written too.
    ids : str, optional
    reading : dict
        How the file is read: ``csv`` and ``transpose``.
    quiet, as_json : bool
    """
    estimator, scaler, columns = split_pipeline(load(model))
    if not hasattr(estimator, verb):
        other = "transform" if verb == "predict" else "predict"
        raise ValueError(
            f"{shown(model)} holds {type(estimator).__name__}, which cannot {verb}; use 'anchorgraph {other}'."
        )
    check_levels(estimator, level, all_levels=all_levels)
    check_level(estimator, level)
    source = open_source(path, columns=columns, ids=ids, **reading)
    target = replace(as_target(out), ids=source.ids)
    replaced = check_output_files({"the input": path, "the model": model}, out=target)
    start = time.perf_counter()
    with show_progress(quiet or as_json):
        rows = scale_table(source.table, scaler)
        if all_levels:
            finest = np.asarray(estimator.predict(rows, level=0))
            labels, names = columns_of_levels(estimator, finest, level)
            write_rows([labels], len(labels), target, names)
        else:
            work: Any = getattr(estimator, verb)
            work(rows, out=target, **({} if level is None else {"level": level}))
    summary = {
        "method": type(estimator).__name__,
        **source.facts(),
        "rows": source.table.n_rows,
        "seconds": time.perf_counter() - start,
        "written": shown(out),
        **facts_of_levels(estimator, level),
        **({"replaced": replaced} if replaced else {}),
    }
    print_summary(summary, quiet=quiet, as_json=as_json)
