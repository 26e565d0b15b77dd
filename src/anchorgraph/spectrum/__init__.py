"""Coordinates from the eigenvectors of a graph."""

from anchorgraph.spectrum.anchor import (
    anchor_gram,
    anchor_spectrum,
    anchor_sums,
    embedding,
    spectrum_for_clusters,
    spectrum_with_gap,
)
from anchorgraph.spectrum.choose import eigengap, leading, with_trivial
from anchorgraph.spectrum.columns import ColumnSpectrum, column_spectrum
from anchorgraph.spectrum.laplacian import laplacian_spectrum, nystrom

__all__ = [
    "ColumnSpectrum",
    "anchor_gram",
    "anchor_spectrum",
    "anchor_sums",
    "column_spectrum",
    "eigengap",
    "embedding",
    "laplacian_spectrum",
    "leading",
    "nystrom",
    "spectrum_for_clusters",
    "spectrum_with_gap",
    "with_trivial",
]
