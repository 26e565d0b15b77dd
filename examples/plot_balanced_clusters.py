"""
Clusters of equal size
======================

Some applications, such as work shifts, mailings or data shards, need groups of equal size, which k-means does not give.
BKHK does, for any number of groups and in time linear in the rows.
"""

from importlib.util import find_spec

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from anchorgraph import BKHK

X, _ = make_blobs(n_samples=[6000, 3000, 1000], random_state=3, cluster_std=2.0)

# %%
# Seven groups of 10,000 rows: 1,428 or 1,429 each.

balanced = BKHK(n_clusters=7, tol=0, random_state=0).fit(X)
free = KMeans(7, n_init=1, random_state=0).fit(X)
for name, model in (("BKHK", balanced), ("KMeans", free)):
    error = np.mean(np.sum((X - model.cluster_centers_[model.labels_]) ** 2, axis=1))
    print(f"{name:<8} sizes {np.bincount(model.labels_)}  mean squared distance to the centre {error:.2f}")

# %%
# New rows are assigned to a group by the planes of the tree.

print(balanced.predict(X[:5]), balanced.labels_[:5])

# %%
if find_spec("matplotlib"):
    from anchorgraph import plot

    plot.map(X, values=balanced.labels_).ax_.set_title("Seven groups of equal size")
