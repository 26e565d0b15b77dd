"""Maps side by side as a PNG picture: a point for each row in the colour of its class, and the class written on it.

The picture has its own light background, so that it can be read on any page.
"""

from io import BytesIO
from typing import NamedTuple

import numpy as np

from anchorgraph.plot import MapDisplay

WIDTH, HEIGHT, HEAD = 800, 710, 90
"""Pixels of a map, and of the lines above it."""
BACKGROUND, INK = "#ffffff", "#1f2328"
N_SHADES = 64
"""Different colours in the file: as many as nobody misses, so that it is small."""


class Panel(NamedTuple):
    """A map, its title and the classes of its rows."""

    title: str
    positions: np.ndarray
    y: np.ndarray


def picture(panels, path):
    """Draw the maps side by side."""
    from matplotlib.figure import Figure
    from PIL import Image

    figure = Figure((WIDTH * len(panels) / 100, (HEIGHT + HEAD) / 100), dpi=100, facecolor=BACKGROUND)
    for number, panel in enumerate(panels):
        box = (number / len(panels), 0, 1 / len(panels), HEIGHT / (HEIGHT + HEAD))
        _draw(figure.add_axes(box), panel)
    drawn = BytesIO()
    figure.savefig(drawn, format="png")
    Image.open(drawn).convert("RGB").quantize(N_SHADES, dither=Image.Dither.NONE).save(path, optimize=True)


def _draw(axes, panel):
    display = MapDisplay(panel.positions, panel.y).plot(axes, legend="within", s=_point_size(len(panel.y)))
    for name in display.legend_:
        name.set(size=22, color=INK)
    xlim, ylim = limits_of(panel.positions)
    axes.set(xlim=xlim, ylim=ylim)
    axes.axis("off")
    title, *rest = panel.title.splitlines()
    above = {"transform": axes.transAxes, "ha": "center", "color": INK}
    axes.text(0.5, 1.06, title, size=24, weight="bold", **above)
    axes.text(0.5, 1.01, " ".join(rest), size=17, **above)


def limits_of(positions):
    """Of x and y, in the same scale: all but the outermost rows, because one far away would make all others small."""
    low, high = np.quantile(positions, [0.0005, 0.9995], axis=0)
    size = np.array([WIDTH, HEIGHT])
    half = 0.54 * np.max((high - low) / size) * size
    middle = (low + high) / 2
    return np.transpose([middle - half, middle + half])


def _point_size(n_rows):
    """In square points: 70,000 of them cover about a third of the map."""
    return max(0.6, min(20, 70_000 / n_rows))
