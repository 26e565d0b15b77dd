"""Positions of rows, or of anchors, in a map of two or three dimensions."""

from anchorgraph.layout.anchors import map_anchors
from anchorgraph.layout.place import place
from anchorgraph.layout.rows import map_rows
from anchorgraph.layout.smooth import smooth_coordinates

__all__ = ["map_anchors", "map_rows", "place", "smooth_coordinates"]
