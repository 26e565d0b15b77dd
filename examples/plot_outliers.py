"""
Rows that are not like the others
=================================

Every method on an anchor graph has ``score_samples``: how typical a row is of those of the fit, by its distance to its
nearest anchors. Here, half of an image of a digit is joined to half of another one, and these images are hidden among
the digits.
"""

from importlib.util import find_spec

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor

from anchorgraph import FSC

X, y = load_digits(return_X_y=True)
rng = np.random.default_rng(0)
upper, lower = rng.integers(len(X), size=(2, 40))
joined = np.hstack([X[upper, :32], X[lower, 32:]])[y[upper] != y[lower]]
rows = np.vstack([X, joined])
is_planted = np.arange(len(rows)) >= len(X)

# %%
# The clusterer is fitted to all rows, with the outliers among them. Small scores are unusual rows; the area under the
# ROC curve is one if all planted rows have smaller scores than all others.

model = FSC(10, random_state=0).fit(rows)
scores = {
    "FSC": model.score_samples(rows),
    "IsolationForest": IsolationForest(random_state=0).fit(rows).score_samples(rows),
    "LocalOutlierFactor": LocalOutlierFactor(n_neighbors=20).fit(rows).negative_outlier_factor_,
}
for name, own in scores.items():
    print(f"{name:<20} area under the ROC curve {roc_auc_score(~is_planted, own):.3f}")

# %%
# The twenty most unusual images, and whether they were planted. The clusterer also tells which digits lie between
# clusters (``probabilities_``), which is another question.

if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 10, figsize=(10, 2.6), layout="constrained")
    for axis, row in zip(axes.ravel(), np.argsort(scores["FSC"]), strict=False):
        axis.imshow(rows[row].reshape(8, 8), cmap="gray_r")
        axis.set_title("planted" if is_planted[row] else str(y[row]), fontsize=9)
        axis.set_axis_off()

unclear = np.argsort(model.probabilities_)[:200]
print(f"\nplanted among the 200 least clear rows: {np.count_nonzero(is_planted[unclear])} of {is_planted.sum()}")
unusual = np.argsort(scores["FSC"])[:200]
print(f"planted among the 200 most unusual rows: {np.count_nonzero(is_planted[unusual])} of {is_planted.sum()}")
