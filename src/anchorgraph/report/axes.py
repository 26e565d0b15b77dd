"""Axes of charts: round numbers along them, and the place of a value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 340, 220
LEFT, RIGHT, TOP, BOTTOM = 56, 8, 10, 40
"""Margins, for the numbers and names of the axes."""

ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Steps between ticks, times a power of ten."""


def ticks(low: float, high: float, n: int = 5) -> list[float]:
    """About ``n`` round numbers from ``low`` to ``high``; a single number, if both are equal."""
    if not high > low:
        return [low]
    rough = (high - low) / n
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in ROUND if factor * power >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def tick_text(value: float) -> str:
    """A number as an axis shows it: 70,000 or 0.25, without the noise of its last digits."""
    return f"{0.0 if abs(value) < 1e-12 else value:,.6g}"


@dataclass(frozen=True)
class Axes:
    """The area of a chart: values along two axes, and where they are in the picture.

    Attributes
    ----------
    x, y : tuple of float
        The first and the last value of each axis.
    left : float
        Width of the margin for what stands left of the vertical axis.
    height : float
        Of the whole picture.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    left: float = LEFT
    height: float = HEIGHT

    def across(self, value: float) -> float:
        """Where a value of the horizontal axis is."""
        low, high = self.x
        return self.left + (WIDTH - self.left - RIGHT) * (value - low) / ((high - low) or 1)

    def down(self, value: float) -> float:
        """Where a value of the vertical axis is."""
        low, high = self.y
        return self.height - BOTTOM - (self.height - BOTTOM - TOP) * (value - low) / ((high - low) or 1)

    def horizontal(self, title: str, marks: list[tuple[float, str]]) -> str:
        """The lower axis with its name, and a text at each mark."""
        bottom, middle = self.height - BOTTOM, (self.left + WIDTH - RIGHT) / 2
        texts = [label(self.across(value), bottom + 14, text) for value, text in marks]
        name = label(middle, self.height - 6, title, kind="name")
        return "".join(texts) + name + self._line(self.left, bottom, WIDTH - RIGHT, bottom)

    def vertical(self, title: str, marks: list[tuple[float, str]]) -> str:
        """The left axis with its name, and a text and a faint line at each mark."""
        parts = []
        for value, text in marks:
            y = self.down(value)
            parts.append(label(self.left - 6, y + 4, text, "end"))
            parts.append(self._line(self.left, y, WIDTH - RIGHT, y))
        middle = (TOP + self.height - BOTTOM) / 2
        turned = f'transform="translate(11 {middle:.1f}) rotate(-90)"'
        return "".join(parts) + f'<text {turned} text-anchor="middle" class="name">{escape(title)}</text>'

    def _line(self, x1: float, y1: float, x2: float, y2: float) -> str:
        return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" />'

    @property
    def box(self) -> str:
        """The visible part of the plane, for :func:`~anchorgraph.report.svg.svg_frame`."""
        return f"0 0 {WIDTH} {self.height:g}"


def label(x: float, y: float, text: str, anchor: str = "middle", kind: str = "") -> str:
    """A text in a picture: ``anchor`` (start, middle or end) is the part of it that is at the place."""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(text)}</text>'


def numbered(values: list[float]) -> list[tuple[float, str]]:
    """Marks of an axis: values with their texts."""
    return [(value, tick_text(value)) for value in values]
