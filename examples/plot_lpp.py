"""
Preserving neighbourhoods with a linear map or a kernel
=======================================================

LPP is linear, so it cannot separate two circles. With a kernel (KLPP) it is linear in the kernel values between a row
and all training rows, and can separate them.
"""

from importlib.util import find_spec

from sklearn.cluster import KMeans
from sklearn.datasets import make_circles

from anchorgraph import LPP
from anchorgraph.metrics import clustering_accuracy

X, y = make_circles(600, factor=0.4, noise=0.05, random_state=0)
X_new, y_new = make_circles(200, factor=0.4, noise=0.05, random_state=1)

for name, model in (
    ("LPP", LPP(1, sigma=0.1)),
    ("KLPP", LPP(1, sigma=0.1, kernel="rbf", gamma=5)),
):
    model.fit(X)
    centres = KMeans(2, n_init=10, random_state=0).fit(model.transform(X))
    seen = clustering_accuracy(y, centres.labels_)
    new = clustering_accuracy(y_new, centres.predict(model.transform(X_new)))
    print(f"{name:<6} two clusters of its one component: accuracy {seen:.3f}, on new rows {new:.3f}")

# %%
if find_spec("matplotlib"):
    from anchorgraph import plot

    plot.map(X, values=model.transform(X)[:, 0]).ax_.set_title("The component of the kernel, as a colour")
