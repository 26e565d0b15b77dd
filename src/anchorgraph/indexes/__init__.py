"""Clusters as the lists of inverted-file indexes of other packages."""

from anchorgraph.indexes.faiss_lists import faiss_index
from anchorgraph.indexes.lance_lists import lance_centroids

__all__ = ["faiss_index", "lance_centroids"]
