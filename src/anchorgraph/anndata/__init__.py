"""Clusters, metacells, maps and nearest neighbours of the cells of an AnnData, as in scanpy's ``tl`` and ``pp``.

Functions write their results into the AnnData that they are given, which is unchanged if they fail. anndata is imported
when one is called: extra ``anndata``.
"""

from anchorgraph.anndata.aggregation import metacells
from anchorgraph.anndata.clustering import communities, fsc
from anchorgraph.anndata.mapping import map  # noqa: A004 - meant as anndata.map
from anchorgraph.anndata.neighborhood import neighbors

__all__ = ["communities", "fsc", "map", "metacells", "neighbors"]
