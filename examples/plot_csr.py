"""
A nonlinear embedding for new rows
==================================

CSR represents every row by its weights for the nearest anchors and learns a linear map of these weights. A model fitted
on one part of the digits embeds the other part.
"""

from importlib.util import find_spec

from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_moons
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split

from anchorgraph import CSR, Gaussian
from anchorgraph.metrics import clustering_accuracy, nmi


def clusters(rows, n):
    return KMeans(n, n_init=10, random_state=0).fit_predict(rows)


X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0)

print(f"{'k-means of':<20}{'NMI, rows of the fit':>22}{'new rows':>12}")
for name, model in (("CSR", CSR(10, random_state=0)), ("PCA", PCA(10, random_state=0))):
    model.fit(X_train)
    seen = nmi(y_train, clusters(model.transform(X_train), 10))
    new = nmi(y_test, clusters(model.transform(X_test), 10))
    print(f"{name:<20}{seen:>22.3f}{new:>12.3f}")

# %%
# Two moons: one component separates them, while k-means on the original coordinates does not. With so few rows, a
# bandwidth for each row keeps the weights local.

X, y = make_moons(2000, noise=0.06, random_state=0)
Y = CSR(1, n_anchors=200, n_neighbors=3, weighting=Gaussian(sigma="local"), random_state=0).fit_transform(X)
print(
    f"\ntwo moons: CSR {clustering_accuracy(y, clusters(Y, 2)):.3f}, plane {clustering_accuracy(y, clusters(X, 2)):.3f}"
)

# %%
if find_spec("matplotlib"):
    from anchorgraph import plot

    plot.map(X, values=Y[:, 0]).ax_.set_title("The first component of CSR, as a colour")
