"""Quality against time as an SVG picture: one panel for each data set, a named point for each method.

The picture has its own background, light or dark as the reader's browser prefers, so that it can be read on any page.
"""

import math
import textwrap
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 450, 396
LINE_LENGTH = 60
"""Letters in a line below a panel."""
LEFT, RIGHT, TOP, BOTTOM = 46, 26, 44, 74
"""Margins of a panel, for its title, its axes and what it leaves out."""
SIZE, RADIUS = 12, 5
"""Of letters and points."""
TICKS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000)

STYLE = (
    f"svg{{font:{SIZE}px system-ui,sans-serif}}text{{fill:#59636e}}.back{{fill:#fff}}.grid{{stroke:#d8dee4}}"
    ".peer{fill:#818b98}.ours{fill:#0969da}text.ours{font-weight:600}.lead{stroke:#818b98}.title{fill:#1f2328;"
    "font-weight:600;font-size:14px}@media(prefers-color-scheme:dark){text{fill:#9198a1}.back{fill:#0d1117}"
    ".grid{stroke:#2a313c}.peer{fill:#9198a1}.ours{fill:#58a6ff}.title{fill:#f0f6fc}}"
)


class Point(NamedTuple):
    """A method on a data set."""

    name: str
    seconds: float
    score: float
    is_ours: bool


class Panel(NamedTuple):
    """A data set, its methods, and what is said of those that have no point."""

    title: str
    points: list[Point]
    left_out: str = ""


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other):
        """The area that two rectangles have in common."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0) * max(height, 0)

    def area(self):
        return (self.right - self.left) * (self.bottom - self.top)


FRAME = Box(LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM)


def picture(panels, score_name):
    """All panels side by side."""
    width = WIDTH * len(panels)
    parts = [f'<rect class="back" width="{width}" height="{HEIGHT}" rx="8"/>']
    for number, panel in enumerate(panels):
        parts.append(f'<g transform="translate({WIDTH * number})">{_panel(panel, score_name)}</g>')
    label = f"{score_name} against seconds: {', '.join(panel.title for panel in panels)}"
    head = f'width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" role="img" aria-label="{escape(label)}"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>\n<style>{STYLE}</style>\n{body}\n</svg>\n'


def _panel(panel, score_name):
    to_x, times = _time_axis([point.seconds for point in panel.points])
    to_y, scores = _score_axis([point.score for point in panel.points])
    parts = [_text(LEFT, 24, panel.title, "title")]
    for seconds in times:
        parts.append(_line("grid", to_x(seconds), FRAME.top, to_x(seconds), FRAME.bottom))
        parts.append(_text(to_x(seconds), FRAME.bottom + 16, f"{seconds:g} s", anchor="middle"))
    for score in scores:
        parts.append(_line("grid", FRAME.left, to_y(score), FRAME.right, to_y(score)))
        parts.append(_text(FRAME.left - 6, to_y(score) + 4, f"{score:.1f}", anchor="end"))
    parts.append(_text(FRAME.left - 6, FRAME.top - 8, score_name, anchor="end"))
    for number, line in enumerate(textwrap.wrap(panel.left_out, LINE_LENGTH)):
        parts.append(_text(FRAME.left, FRAME.bottom + 36 + 16 * number, line))
    places = [(to_x(point.seconds), to_y(point.score)) for point in panel.points]
    for point, (x, y), box in zip(panel.points, places, label_boxes(panel.points, places), strict=True):
        kind = "ours" if point.is_ours else "peer"
        end_x, end_y = min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)
        if math.hypot(end_x - x, end_y - y) > 2 * RADIUS:
            parts.append(_line("lead", x, y, end_x, end_y))
        tip = f"{point.name}: {point.seconds:.2f} s, {score_name} {point.score:.3f}"
        circle = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"><title>{escape(tip)}</title></circle>'
        parts += [circle, _name(point, x, box)]
    return "\n".join(parts)


def _name(point, x, box):
    """A name in its box, next to the point however wide the reader's letters are."""
    side = "start" if box.left > x else "end" if box.right < x else "middle"
    end = {"start": box.left, "end": box.right, "middle": (box.left + box.right) / 2}[side]
    return _text(end, box.bottom - 3, point.name, "ours" if point.is_ours else "", side)


def _time_axis(seconds):
    low = max((tick for tick in TICKS if tick < 0.9 * min(seconds, default=1)), default=TICKS[0])
    high = min((tick for tick in TICKS if tick > 1.1 * max(seconds, default=1)), default=TICKS[-1])
    scale = (FRAME.right - FRAME.left) / math.log(high / low)
    ticks = [tick for tick in TICKS if low <= tick <= high]
    return lambda value: FRAME.left + scale * math.log(value / low), ticks


def _score_axis(scores):
    low = max(0.0, math.floor(10 * min(scores, default=0) - 0.2) / 10)
    scale = (FRAME.bottom - FRAME.top) / (1 - low)
    return lambda value: FRAME.bottom - scale * (value - low), [n / 10 for n in range(round(10 * low), 11)]


def label_boxes(points, places):
    """Where each name stands: beside its point, or as near as other names and points allow."""
    taken = [Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in places]
    boxes = []
    for point, (x, y) in zip(points, places, strict=True):
        width = 0.6 * SIZE * len(point.name)
        best = min(_boxes_around(x, y, width), key=lambda box: _cost(box, taken))  # the first of equal ones
        boxes.append(best)
        taken.append(best)
    return boxes


def _boxes_around(x, y, width):
    height = SIZE + 3
    for away in range(5):
        gap = RADIUS + 2 + away * 0.8 * height
        for left, top in (
            (x + gap, y - height / 2),
            (x - gap - width, y - height / 2),
            (x - width / 2, y - gap - height),
            (x - width / 2, y + gap),
            (x + RADIUS, y - gap - height),
            (x + RADIUS, y + gap),
            (x - RADIUS - width, y - gap - height),
            (x - RADIUS - width, y + gap),
        ):
            yield Box(left, top, left + width, top + height)


def _cost(box, taken):
    outside = box.area() - box.overlap(FRAME)
    return round(10 * outside + sum(box.overlap(other) for other in taken), 6)


def _text(x, y, text, kind="", anchor="start"):
    attributes = f' class="{kind}"' if kind else ""
    return f'<text{attributes} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>' if text else ""


def _line(kind, x1, y1, x2, y2):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
