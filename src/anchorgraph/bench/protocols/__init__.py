"""How a method is tried: one file a protocol.

A protocol is ``f(data, model, seed, **options) → measures``: numbers, or lists of them where one fit gives several.
Scores are in per cent.
"""

from anchorgraph.bench.protocols.clustering import clustering
from anchorgraph.bench.protocols.direct_lpp import direct_lpp
from anchorgraph.bench.protocols.embedding import embedding
from anchorgraph.bench.protocols.fitting import fitting
from anchorgraph.bench.protocols.nearest import nearest
from anchorgraph.bench.protocols.new_rows import new_rows
from anchorgraph.bench.protocols.picture import picture
from anchorgraph.bench.protocols.reconstruction import reconstruction
from anchorgraph.bench.protocols.selection import selection

PROTOCOLS = {
    "clustering": clustering,
    "direct_lpp": direct_lpp,
    "embedding": embedding,
    "fitting": fitting,
    "nearest": nearest,
    "new_rows": new_rows,
    "picture": picture,
    "reconstruction": reconstruction,
    "selection": selection,
}

__all__ = ["PROTOCOLS"]
