"""
Figures of a clustering
=======================

``anchorgraph.plot`` draws on matplotlib's axes, as scikit-learn's Display objects do: a map of the rows, the sizes of
clusters, the eigenvalues of the graph, and scores by the number of clusters. Each function returns a display with
``ax_``, ``figure_`` and what was drawn, to change it afterwards.
"""

from importlib.util import find_spec

from sklearn.datasets import load_digits
from sklearn.metrics import silhouette_score

from anchorgraph import FSC, Communities

X, y = load_digits(return_X_y=True)
model = Communities(10, random_state=0).fit(X)
spectral = FSC(None, random_state=0).fit(X)
numbers = list(range(6, 15))
fits = [Communities(number, random_state=0).fit(X) for number in numbers]
scores = {
    "modularity": [fit.modularity_ for fit in fits],
    "silhouette": [silhouette_score(X, fit.labels_) for fit in fits],
}
best = numbers[scores["silhouette"].index(max(scores["silhouette"]))]
print(f"{model.n_clusters_} communities; of {numbers[0]} to {numbers[-1]}, {best} have the largest silhouette")

# %%
if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    from anchorgraph import plot

    figure, axes = plt.subplots(2, 2, figsize=(10, 8), layout="constrained")
    plot.map(model, X, ax=axes[0, 0], legend="within").ax_.set_title("A map of the rows")
    plot.sizes(model, ax=axes[0, 1]).ax_.set_title("Sizes")
    plot.eigenvalues(spectral, ax=axes[1, 0]).ax_.set_title("Eigenvalues of FSC's graph")
    plot.path(numbers, scores, chosen=best, ax=axes[1, 1]).ax_.set_title("Scores by number of clusters")

# %%
# The map again, coloured by a number: how clearly each row belongs to its cluster.

if find_spec("matplotlib"):
    display = plot.map(model, X, values=model.probabilities_)
    display.ax_.set_title("Probabilities")
