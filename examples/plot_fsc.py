"""
Spectral clustering with predict
================================

FSC finds clusters of shapes that k-means cannot find, in time linear in the rows, and assigns new rows to clusters.
"""

import time
from importlib.util import find_spec

import numpy as np
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import load_digits, make_moons

from anchorgraph import FSC
from anchorgraph.metrics import clustering_accuracy, nmi

X, y = make_moons(20_000, noise=0.06, random_state=0)
model = FSC(n_clusters=2, n_anchors=256, n_neighbors=3, random_state=0).fit(X[:15_000])
print(f"two moons: FSC {clustering_accuracy(y[:15_000], model.labels_):.3f}, ", end="")
print(f"5,000 new rows {clustering_accuracy(y[15_000:], model.predict(X[15_000:])):.3f}, ", end="")
print(f"k-means {clustering_accuracy(y, KMeans(2, n_init=10, random_state=0).fit_predict(X)):.3f}\n")

# %%
if find_spec("matplotlib"):
    from anchorgraph import plot

    plot.map(X[15_000:], values=model.predict(X[15_000:])).ax_.set_title("New rows, by FSC")

# %%
# Digits, compared with a graph between all rows. FSC has three methods to round its embedding to clusters.

X, y = load_digits(return_X_y=True)
methods = {
    "FSC": FSC(10, random_state=0),
    "FSC, rounding='rotation', trivial='keep'": FSC(10, rounding="rotation", trivial="keep", random_state=0),
    "scikit-learn's spectral clustering": SpectralClustering(10, affinity="nearest_neighbors", random_state=0),
    "k-means": KMeans(10, n_init=10, random_state=0),
}
for name, method in methods.items():
    start = time.perf_counter()
    labels = method.fit_predict(X)
    print(f"{name:<42} NMI {nmi(y, labels):.3f}  {time.perf_counter() - start:.2f} s")

# %%
# If groups are well separated, their number follows from the gap between eigenvalues.

rng = np.random.default_rng(0)
groups = np.vstack([rng.standard_normal((500, 5)) + 8 * centre for centre in np.eye(5)])
print(f"\nfive groups: n_clusters_={FSC(None, n_neighbors=8, random_state=0).fit(groups).n_clusters_}")
