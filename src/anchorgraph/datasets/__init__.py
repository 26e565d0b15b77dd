"""Real data sets by name, and synthetic ones."""

from anchorgraph.datasets.curves import make_curves
from anchorgraph.datasets.load import Dataset, DatasetUnavailableError, available, load
from anchorgraph.datasets.make import extend_images, make_mixture
from anchorgraph.datasets.shapes import SHAPES, make_shape

__all__ = [
    "SHAPES",
    "Dataset",
    "DatasetUnavailableError",
    "available",
    "extend_images",
    "load",
    "make_curves",
    "make_mixture",
    "make_shape",
]
