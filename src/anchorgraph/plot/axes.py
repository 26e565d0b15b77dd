"""The axes that a display draws on."""

from __future__ import annotations

from typing import Any


def axes_or_new(ax: Any) -> Any:
    """The given axes, or those of a new figure."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Drawing requires matplotlib: pip install anchorgraph[plot].") from error
    return plt.subplots(layout="constrained")[1] if ax is None else ax
