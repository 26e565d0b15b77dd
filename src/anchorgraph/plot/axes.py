"""The axes that a display draws on, and how users change what is drawn."""

from __future__ import annotations

from typing import Any


def axes_or_new(ax: Any) -> Any:
    """The given axes, or those of a new figure."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError('Drawing requires matplotlib: pip install "anchorgraph[plot]".') from error
    return plt.subplots(layout="constrained")[1] if ax is None else ax


def with_defaults(options: dict[str, Any], artist: Any, **defaults: Any) -> dict[str, Any]:
    """Options of an artist by their full names, and defaults for those that are not given under any name."""
    from matplotlib.cbook import normalize_kwargs

    return {**defaults, **normalize_kwargs(options, artist)}


def only_integer_ticks(axis: Any) -> None:
    """Let the ticks of an axis be integers, unless it has a scale or ticks of its own."""
    from matplotlib.ticker import MaxNLocator

    locator = axis.get_major_locator()
    if isinstance(locator, MaxNLocator):
        locator.set_params(integer=True)
