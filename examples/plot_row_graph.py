"""
A graph of nearest rows for scikit-learn
========================================

Many methods of scikit-learn accept a graph of nearest rows instead of the rows. RowGraph computes it in near-linear
time, and takes the place of ``KNeighborsTransformer`` in a pipeline.
"""

import time
from importlib.util import find_spec

import numpy as np
from sklearn.cluster import DBSCAN
from sklearn.datasets import load_digits, make_blobs
from sklearn.manifold import Isomap
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsTransformer
from sklearn.pipeline import make_pipeline

from anchorgraph import RowGraph

# %%
# The same graph for up to 4,096 rows; for more rows, nearly all neighbours are found.

X, y = make_blobs(20_000, 20, centers=8, cluster_std=2, random_state=0)
start = time.perf_counter()
graph = RowGraph(n_neighbors=10, random_state=0).fit_transform(X)
middle = time.perf_counter()
exact = KNeighborsTransformer(n_neighbors=10).fit_transform(X)
end = time.perf_counter()
pairs = zip(graph.indices.reshape(-1, 11), exact.indices.reshape(-1, 11), strict=True)
found = np.mean([len(np.intersect1d(ours, theirs)) for ours, theirs in pairs])
print(f"20,000 rows: RowGraph {middle - start:.1f} s, KNeighborsTransformer {end - middle:.1f} s, ", end="")
print(f"{(found - 1) / 10:.1%} of the neighbours found")

# %%
# DBSCAN on the graph: pairs that are not connected count as farther apart than ``eps``. It expects that a row is a
# neighbour of its neighbours, so the graph is symmetric: ``kind="union"``.

graph = RowGraph(n_neighbors=30, kind="union", random_state=0)
labels = make_pipeline(graph, DBSCAN(eps=10, min_samples=10, metric="precomputed")).fit_predict(X)
print(f"DBSCAN: {labels.max() + 1} clusters, adjusted Rand index {adjusted_rand_score(y, labels):.3f}")

# %%
# Isomap of the digits, and of new ones. A graph of ``kind="mutual"``, in which two rows are connected if each is among
# the nearest of the other, has fewer ties between different digits.

X, y = load_digits(return_X_y=True)
isomap = make_pipeline(RowGraph(n_neighbors=10, random_state=0), Isomap(n_neighbors=10, metric="precomputed"))
plane = isomap.fit_transform(X[:1500])
print(f"Isomap: {plane.shape}, new rows {isomap.transform(X[1500:]).shape}")
for kind in ("mutual", "union"):
    ties = RowGraph(n_neighbors=10, kind=kind, mode="connectivity", random_state=0).fit_transform(X).tocoo()
    print(f"{kind:<7} {ties.nnz:>6,} ties, {np.mean(y[ties.row] == y[ties.col]):.1%} between rows of one digit")

# %%
if find_spec("matplotlib"):
    from anchorgraph import plot

    plot.map(plane, values=y[:1500]).ax_.set_title("Digits by Isomap on a RowGraph")
