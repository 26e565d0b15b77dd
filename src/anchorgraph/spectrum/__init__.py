"""Coordinates from the eigenvectors of a graph."""

from anchorgraph.spectrum.anchor import anchor_gram, anchor_spectrum, embedding
from anchorgraph.spectrum.laplacian import laplacian_spectrum, nystrom

__all__ = ["anchor_gram", "anchor_spectrum", "embedding", "laplacian_spectrum", "nystrom"]
