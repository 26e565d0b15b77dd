"""Figures of maps and clusterings on matplotlib's axes, as scikit-learn's Display objects.

A display holds the data of a figure. Its method ``plot`` draws them, and sets ``ax_``, ``figure_`` and what was drawn.
matplotlib is imported when something is drawn: extra ``plot``.
"""

from anchorgraph.plot.eigenvalues_display import EigenvaluesDisplay, eigenvalues
from anchorgraph.plot.levels_display import LevelsDisplay, levels
from anchorgraph.plot.map_display import MapDisplay, map  # noqa: A004 - meant as plot.map
from anchorgraph.plot.path_display import PathDisplay, path
from anchorgraph.plot.sizes_display import SizesDisplay, sizes

__all__ = [
    "EigenvaluesDisplay",
    "LevelsDisplay",
    "MapDisplay",
    "PathDisplay",
    "SizesDisplay",
    "eigenvalues",
    "levels",
    "map",
    "path",
    "sizes",
]
