"""
Regression on Laplacian Eigenmaps
=================================

SR fits a linear map from the pixels to the eigenmaps of the rows, and KSR one from the kernel values with all training
rows. CSR uses a few anchors instead. All three embed new rows.
"""

import time
from importlib.util import find_spec

from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from anchorgraph import CSR, LE, SR
from anchorgraph.metrics import nmi

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0)

scores = {"rows of the fit": {}, "new rows": {}}
print(f"{'k-means of':<8}{'NMI, rows of the fit':>22}{'new rows':>12}{'seconds':>10}")
for name, model in (
    ("LE", LE(10, random_state=0)),
    ("SR", SR(10, random_state=0)),
    ("KSR", SR(10, kernel="rbf", random_state=0)),
    ("CSR", CSR(10, random_state=0)),
):
    start = time.perf_counter()
    model.fit(X_train)
    seconds = time.perf_counter() - start
    clusters = KMeans(10, n_init=10, random_state=0).fit(model.transform(X_train))
    seen, new = nmi(y_train, clusters.labels_), nmi(y_test, clusters.predict(model.transform(X_test)))
    scores["rows of the fit"][name], scores["new rows"][name] = seen, new
    print(f"{name:<8}{seen:>22.3f}{new:>12.3f}{seconds:>10.2f}")

# %%
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(layout="constrained")
    for (rows, found), marker in zip(scores.items(), "os", strict=True):
        axis.plot(found.values(), found.keys(), marker, markersize=10, label=rows)
    axis.invert_yaxis()
    axis.set(xlabel="NMI of k-means", title="Ten dimensions of the digits")
    axis.legend()
