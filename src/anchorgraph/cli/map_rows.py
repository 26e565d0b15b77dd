"""``anchorgraph map``: ``embed`` by AnchorMap, in two dimensions unless others are asked for."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import Any

from anchorgraph.cli.embed import embed


@wraps(embed)
def map_rows(**options: Any) -> None:
    embed(**options, method="anchor_map")


def _signature() -> inspect.Signature:
    """Typer reads the options from it: those of ``embed`` but the method."""
    own = inspect.signature(embed, eval_str=True)
    kept = [option for name, option in own.parameters.items() if name != "method"]
    return own.replace(
        parameters=[option.replace(default=2) if option.name == "components" else option for option in kept]
    )


map_rows.__doc__ = "Lay rows out on a map of two dimensions, similar ones close together, and write their positions."
map_rows.__signature__ = _signature()  # type: ignore[attr-defined]  # read by inspect
