"""
Clusters without a rounding step
================================

ONGR rebuilds the anchor graph from two matrices that it holds near each other, one orthogonal and one nonnegative. The
nonnegative one holds memberships, of which the largest is a row's cluster. The objective never increases.
"""

from importlib.util import find_spec

from sklearn.datasets import load_digits

from anchorgraph import ONGR
from anchorgraph.metrics import clustering_accuracy

X, y = load_digits(return_X_y=True)

# %%
# Three starts end in different places; the default keeps the least objective.

for init in ("singular", "qr", "rotation", "best"):
    model = ONGR(10, init=init, random_state=0).fit(X)
    print(
        f"init={init!r:<11} objective {model.history_[0]:.2f} → {model.history_[-1]:.2f} in {model.n_iter_} rounds, "
        f"accuracy {clustering_accuracy(y, model.labels_):.3f}, rows without memberships {model.n_zero_rows_}"
    )

# %%
# Memberships say how sure a row is of its cluster.

share = model.memberships_.max(axis=1) / model.memberships_.sum(axis=1)
print(f"\n{(share > 0.9).mean():.0%} of the rows have nine tenths of their memberships in one cluster")
print("new rows:", model.predict(X[:5]), "as in the fit:", model.labels_[:5])

# %%
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    plt.hist(share, bins=50)
    plt.title("The largest share of a row's memberships")
