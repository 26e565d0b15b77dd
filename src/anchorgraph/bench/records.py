"""What was found, a line for each run, in a file that is only ever added to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from anchorgraph.bench.trial import Trial, canonical


class Records:
    """Results by trial and seed, and why some have none.

    Parameters
    ----------
    path : Path
        A file of JSON lines; made with the first result.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[tuple[str, int], dict[str, Any]] = {}
        self._stops: dict[tuple[str, int], dict[str, Any]] = {}
        if path.is_dir():
            raise ValueError(f"{path} is a folder; name a file for the results.")
        self._torn = self._read() if path.exists() else b""

    def _read(self) -> bytes:
        """Take the records of a file, and return the part of a line at its end that a killed run may have left."""
        content = self._path.read_bytes()
        lines = content[: content.rfind(b"\n") + 1].splitlines() if b"\n" in content else []
        if content and not lines:
            raise ValueError(f"{self._path} holds no records; name another file.")
        for number, line in enumerate(lines, start=1):
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{self._path}: line {number} is no record; name another file.") from error
        return content[content.rfind(b"\n") + 1 :]

    def _take(self, record: dict[str, Any]) -> None:
        key = canonical(record["trial"]), record["seed"]
        if "found" in record:
            self._found[key] = dict(record["found"])
            self._stops.pop(key, None)
        else:
            self._stops[key] = {"why": record["stopped"]["why"], **record["stopped"]}

    def add(self, record: dict[str, Any]) -> None:
        """Write a record, so that nothing that happens afterwards loses it."""
        self._take(record)
        if self._torn and self._path.read_bytes().endswith(self._torn):
            os.truncate(self._path, self._path.stat().st_size - len(self._torn))
        self._torn = b""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def found(self, trial: Trial, seed: int) -> dict[str, Any] | None:
        """The measures of a run, if there are any."""
        return self._found.get((trial.text, seed))

    def stop(self, trial: Trial, seed: int) -> dict[str, Any] | None:
        """Why a run has no measures, if it was tried."""
        return self._stops.get((trial.text, seed))
