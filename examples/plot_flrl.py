"""
Classes that are not Gaussian
=============================

Two moons, three circles and two spirals, in the first two of twelve dimensions; the others are noise (flrl, Fig. 1).
A class with several anchors keeps its shape in the subspace. A class with one mean, as in LDA, does not.
"""

import time
from importlib.util import find_spec

import numpy as np
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph import ADA, ALLDA, FLRL, LADA, LSDA, MMC, SSDA

rng = np.random.default_rng(0)
N = 300


def on_curves(curves):
    """Rows about some curves, a class each, with ten columns of uniform noise."""
    points = np.concatenate(curves) + 0.05 * rng.standard_normal((N * len(curves), 2))
    noise = rng.uniform(-1, 1, (len(points), 10))
    return np.hstack([points, noise]), np.repeat(np.arange(len(curves)), N)


def curve(radius, angle, shift=(0, 0)):
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + shift


half, full = rng.uniform(0, np.pi, (2, N)), rng.uniform(0, 2 * np.pi, (3, N))
turns = rng.uniform(0.5, 3 * np.pi, (2, N))
shapes = {
    "two moons": on_curves([curve(1, half[0]), curve(-1, half[1], (1, 0.5))]),
    "three circles": on_curves([curve(radius, full[i]) for i, radius in enumerate((0.4, 1.0, 1.6))]),
    "two spirals": on_curves([curve(turns[i] / 5, turns[i] + i * np.pi) for i in (0, 1)]),
}

# %%
# Five methods side by side, each with two directions out of twelve: how much of the plane of the shapes they find (the
# mean squared cosine of the angles between their directions and it), and 1-NN accuracy on every other row.

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
# Digits: all eight methods of the paper's table, nine directions each.

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
