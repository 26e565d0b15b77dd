"""
Laplacian Eigenmaps for new rows
================================

LE embeds the graph between all rows. A new row is embedded by a weighted mean of its neighbours' coordinates (the
Nyström formula), so new rows need no new fit.
"""

from importlib.util import find_spec

import numpy as np
from scipy.stats import spearmanr
from sklearn.datasets import make_swiss_roll

from anchorgraph import LE

X, place = make_swiss_roll(3000, noise=0.1, random_state=0)
model = LE(n_components=2, n_neighbors=8, random_state=0).fit(X[:2000])

# %%
# The first component unrolls the Swiss roll: it orders rows by their position along the roll.

for name, rows in (("rows of the fit", slice(0, 2000)), ("new rows", slice(2000, 3000))):
    first = model.transform(X[rows])[:, 0]
    print(f"{name:<16} rank correlation with the place along the roll {abs(spearmanr(first, place[rows])[0]):.3f}")
print("rows of the fit come out as they were:", np.array_equal(model.transform(X[:2000]), model.embedding_))

# %%
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    plt.scatter(*model.transform(X[2000:]).T, c=place[2000:], s=6)
    plt.title("New rows, by their place along the roll")
