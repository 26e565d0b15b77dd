"""
A diverse sample by balanced leaves
===================================

A uniform sample of a data set repeats what is frequent and misses what is rare. The leaves of a balanced tree divide
the rows into neighbourhoods of equal size, and a few rows of each, as far from each other as can be, cover more of
what there is.
"""

from importlib.util import find_spec

import numpy as np
from sklearn.metrics import pairwise_distances_argmin_min

from anchorgraph import BKHK

# %%
# 20,000 rows in groups of very unlike size: the largest has thousands of rows, most have fewer than twenty.

rng = np.random.default_rng(0)
n_rows, n_groups, n_sampled = 20_000, 200, 400
shares = np.arange(1, n_groups + 1) ** -1.5
group = rng.choice(n_groups, n_rows, p=shares / shares.sum())
X = 3 * rng.standard_normal((n_groups, 16))[group] + rng.standard_normal((n_rows, 16))
sizes = np.bincount(group, minlength=n_groups)

# %%
# Within a leaf, the first row is the nearest to the mean, and each next one is the farthest from those before. This
# takes as many distances of each row as rows are drawn from its leaf, however many are drawn in all.


def spread(rows, n_drawn):
    """Some of the rows, each as far as possible from those before."""
    points = X[rows]
    drawn = [np.linalg.norm(points - points.mean(axis=0), axis=1).argmin()]
    distances = np.full(len(rows), np.inf)
    while len(drawn) < n_drawn:
        distances = np.minimum(distances, np.linalg.norm(points - points[drawn[-1]], axis=1))
        drawn.append(distances.argmax())
    return rows[drawn]


def sample_by_leaves(n_per_leaf):
    """So many rows of each leaf, 400 in all."""
    labels = BKHK(n_sampled // n_per_leaf, random_state=0).fit(X).labels_
    leaves = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1])
    return np.concatenate([spread(rows, n_per_leaf) for rows in leaves])


samples = {
    "uniform": rng.choice(n_rows, n_sampled, replace=False),
    "1 row of each of 400 leaves": sample_by_leaves(1),
    "4 rows of each of 100 leaves": sample_by_leaves(4),
    "16 rows of each of 25 leaves": sample_by_leaves(16),
}

# %%
# The more rows are drawn from each leaf, the more of the rare groups have a row in the sample, and the nearer to it are
# the rows that are farthest from it; the mean distance, to which frequent groups contribute most, grows a little. One
# row of each leaf is something else: equal leaves follow the density of the rows as a uniform sample does, but without
# its chance. The mean distance is smallest, and groups larger than a leaf, which has 50 rows, are not missed; most of
# those below 32 rows are.

print(f"{'':<30}{'groups':>8}{'rare groups':>13}{'mean distance':>15}{'99th percentile':>17}")
is_rare = (sizes > 0) & (sizes < 20)
for name, rows in samples.items():
    is_found = np.isin(np.arange(n_groups), group[rows])
    distances = pairwise_distances_argmin_min(X, X[rows])[1]
    print(f"{name:<30}{is_found.sum():>8}{is_found[is_rare].mean():>13.0%}", end="")
    print(f"{distances.mean():>15.2f}{np.quantile(distances, 0.99):>17.2f}")

# %%
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(layout="constrained")
    bounds = 2 ** np.arange(1, 9)
    for name, rows in samples.items():
        is_found = np.isin(np.arange(n_groups), group[rows])
        of_size = [(sizes >= low) & (sizes < 2 * low) for low in bounds]
        axis.plot(bounds, [is_found[own].mean() for own in of_size], "o-", label=name)
    axis.set_xscale("log", base=2)
    axis.set_xticks(bounds, [f"{low} to {2 * low - 1}" for low in bounds], rotation=45)
    axis.set(xlabel="rows in the group", ylabel="groups with a row in the sample", ylim=(0, 1.02))
    axis.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axis.legend(frameon=False)
