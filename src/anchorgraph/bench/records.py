"""Results in an append-only file of JSON lines, one line for each run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from anchorgraph.bench.trial import Trial, canonical


class Records:
    """Results by trial and seed, and the reasons why runs have none.

    Parameters
    ----------
    path : Path
        A file of JSON lines; created with the first result.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[tuple[str, int], dict[str, Any]] = {}
        self._stops: dict[tuple[str, int], dict[str, Any]] = {}
        if path.is_dir():
            raise ValueError(f"{path} is a folder; name a file for the results.")
        self._partial_line = self._read() if path.exists() else b""

    def _read(self) -> bytes:
        """Read the records of the file, and return the incomplete last line that a killed process may have left."""
        content = self._path.read_bytes()
        lines = content[: content.rfind(b"\n") + 1].splitlines() if b"\n" in content else []
        if content and not lines:
            raise ValueError(f"{self._path} contains no records; name another file.")
        for number, line in enumerate(lines, start=1):
            try:
                self._store(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{self._path}: line {number} is not a valid record; name another file.") from error
        return content[content.rfind(b"\n") + 1 :]

    def _store(self, record: dict[str, Any]) -> None:
        key = canonical(record["trial"]), record["seed"]
        if "found" in record:
            self._found[key] = dict(record["found"])
            self._stops.pop(key, None)
        else:
            self._stops[key] = {"why": record["stopped"]["why"], **record["stopped"]}

    def add(self, record: dict[str, Any]) -> None:
        """Append a record and flush it to disk."""
        self._store(record)
        if self._partial_line and self._path.read_bytes().endswith(self._partial_line):
            os.truncate(self._path, self._path.stat().st_size - len(self._partial_line))
        self._partial_line = b""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def found(self, trial: Trial, seed: int) -> dict[str, Any] | None:
        """The measures of a run, or None."""
        return self._found.get((trial.text, seed))

    def stop(self, trial: Trial, seed: int) -> dict[str, Any] | None:
        """Why a run has no measures, or None if it was not tried."""
        return self._stops.get((trial.text, seed))
