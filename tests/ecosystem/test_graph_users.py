"""Packages that take a graph of nearest rows."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from anchorgraph import RowGraph

umap = pytest.importorskip("umap", reason="needs umap-learn: make test-ecosystem")


@pytest.fixture(scope="module")
def rows():
    """Digits, moved so that no two distances are the same."""
    X = load_digits().data
    return X + 0.1 * np.random.default_rng(0).standard_normal(X.shape)


def nearest(X, n_neighbors, **options):
    """The row itself and its nearest ones, and the distances: as docs/methods/row_graph.md has it."""
    graph = RowGraph(n_neighbors - 1, random_state=0, **options).fit_transform(X)
    return graph.indices.reshape(len(X), -1), graph.data.reshape(len(X), -1)


def test_umap_takes_the_nearest_rows(rows):
    plane = umap.UMAP(n_neighbors=15, precomputed_knn=nearest(rows, 15), random_state=0).fit_transform(rows)
    near = RowGraph(n_neighbors=10).fit_transform(plane).indices.reshape(len(rows), 11)[:, 1:]
    y = load_digits().target
    assert np.mean(y[near] == y[:, np.newaxis]) > 0.9


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_umap_makes_the_same_graph_of_them_as_of_its_own(rows, metric):
    """For so few rows, UMAP computes all distances; half of the squared chord is its cosine distance."""

    def graph(**options):
        return umap.UMAP(n_neighbors=15, metric=metric, transform_mode="graph", **options).fit(rows).graph_

    neighbors, distances = nearest(rows, 15, metric=metric)
    if metric == "cosine":
        distances = distances**2 / 2
    expected = graph()
    assert abs(graph(precomputed_knn=(neighbors, distances)) - expected).max() < 1e-4
    others = (neighbors + 1) % len(rows)
    assert abs(graph(precomputed_knn=(others, distances)) - expected).max() > 0.5  # what is given is used
