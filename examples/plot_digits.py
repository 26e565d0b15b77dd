"""
Clustering digits with an anchor graph
======================================

1,797 images of digits are connected to 256 anchors. The spectrum of this small graph gives coordinates in which k-means
finds the digits better than in the pixels. scikit-learn's spectral clustering does the same with a graph between all
rows.
"""

import time
from importlib.util import find_spec

import numpy as np
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import load_digits
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import normalize

from anchorgraph import BKHK, AnchorGraph
from anchorgraph.spectrum import anchor_gram, anchor_spectrum
from anchorgraph.table import as_table

X, y = load_digits(return_X_y=True)

# %%
# BKHK splits the images into 256 groups of equal size, within one row.

balanced = BKHK(n_clusters=256, random_state=0).fit(X)
sizes = np.bincount(balanced.labels_)
print(f"BKHK: {balanced.n_clusters_} clusters of {sizes.min()} to {sizes.max()} rows of {len(X)}\n")

# %%
# The means of these groups are the anchors of the graph.

if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6, 6), layout="constrained")
    pictures = balanced.cluster_centers_.reshape(16, 16, 8, 8)
    axis.imshow(pictures.swapaxes(1, 2).reshape(128, 128), cmap="gray_r")
    axis.set(xticks=[], yticks=[], title="256 anchors")

# %%
# Z has five non-zero entries per row.


def through_the_anchor_graph():
    Z = AnchorGraph(n_anchors=256, random_state=0).fit_transform(X)
    spectrum = anchor_spectrum(*anchor_gram(as_table(Z)), n_components=10)
    F = normalize(Z @ spectrum.anchor_map)
    return KMeans(10, n_init=10, random_state=0).fit_predict(F)


def of_the_pixels():
    return KMeans(10, n_init=10, random_state=0).fit_predict(X)


def of_all_neighbours():
    model = SpectralClustering(10, affinity="nearest_neighbors", n_neighbors=10, random_state=0, n_init=10)
    return model.fit_predict(X)


print(f"{'10 clusters by':<44}{'NMI':>6}{'seconds':>10}")
for name, cluster in (
    ("k-means of the pixels", of_the_pixels),
    ("k-means of the anchor graph's spectrum", through_the_anchor_graph),
    ("scikit-learn's spectral clustering", of_all_neighbours),
):
    start = time.perf_counter()
    labels = cluster()
    seconds = time.perf_counter() - start
    print(f"{name:<44}{normalized_mutual_info_score(y, labels):>6.3f}{seconds:>10.2f}")

# %%
# New images need no new fit: they are connected to the same anchors, and the tree finds their group.

model = AnchorGraph(n_anchors=256, random_state=0).fit(X[:1500])
print(
    f"\nRows of Z for new images: {model.transform(X[1500:]).shape}, their balanced groups: {balanced.predict(X[:3])}"
)
