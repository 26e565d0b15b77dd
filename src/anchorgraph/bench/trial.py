"""A trial: prepared data, a method with its parameters, and a protocol; it is run once for each seed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

WHOLE = "seconds with scores"
"""The time of a run with all that is measured after the fit."""


@dataclass(frozen=True)
class Trial:
    """A trial, identified by its complete description as text, with its choice of parameters from a grid."""

    text: str
    choice: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def spec(self) -> dict[str, Any]:
        """The description as a dictionary."""
        return dict(json.loads(self.text))


def canonical(spec: dict[str, Any]) -> str:
    """A description as text that does not depend on the order of its keys."""
    return json.dumps(spec, sort_keys=True, ensure_ascii=False)
