"""Small pictures as SVG, in the colours of the page around them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, MARGIN = 480, 180, 14
MOST_BARS = 200


def bars(values: Sequence[float], unit: str, names: Sequence[str] | None = None) -> str:
    """A bar for each value, with its name and number for who points at it."""
    shown = list(values)[:MOST_BARS]
    top, step = max(shown) or 1, WIDTH / len(shown)
    parts = []
    for number, value in enumerate(shown):
        height = (HEIGHT - MARGIN) * value / top
        words = escape(f"{names[number] if names else number}: {value:,.5g} {unit if names else ''}".strip())
        parts.append(
            f'<rect x="{number * step + step * 0.1:.2f}" y="{HEIGHT - height:.2f}" width="{step * 0.8:.2f}" '
            f'height="{height:.2f}"><title>{words}</title></rect>'
        )
        if names:
            middle = number * step + step / 2
            parts.append(
                f'<text x="{middle:.2f}" y="{HEIGHT + 12}" text-anchor="middle">{escape(names[number])}</text>'
            )
    return _picture("".join(parts), f"{len(values)} bars of {unit}")


def line(values: Sequence[float], unit: str) -> str:
    """A line through values, from first to last, with a point at each of a few."""
    low, high = min(values), max(values)
    span, last = (high - low) or 1, max(len(values) - 1, 1)
    places = [
        (WIDTH * number / last, MARGIN + (HEIGHT - 2 * MARGIN) * (1 - (value - low) / span))
        for number, value in enumerate(values)
    ]
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
    points = ""
    if len(values) <= MOST_BARS:
        points = "".join(
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="3"><title>{number + 1}: {value:,.5g}</title></circle>'
            for number, ((x, y), value) in enumerate(zip(places, values, strict=True))
        )
    return _picture(f'<polyline points="{path}" />{points}', f"{unit}, {len(values)} values")


def _picture(content: str, words: str) -> str:
    box = f"-6 -2 {WIDTH + 12} {HEIGHT + 18}"
    return f'<svg viewBox="{box}" role="img" aria-label="{escape(words)}">{content}</svg>'
