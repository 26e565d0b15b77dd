"""What is run once for each seed: data in some form, a method with its parameters, and a protocol."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Trial:
    """A trial, by the text that describes it whole, and what it has been chosen from a grid for."""

    text: str
    choice: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def spec(self) -> dict[str, Any]:
        """The description, as data."""
        return dict(json.loads(self.text))


def canonical(spec: dict[str, Any]) -> str:
    """The same text for the same description, whatever its order."""
    return json.dumps(spec, sort_keys=True, ensure_ascii=False)
