"""
Clusters without a rounding step
================================

ONGR approximates the anchor graph by the product of two matrices that are kept close to each other, one orthogonal and
one nonnegative. The nonnegative one holds memberships; the cluster of a row is its largest membership. The objective
never increases.
"""

from importlib.util import find_spec

from sklearn.datasets import load_digits

from anchorgraph import ONGR
from anchorgraph.metrics import clustering_accuracy

X, y = load_digits(return_X_y=True)

# %%
# The three initialisations converge to different solutions; the default keeps the one with the smallest objective.

for init in ("singular", "qr", "rotation", "best"):
    model = ONGR(10, init=init, random_state=0).fit(X)
    print(
        f"init={init!r:<11} objective {model.history_[0]:.2f} → {model.history_[-1]:.2f} in {model.n_iter_} rounds, "
        f"accuracy {clustering_accuracy(y, model.labels_):.3f}, rows without memberships {model.n_zero_rows_}"
    )

# %%
# Memberships show how certain the cluster of a row is.

share = model.memberships_.max(axis=1) / model.memberships_.sum(axis=1)
print(f"\n{(share > 0.9).mean():.0%} of the rows have nine tenths of their memberships in one cluster")
print("new rows:", model.predict(X[:5]), "as in the fit:", model.labels_[:5])

# %%
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    plt.hist(share, bins=50)
    plt.title("The largest share of a row's memberships")
