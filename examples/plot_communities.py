"""
Communities of nearest rows
===========================

Communities connects each row to its nearest rows, and finds the parts of this graph with many ties inside. The clusters
can have any shape and unequal sizes, and their number need not be known.
"""

import time
from importlib.util import find_spec

from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from anchorgraph import FSC, Communities
from anchorgraph.datasets import make_shape
from anchorgraph.metrics import clustering_accuracy, nmi

SHAPES = ("nested_rings", "two_spirals", "smile", "big_beside_small")
clusterings = {}
print(f"{'adjusted Rand index':<20}{'Communities':>12}{'KMeans':>8}")
for name in SHAPES:
    X, y = make_shape(name)
    n_clusters = len(set(y))
    ours = Communities(n_clusters, random_state=0).fit_predict(X)
    theirs = KMeans(n_clusters, n_init=10, random_state=0).fit_predict(X)
    clusterings[name] = X, ours, theirs
    print(f"{name:<20}{adjusted_rand_score(y, ours):>12.2f}{adjusted_rand_score(y, theirs):>8.2f}")

# %%
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    from anchorgraph import plot

    figure, axes = plt.subplots(2, len(SHAPES), figsize=(12, 6), layout="constrained")
    for column, (name, (X, *labels)) in zip(axes.T, clusterings.items(), strict=True):
        column[0].set_title(name)
        for axis, own in zip(column, labels, strict=True):
            plot.map(X, values=own, ax=axis, legend="none", s=4)
    axes[0, 0].set_ylabel("Communities")
    axes[1, 0].set_ylabel("KMeans")

# %%
# Digits: new rows get the cluster of their nearest rows, and ``predict_proba`` tells how clear that is.

X, y = load_digits(return_X_y=True)
print()
for method in (Communities(10, random_state=0), FSC(10, random_state=0), KMeans(10, n_init=10, random_state=0)):
    start = time.perf_counter()
    labels = method.fit(X[:1500]).labels_
    seconds = time.perf_counter() - start
    new = clustering_accuracy(y[1500:], method.predict(X[1500:]))
    print(f"{type(method).__name__:<12} NMI {nmi(y[:1500], labels):.3f}  new rows {new:.3f}  {seconds:.2f} s")

model = Communities(10, random_state=0).fit(X[:1500])
shares = model.predict_proba(X[1500:])
clear = shares.max(axis=1) > 0.9
print(f"\nclear rows {clear.mean():.0%}: {clustering_accuracy(y[1500:][clear], shares.argmax(axis=1)[clear]):.3f}")

# %%
# Without ``n_clusters``, the clusters that last longest over resolutions are the result, and ``levels_`` has finer and
# coarser ones. Their number need not be that of the classes: a digit that is written in two ways may be two clusters.

model = Communities(random_state=0).fit(X)
print()
for number, level in enumerate(model.levels_):
    chosen = "  chosen" if number == model.level_ else ""
    print(
        f"{level.n_clusters:>3} clusters  persistence {level.persistence:.2f}  NMI {nmi(y, level.labels):.3f}{chosen}"
    )
