"""
How many clusters
=================

``cluster_path`` clusters one graph with many numbers of clusters. For each it computes the gap between eigenvalues
after this number, the normalised cut of the clusters, and their stability: whether random halves of the rows are
clustered as all rows are. It prints as a table, with the number that its rule chooses.
"""

from importlib.util import find_spec

from anchorgraph import FSC, cluster_path
from anchorgraph.datasets import make_shape

X, y = make_shape("nested_rings")
path = cluster_path(X, range(2, 11), estimator=FSC(random_state=0))
print(path)

# %%
# The same as a picture, and the clusters for the chosen number.

if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    from anchorgraph import plot

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    plot.path(path, ax=axes[0])
    axes[1].scatter(*X.T, c=path.labels[path.chosen], s=5, cmap="tab10")
    axes[1].set_aspect("equal")
