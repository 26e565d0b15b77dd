"""Charts as SVG, with axes; the page defines their colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from anchorgraph.report.axes import BOTTOM, LEFT, RIGHT, TOP, WIDTH, Axes, label, numbered, ticks
from anchorgraph.report.svg import svg_frame
from anchorgraph.table import count

MAX_BARS = 200
BAR = 26
"""Height of a horizontal bar with its distance to the next one."""

LETTER = 6.2
"""Width of a letter, for the margin of names."""

MAX_LETTERS = 24
"""Of a name beside a bar."""

SMALL_WIDTH, SMALL_HEIGHT = 120, 30


def bars(values: Sequence[float], names: Sequence[str], x: str, y: str, colours: Sequence[str] = ()) -> str:
    """A vertical bar for each value, with its name and value as a tooltip.

    Parameters
    ----------
    values : sequence of float
        At least 0. The first 200 are drawn.
    names : sequence of str
    x, y : str
        Names of the axes.
    colours : sequence of str
        One for each bar; by default they have that of the page.
    """
    drawn = list(values)[:MAX_BARS]
    axes = Axes((0, len(drawn)), (0, max(drawn) or 1))
    shapes = []
    for number, value in enumerate(drawn):
        left, right = axes.across(number + 0.1), axes.across(number + 0.9)
        fill = f' style="fill:{escape(colours[number])}"' if colours else ""
        tooltip = escape(f"{names[number]}: {value:,.5g}")
        shapes.append(
            f'<rect x="{left:.2f}" y="{axes.down(value):.2f}" width="{right - left:.2f}" '
            f'height="{axes.down(0) - axes.down(value):.2f}"{fill}><title>{tooltip}</title></rect>'
        )
    every = -(-max(len(drawn), 1) * max(max(map(len, names[: len(drawn)])), 2) * LETTER // (WIDTH - LEFT))
    marks = [(number + 0.5, names[number]) for number in range(0, len(drawn), int(max(every, 1)))]
    frame = axes.vertical(y, numbered(ticks(*axes.y))) + axes.horizontal(x, marks)
    return svg_frame(frame + "".join(shapes), axes.box, f"{len(drawn)} bars: {y} by {x}")


def histogram(counts: Sequence[int], low: float, high: float, x: str, y: str) -> str:
    """Bars without gaps over equal parts of the range from ``low`` to ``high``."""
    axes = Axes((low, high), (0, max(counts) or 1))
    step = (high - low) / len(counts)
    shapes = []
    for number, n_rows in enumerate(counts):
        left, right = low + number * step, low + (number + 1) * step
        shapes.append(
            f'<rect x="{axes.across(left) + 0.5:.2f}" y="{axes.down(n_rows):.2f}" '
            f'width="{axes.across(right) - axes.across(left) - 1:.2f}" height="{axes.down(0) - axes.down(n_rows):.2f}">'
            f"<title>{left:.3g} to {right:.3g}: {n_rows:,}</title></rect>"
        )
    frame = axes.vertical(y, numbered(ticks(*axes.y))) + axes.horizontal(x, numbered(ticks(low, high)))
    return svg_frame(frame + "".join(shapes), axes.box, f"Histogram: {y} by {x}")


def horizontal_bars(values: Sequence[float], names: Sequence[str], x: str, unit: str) -> str:
    """A horizontal bar for each value, between its name and its value."""
    shown = [name if len(name) <= MAX_LETTERS else f"{name[: MAX_LETTERS - 1]}…" for name in names]
    left = 10 + LETTER * max(map(len, shown))
    axes = Axes((0, (max(values) or 1) * 1.22), (0, len(values)), left, TOP + BAR * len(values) + BOTTOM)
    shapes = []
    for number, (value, name) in enumerate(zip(values, shown, strict=True)):
        top, middle = TOP + BAR * number + 4, TOP + BAR * (number + 0.5) + 4
        width = max(axes.across(value) - left, 1)
        shapes.append(label(left - 6, middle, name, "end"))
        shapes.append(f'<rect x="{left:.1f}" y="{top}" width="{width:.2f}" height="{BAR - 8}" />')
        shapes.append(label(left + width + 5, middle, f"{value:,.3g} {unit}", "start"))
    marks = numbered(ticks(0, max(values) or 1, 4))
    return svg_frame("".join(shapes) + axes.horizontal(x, marks), axes.box, f"{len(values)} bars: {x}")


def line(
    values: Sequence[float],
    x: str,
    y: str,
    *,
    numbers: Sequence[int] | None = None,
    mark: tuple[float, str] | None = None,
) -> str:
    """A line through values.

    Parameters
    ----------
    values : sequence of float
        If there are few, each is marked by a point with a tooltip.
    x, y : str
        Names of the axes.
    numbers : sequence of int, optional
        Where the values are on the horizontal axis, ascending; by default they are numbered from 1.
    mark : tuple of float and str, optional
        A place on the horizontal axis that is marked, and what it is.
    """
    numbers = range(1, len(values) + 1) if numbers is None else numbers
    low, high = min(values), max(values)
    space = (high - low) * 0.06 or 0.5
    axes = Axes((numbers[0] - 0.5, numbers[-1] + 0.5), (low - space, high + space))
    positions = [(axes.across(number), axes.down(value)) for number, value in zip(numbers, values, strict=True)]
    shapes = [f'<polyline points="{" ".join(f"{across:.1f},{down:.1f}" for across, down in positions)}" />']
    if mark is not None:
        middle, bottom = axes.across(mark[0]), axes.down(low - space)
        shapes.append(f'<line class="mark" x1="{middle:.1f}" y1="{TOP}" x2="{middle:.1f}" y2="{bottom:.1f}" />')
        aside, anchor = (5, "start") if mark[0] <= (numbers[0] + numbers[-1] + 1) / 2 else (-5, "end")  # where it fits
        shapes.append(label(middle + aside, TOP + 10, mark[1], anchor, "mark"))
    if len(values) <= MAX_BARS:
        shapes += [
            f'<circle cx="{across:.1f}" cy="{down:.1f}" r="3"><title>{number}: {value:,.5g}</title></circle>'
            for number, (across, down), value in zip(numbers, positions, values, strict=True)
        ]
    whole = [value for value in ticks(numbers[0], numbers[-1], 6) if value == round(value)]
    frame = axes.vertical(y, numbered(ticks(*axes.y))) + axes.horizontal(x, numbered(whole))
    return svg_frame(frame + "".join(shapes), axes.box, f"{y} by {x}, {len(values)} values")


def merging_tree(
    names: Sequence[str],
    rows: Sequence[int],
    merges: Sequence[tuple[Sequence[int], float]],
    y: str,
    *,
    marks: list[tuple[float, str]] | None = None,
    chosen: float | None = None,
) -> str:
    """A tree from groups side by side to one, in which parts meet at a height.

    Parameters
    ----------
    names : sequence of str
        Names of the g groups, from left to right.
    rows : sequence of int
        Their numbers of rows, for tooltips.
    merges : sequence of (sequence of int, float)
        Groups, or earlier merges numbered from g on, and the height. A merge is drawn no lower than its parts.
    y : str
        What a height is.
    marks : list of (float, str), optional
        Heights that are named; by default round numbers.
    chosen : float, optional
        A height that is marked.
    """
    places = [(number + 0.5, 0.0) for number in range(len(names))]
    for parts, height in merges:
        own = [places[part] for part in parts]
        places.append(((own[0][0] + own[-1][0]) / 2, max(height, *(below for _, below in own))))
    axes = Axes((0, len(names)), (0, places[-1][1] or 1))
    shapes = []
    if chosen is not None:
        down = axes.down(chosen)
        shapes.append(f'<line class="mark" x1="{LEFT}" y1="{down:.1f}" x2="{WIDTH - RIGHT}" y2="{down:.1f}" />')
    for (parts, height), (_, top) in zip(merges, places[len(names) :], strict=True):
        own = [places[part] for part in parts]
        corners = [corner for x, y in own for corner in ((x, top), (x, y), (x, top))]
        points = " ".join(f"{axes.across(x):.1f},{axes.down(y):.1f}" for x, y in corners)
        shapes.append(f'<polyline points="{points}"><title>{height:.4g}</title></polyline>')
    for (x, _), name, n_rows in zip(places[: len(names)], names, rows, strict=True):
        tooltip = escape(f"{name}: {count(n_rows, 'row')}")
        shapes.append(
            f'<circle cx="{axes.across(x):.1f}" cy="{axes.down(0):.1f}" r="3"><title>{tooltip}</title></circle>'
        )
    every = int(max(-(-len(names) * (max(map(len, names)) + 2) * LETTER // (WIDTH - LEFT)), 1))
    below = [(number + 0.5, names[number]) for number in range(0, len(names), every)]
    beside = numbered(ticks(*axes.y)) if marks is None else marks
    frame = axes.vertical(y, beside) + axes.horizontal("cluster", below)
    return svg_frame(frame + "".join(shapes), axes.box, f"Tree of {len(names)} groups of clusters")


def small_histogram(inside: Sequence[float], everywhere: Sequence[float], what: str) -> str:
    """Two histograms of shares over the same range: of some rows as bars, of all rows as a line."""
    largest, step = max(*inside, *everywhere) or 1, SMALL_WIDTH / len(inside)
    shapes = [
        f'<rect x="{number * step:.1f}" y="{SMALL_HEIGHT * (1 - share / largest):.1f}" width="{step - 0.5:.1f}" '
        f'height="{SMALL_HEIGHT * share / largest:.1f}" />'
        for number, share in enumerate(inside)
        if share
    ]
    steps = [
        f"{place * step:.1f},{SMALL_HEIGHT * (1 - share / largest):.1f}"
        for number, share in enumerate(everywhere)
        for place in (number, number + 1)
    ]
    shapes.append(f'<polyline points="{" ".join(steps)}" />')
    return svg_frame("".join(shapes), f"0 -1 {SMALL_WIDTH} {SMALL_HEIGHT + 2}", what, ' class="small"')
