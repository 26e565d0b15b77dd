"""
Classes that are not Gaussian
=============================

Two moons, three circles and two spirals in the first two of twelve dimensions; the others are noise (flrl, Fig. 1).
With several anchors per class, the classes keep their shape in the subspace. With one mean per class, as in LDA, they
do not.
"""

import time
from importlib.util import find_spec

import numpy as np
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph import ADA, ALLDA, FLRL, LADA, LSDA, MMC, SSDA
from anchorgraph.datasets import make_curves

shapes = {name: make_curves(name, random_state=0) for name in ("moons", "circles", "spirals")}

# %%
# Five methods are compared, each with two directions out of twelve: how much of the plane of the shapes they find (the
# mean squared cosine of the angles between this plane and their directions), and the 1-NN accuracy on every other row.

methods = {
    "LDA": LinearDiscriminantAnalysis(),
    "SSDA": SSDA(2),
    "LADA": LADA(2),
    "ALLDA": ALLDA(2),
    "FLRL": FLRL(2, anchors_per_class=20, n_neighbors=3, random_state=0),
}
planes, anchors = {}, {}
print(f"{'':<15}" + "".join(f"{name:>16}" for name in methods))
for shape, (X, y) in shapes.items():
    line = []
    for name, method in methods.items():
        rows = planes[shape, name] = method.fit(X[::2], y[::2]).transform(X)
        if name == "FLRL":
            anchors[shape, name] = method.transform(method.anchors_)
        accuracy = KNeighborsClassifier(1).fit(rows[::2], y[::2]).score(rows[1::2], y[1::2])
        directions = method.scalings_[:, :2] if name == "LDA" else method.components_.T
        found = np.mean(np.linalg.norm(np.linalg.qr(directions)[0][:2], axis=0) ** 2)
        line.append(f"{found:>8.2f} {100 * accuracy:>5.1f} %")
    print(f"{shape:<15}" + "".join(f"{cell:>16}" for cell in line))

if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(len(shapes), len(methods), figsize=(14, 8), squeeze=False)
    for (shape, name), axis in zip(planes, axes.flat, strict=True):
        rows = planes[shape, name]
        axis.scatter(rows[:, 0], rows[:, -1], c=shapes[shape][1], s=4)
        if (shape, name) in anchors:
            axis.scatter(*anchors[shape, name].T, c="black", s=12)
        axis.set_title(f"{name}: {shape}", fontsize=9)
    figure.tight_layout()

# %%
# Digits: all eight methods of the paper's table, with nine directions each.

X, y = load_digits(return_X_y=True)
print("\n1-NN accuracy of nine directions on the other half of the digits")
methods = {"LDA": LinearDiscriminantAnalysis(n_components=9), "MMC": MMC(9), "LSDA": LSDA(9), "SSDA": SSDA(9)}
methods |= {"LADA": LADA(9), "ADA": ADA(9), "ALLDA": ALLDA(9), "FLRL": FLRL(9, random_state=0)}
for name, method in methods.items():
    start = time.perf_counter()
    rows = method.fit(X[::2], y[::2]).transform(X)
    seconds = time.perf_counter() - start
    accuracy = KNeighborsClassifier(1).fit(rows[::2], y[::2]).score(rows[1::2], y[1::2])
    print(f"{name:<8}{100 * accuracy:>6.1f} %  {seconds:.2f} s")
