"""The process of a cell: reads its runs from a line of standard input, and prints a line for each result.

``python -m anchorgraph.bench.worker``
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

from anchorgraph import __version__
from anchorgraph.bench.trial import WHOLE

SHARING = ("clustering", "embedding", "new_rows")
"""Protocols whose runs may share work: the times of others include it, or there is none."""


def main() -> None:
    """Run the trials of one cell until all are done or the time is over."""
    work = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_memory(work["memory"])
    warnings.simplefilter("ignore")  # about unconnected graphs and convergence
    start, failed = time.monotonic(), []
    forms: dict[str, Any] = {}
    for number, (trial, seed) in enumerate(work["runs"]):
        if number and time.monotonic() - start > work["enough"]:
            break
        if trial in failed:  # other seeds would probably fail, too
            continue
        try:
            begun = time.monotonic()
            found = _run(trial, seed, forms, work["shared"])
            outcome = {"found": found | {WHOLE: time.monotonic() - begun}}
        except MemoryError:
            outcome = {"stopped": {"why": "memory", "limit": work["memory"]}}
        except Exception as error:  # any error of a method is the result of the cell
            sentence = f"{type(error).__name__}: {' '.join(str(error).split())}"
            outcome = {"stopped": {"why": "error", "sentence": sentence, "version": __version__}}
        if "stopped" in outcome:
            failed.append(trial)
        print(json.dumps({"trial": trial, "seed": seed, **outcome}), flush=True)


def _end_with_parent() -> None:
    """Exit when standard input is closed, because the parent process has ended."""
    while os.read(0, 1):
        pass
    os._exit(1)


def _limit_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _run(trial: dict[str, Any], seed: int, forms: dict[str, Any], folder: str | None) -> dict[str, Any]:
    from anchorgraph.bench.forms import load_rows, select_rows
    from anchorgraph.bench.methods import limit_anchors, make_method
    from anchorgraph.bench.protocols import PROTOCOLS
    from anchorgraph.bench.sharing import SharedWork
    from anchorgraph.numerics.recall import recalling

    data = trial["data"]
    form = json.dumps({name: data[name] for name in ("load", "make", "sample", "prepare") if name in data})
    if form not in forms:
        forms[form] = load_rows(data)
    rows = select_rows(forms[form], data, seed)
    params = limit_anchors(trial["params"], len(rows.y)) if "sample" in data else trial["params"]
    protocol = PROTOCOLS[trial["protocol"]]
    if folder is None or trial["protocol"] not in SHARING:
        return protocol(rows, make_method(trial["method"], params, rows, seed), seed, **trial["options"])
    with recalling(SharedWork(Path(folder))):
        model = make_method(
            trial["method"], params, rows, seed, shared=f"{__version__} {json.dumps(data)} {trial['protocol']} {seed}"
        )
        return protocol(rows, model, seed, **trial["options"])


if __name__ == "__main__":
    main()
