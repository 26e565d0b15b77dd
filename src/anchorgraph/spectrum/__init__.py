"""Coordinates from the eigenvectors of a graph."""

from anchorgraph.spectrum.anchor import (
    anchor_gram,
    anchor_spectrum,
    anchor_sums,
    embedding,
    spectrum_for_clusters,
    spectrum_for_numbers,
    spectrum_of_groups,
)
from anchorgraph.spectrum.choose import clear_gap, eigengaps, leading, relative_eigengaps, with_trivial
from anchorgraph.spectrum.columns import ColumnSpectrum, column_spectrum
from anchorgraph.spectrum.laplacian import laplacian_spectrum, nystrom

__all__ = [
    "ColumnSpectrum",
    "anchor_gram",
    "anchor_spectrum",
    "anchor_sums",
    "clear_gap",
    "column_spectrum",
    "eigengaps",
    "embedding",
    "laplacian_spectrum",
    "leading",
    "nystrom",
    "relative_eigengaps",
    "spectrum_for_clusters",
    "spectrum_for_numbers",
    "spectrum_of_groups",
    "with_trivial",
]
