"""Bar and line charts as SVG; the page defines their colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from anchorgraph.report.svg import svg_frame

WIDTH, HEIGHT, MARGIN = 480, 180, 14
BOX = f"-6 -2 {WIDTH + 12} {HEIGHT + 18}"
MAX_BARS = 200


def bars(values: Sequence[float], unit: str, names: Sequence[str] | None = None) -> str:
    """A bar for each value, with its name and value as a tooltip."""
    drawn = list(values)[:MAX_BARS]
    largest, step = max(drawn) or 1, WIDTH / len(drawn)
    parts = []
    for number, value in enumerate(drawn):
        height = (HEIGHT - MARGIN) * value / largest
        tooltip = escape(f"{names[number] if names else number}: {value:,.5g} {unit if names else ''}".strip())
        parts.append(
            f'<rect x="{number * step + step * 0.1:.2f}" y="{HEIGHT - height:.2f}" width="{step * 0.8:.2f}" '
            f'height="{height:.2f}"><title>{tooltip}</title></rect>'
        )
        if names:
            middle = number * step + step / 2
            parts.append(
                f'<text x="{middle:.2f}" y="{HEIGHT + 12}" text-anchor="middle">{escape(names[number])}</text>'
            )
    return svg_frame("".join(parts), BOX, f"{len(values)} bars of {unit}")


def line(values: Sequence[float], unit: str) -> str:
    """A line through the values; if there are few, each is marked by a point with a tooltip."""
    low, high = min(values), max(values)
    span, last = (high - low) or 1, max(len(values) - 1, 1)
    positions = [
        (WIDTH * number / last, MARGIN + (HEIGHT - 2 * MARGIN) * (1 - (value - low) / span))
        for number, value in enumerate(values)
    ]
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in positions)
    points = ""
    if len(values) <= MAX_BARS:
        points = "".join(
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="3"><title>{number + 1}: {value:,.5g}</title></circle>'
            for number, ((x, y), value) in enumerate(zip(positions, values, strict=True))
        )
    return svg_frame(f'<polyline points="{path}" />{points}', BOX, f"{unit}, {len(values)} values")
