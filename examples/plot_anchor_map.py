"""
A map of digits
===============

AnchorMap lays rows out in two dimensions, so that near rows are near and clusters are islands. New rows are placed in
the map that there is.
"""

from importlib.util import find_spec

from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph import AnchorMap, Communities

X, y = load_digits(return_X_y=True)
old, new = slice(0, 1500), slice(1500, None)
model = AnchorMap(random_state=0).fit(X[old])
placed = model.transform(X[new])
maps = {"AnchorMap": (model.embedding_, placed)}
plane = PCA(2, random_state=0).fit(X[old])
maps["PCA"] = plane.transform(X[old]), plane.transform(X[new])

print("digit of the ten nearest rows in the map")
for name, (rows, new_rows) in maps.items():
    vote = KNeighborsClassifier(10).fit(rows, y[old])
    print(f"{name:<12}{vote.score(rows, y[old]):.3f}   new rows {vote.score(new_rows, y[new]):.3f}")

# %%
# The map knows nothing of the digits. Neither do the clusters, which Communities finds by nearest rows as well.

labels = Communities(10, random_state=0).fit_predict(X[old])
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    from anchorgraph import plot

    figure, axes = plt.subplots(1, 3, figsize=(13, 4.5), layout="constrained")
    coloured = {
        "PCA, by digit": ("PCA", y[old]),
        "by digit": ("AnchorMap", y[old]),
        "by cluster": ("AnchorMap", labels),
    }
    for axis, (title, (name, colours)) in zip(axes, coloured.items(), strict=True):
        plot.map(maps[name][0], values=colours, ax=axis, legend="within").ax_.set_title(title)
