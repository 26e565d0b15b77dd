"""Coordinates from the small matrix that a graph boils down to."""

from anchorgraph.spectrum.anchor import anchor_gram, anchor_spectrum, embedding

__all__ = ["anchor_gram", "anchor_spectrum", "embedding"]
