"""Protocols: how a method is run and measured, one file each.

A protocol is ``f(data, model, seed, **options) → measures``, which are numbers, or lists of numbers if one fit gives
several. Scores are in per cent.
"""

from collections.abc import Callable
from typing import Any

from anchorgraph.bench.protocols.clustering import clustering
from anchorgraph.bench.protocols.embedding import embedding
from anchorgraph.bench.protocols.fitting import fitting
from anchorgraph.bench.protocols.given_graph import given_graph
from anchorgraph.bench.protocols.nearest import nearest
from anchorgraph.bench.protocols.new_rows import new_rows
from anchorgraph.bench.protocols.picture import picture
from anchorgraph.bench.protocols.reconstruction import reconstruction
from anchorgraph.bench.protocols.selection import selection

PROTOCOLS: dict[str, Callable[..., dict[str, Any]]] = {
    "clustering": clustering,
    "embedding": embedding,
    "fitting": fitting,
    "given_graph": given_graph,
    "nearest": nearest,
    "new_rows": new_rows,
    "picture": picture,
    "reconstruction": reconstruction,
    "selection": selection,
}

__all__ = ["PROTOCOLS"]
