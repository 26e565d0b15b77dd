"""Figures of papers as SVG: curves, scatter plots and matrices; the page defines their colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from anchorgraph.report.svg import svg_frame

WIDTH, HEIGHT, LEFT, BOTTOM = 480, 220, 54, 20
SIDE = 240
LEVELS = 5
FILE_HEIGHT = 200

STYLE = (
    "svg{fill:#2f6db3;font:11px sans-serif}text{fill:#62666b}polyline{fill:none;stroke:#2f6db3;stroke-width:2}"
    "@media(prefers-color-scheme:dark){svg{fill:#7fb2ea}text{fill:#a3a8ae}polyline{stroke:#7fb2ea}}"
)


def curve(names: Sequence[str], values: Sequence[float], label: str) -> str:
    """A line through the values, with their names below and the range at the left."""
    low, high = min(values), max(values)
    span, step = (high - low) or 1.0, (WIDTH - LEFT) / len(values)
    positions = [
        (LEFT + step * (number + 0.5), 10 + (HEIGHT - BOTTOM - 20) * (1 - (value - low) / span))
        for number, value in enumerate(values)
    ]
    parts = [f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in positions)}" />']
    for (x, y), name, value in zip(positions, names, values, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{escape(name)}: {value:.4g}</title></circle>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 4}" text-anchor="middle">{escape(name)}</text>')
    for value, y in ((high, 14), (low, HEIGHT - BOTTOM - 6)) if high > low else ((high, HEIGHT / 2),):
        parts.append(f'<text x="{LEFT - 6}" y="{y:.0f}" text-anchor="end">{value:.3g}</text>')
    return _figure("".join(parts), WIDTH, HEIGHT, label)


def scatter(points: Sequence[Sequence[float]], label: str) -> str:
    """Points (x, y, group) with x and y in [0, 1], a colour for each group, and grey for group -1 (anchors)."""
    groups: dict[int, list[str]] = {}
    for x, y, group in points:
        groups.setdefault(int(group), []).append(f"M{8 + (SIDE - 16) * x:.0f} {8 + (SIDE - 16) * (1 - y):.0f}h0")
    parts = [
        f'<path d="{"".join(dots)}" stroke="{_colour(group)}" stroke-width="{3 if group >= 0 else 6}" '
        'stroke-linecap="round"/>'
        for group, dots in sorted(groups.items(), reverse=True)
    ]
    return _figure("".join(parts), SIDE, SIDE, label)


def _colour(group: int) -> str:
    return f"hsl({(group * 137.508 + 210) % 360:.0f} 65% 50%)" if group >= 0 else "#808080"


def matrix(rows: Sequence[Sequence[float]], label: str) -> str:
    """A matrix of numbers in [0, 1]; larger ones are darker."""
    height, width = len(rows), len(rows[0])
    levels: list[list[str]] = [[] for _ in range(LEVELS)]
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if level := min(LEVELS, round(value**0.5 * LEVELS)):  # the root makes small values visible
                levels[level - 1].append(f"M{j} {i}.5h1")
    parts = [
        f'<path d="{"".join(pixels)}" stroke="currentColor" stroke-opacity="{(level + 1) / LEVELS:.1f}"/>'
        for level, pixels in enumerate(levels)
        if pixels
    ]
    return _figure("".join(parts), width, height, label, 'preserveAspectRatio="none"')


def standalone_svg(svg: str) -> str:
    """A picture for a separate file, with the colours and the size that a page would define."""
    start = svg.index(">") + 1
    width, height = map(float, svg.split('viewBox="0 0 ')[1].split('"')[0].split())
    size = f'width="{FILE_HEIGHT * width / height:.0f}" height="{FILE_HEIGHT}"'
    opened = svg[: start - 1].replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" {size} ', 1)
    return f'{opened} color="#2f6db3"><style>{STYLE}</style>{svg[start:]}\n'


def _figure(content: str, width: int, height: int, label: str, attributes: str = "") -> str:
    return svg_frame(content, f"0 0 {width} {height}", label, f" {attributes}")
