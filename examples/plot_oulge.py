"""
Orthonormal components and inverse_transform
============================================

OULGE replaces ULGE's directions by an orthonormal basis of the same space, so an embedding can be mapped back to an
image: of all images with this embedding, the one closest to the mean. A ridge of half a per cent of the scatter avoids
directions along which the images hardly differ.
"""

from importlib.util import find_spec

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from anchorgraph import OULGE

X, y = load_digits(return_X_y=True)
model = OULGE(n_components=9, alpha=1e4, random_state=0).fit(X)
print("WᵀW is the identity:", np.allclose(model.components_ @ model.components_.T, np.eye(9)))

# %%
# PCA is optimal for reconstructing the images; OULGE preserves neighbourhoods instead and reconstructs less.

for name, method in (("OULGE", model), ("PCA", PCA(9, random_state=0).fit(X))):
    back = method.inverse_transform(method.transform(X))
    kept = 1 - np.sum((X - back) ** 2) / np.sum((X - X.mean(axis=0)) ** 2)
    print(f"{name:<6} keeps {100 * kept:.0f} % of the variance in 9 of 64 dimensions")

# %%
# An image and its reconstruction.


def drawn(image):
    return ["".join(" .:oO@"[int(np.clip(value, 0, 15.9) * 6 // 16)] for value in row) for row in image.reshape(8, 8)]


print()
for left, right in zip(drawn(X[0]), drawn(model.inverse_transform(model.transform(X[:1]))[0]), strict=True):
    print(f"{left}   {right}")

# %%
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    both = np.hstack([X[0].reshape(8, 8), model.inverse_transform(model.transform(X[:1]))[0].reshape(8, 8)])
    plt.imshow(both, cmap="gray_r")
    plt.title("An image, and what nine directions keep of it")
