"""Packages that take a graph of nearest rows."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from anchorgraph import RowGraph

umap = pytest.importorskip("umap", reason="needs umap-learn: make test-ecosystem")


def test_umap_takes_the_nearest_rows():
    X, y = load_digits(return_X_y=True)
    graph = RowGraph(n_neighbors=14, random_state=0).fit_transform(X)
    neighbors = graph.indices.reshape(len(X), 15)
    distances = graph.data.reshape(len(X), 15)
    plane = umap.UMAP(n_neighbors=15, precomputed_knn=(neighbors, distances), random_state=0).fit_transform(X)
    near = RowGraph(n_neighbors=10, mode="distance").fit_transform(plane).indices.reshape(len(X), 11)[:, 1:]
    assert np.mean(y[near] == y[:, np.newaxis]) > 0.9
