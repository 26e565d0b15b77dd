"""
Balanced lists for a vector index
=================================

An inverted-file index divides its rows into lists, and compares a query with the rows of the few lists whose centroids
are nearest. By default the lists are clusters of k-means, of any size: a query that meets the largest ones waits
longest. Lists of equal or bounded size take the same time for every query. This tutorial makes such an index of FAISS,
and measures what equal lists cost and gain. :doc:`/balanced_clusters` has the same for MNIST and a million rows, with
times.
"""

# %%
# Rows in groups of unlike size
# -----------------------------
#
# 20,000 rows of 32 columns to search, and 500 queries from the same 300 groups, of which some are a hundred times as
# large as others. What is to be found: the ten nearest rows of each query.

import faiss
import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans

from anchorgraph import BKHK
from anchorgraph.indexes import faiss_index, lance_centroids

rng = np.random.default_rng(0)
shares = rng.pareto(1.2, 300) + 0.1
group = rng.choice(300, 20_500, p=shares / shares.sum())
rows = 0.6 * rng.standard_normal((300, 32))[group] + rng.standard_normal((20_500, 32)) @ np.diag(0.9 ** np.arange(32))
X, queries = rows[:20_000].astype(np.float32), rows[20_000:].astype(np.float32)
exact = faiss.IndexFlatL2(32)
exact.add(X)
nearest = exact.search(queries, 10)[1]

# %%
# Three divisions into 128 lists
# ------------------------------
#
# ``faiss_index`` takes any fitted clusterer that has ``cluster_centers_``: here scikit-learn's ``KMeans``,
# :class:`~anchorgraph.BKHK` with equal sizes, and with sizes within a quarter of their mean.
# ``assignment="nearest"`` puts each row into the list of a near centroid; the leaves of the tree alone are faster to
# find, and poorer lists.

mean_size = len(X) / 128
models = {
    "k-means": KMeans(128, n_init=1, random_state=0),
    "equal": BKHK(128, assignment="nearest", random_state=0),
    "within 25 %": BKHK(128, sizes=(0.75 * mean_size, 1.25 * mean_size), random_state=0),
}
indexes = {name: faiss_index(model.fit(X), X) for name, model in models.items()}
for name, model in models.items():
    sizes = np.bincount(model.labels_)
    print(f"{name:<12} lists of {sizes.min()} to {sizes.max()} rows")

# %%
# Recall and rows compared
# ------------------------
#
# ``nprobe`` is the number of lists that are searched. The more, the more of the ten nearest rows are found; the price
# is the number of rows that a query is compared with, which its time follows: on average, and for the slowest of the
# queries.


def searched(index, sizes, n_lists):
    """The share of the nearest rows that are found, and the number of rows that each query is compared with."""
    index.nprobe = n_lists
    found = index.search(queries, 10)[1]
    recall = np.mean([len(np.intersect1d(*pair)) / 10 for pair in zip(found, nearest, strict=True)])
    return recall, sizes[index.quantizer.search(queries, n_lists)[1]].sum(axis=1)


figure, axes = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained", sharex=True, sharey=True)
print(f"{'':<12}{'lists':>6}{'recall@10':>11}{'rows, mean':>12}{'slowest':>9}")
for name, index in indexes.items():
    sizes = np.bincount(models[name].labels_)
    results = {n_lists: searched(index, sizes, n_lists) for n_lists in (1, 2, 4, 8, 16, 32)}
    recalls = [recall for recall, _ in results.values()]
    axes[0].plot([compared.mean() for _, compared in results.values()], recalls, "o-", label=name)
    axes[1].plot([compared.max() for _, compared in results.values()], recalls, "o-", label=name)
    for n_lists in (4, 16):
        recall, compared = results[n_lists]
        print(f"{name:<12}{n_lists:>6}{recall:>11.1%}{compared.mean():>12,.0f}{compared.max():>9,}")
axes[0].set(xscale="log", xlabel="rows compared on average", ylabel="recall@10")
axes[1].set(xlabel="rows compared for the slowest query")
axes[0].legend(frameon=False)

# %%
# On average, k-means compares somewhat fewer rows for the same recall: its lists follow the groups. For the slowest
# query it is the other way round, and this decides how long a batch of queries takes, or how many rows have to fit into
# a buffer of fixed size. Lists within bounds are between the two.
#
# More rows, and the index in a file
# ----------------------------------
#
# It is an index of FAISS as any other, and ``faiss.write_index`` writes it to a file. Rows that are added later go to
# the list of their nearest centroid, so that lists stay about even if the new rows are like the old ones.

index = indexes["within 25 %"]
index.add(queries)
index.nprobe = 8
print(index.search(queries[:3], 2)[1])

# %%
# Other indexes
# -------------
#
# Lance takes the centroids alone and assigns the rows itself, so that its partitions are even but not equal:
#
# .. code-block:: python
#
#     rows = lance.dataset("rows.lance")
#     rows.create_index("vector", "IVF_PQ", num_partitions=128, num_sub_vectors=8, ivf_centroids=lance_centroids(model))

print(lance_centroids(models["within 25 %"]).shape)
