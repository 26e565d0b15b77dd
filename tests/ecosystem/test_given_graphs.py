"""Graphs of nearest rows by other packages, for Communities and AnchorMap."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.metrics import normalized_mutual_info_score
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph import AnchorMap, Communities

X, y = load_digits(return_X_y=True)
X = X.astype(np.float32)


def as_matrix(indices, distances):
    """As docs/methods/communities.md has it."""
    starts = np.arange(0, indices.size + 1, indices.shape[1])
    return sparse.csr_matrix((distances.ravel(), indices.ravel(), starts), shape=(len(X), len(X)))


def of_pynndescent():
    pynndescent = pytest.importorskip("pynndescent", reason="needs pynndescent: make test-ecosystem")
    return as_matrix(*pynndescent.NNDescent(X, n_neighbors=16, random_state=0).neighbor_graph)


def of_faiss():
    faiss = pytest.importorskip("faiss", reason="needs faiss-cpu: make test-ecosystem")
    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X)
    squares, indices = index.search(X, 16)
    return as_matrix(indices, np.sqrt(squares))


def of_umap():
    umap = pytest.importorskip("umap", reason="needs umap-learn: make test-ecosystem")
    return umap.UMAP(n_neighbors=15, random_state=0, transform_mode="graph").fit(X).graph_


@pytest.mark.parametrize(
    ("metric", "make"), [("precomputed", of_pynndescent), ("precomputed", of_faiss), ("affinity", of_umap)]
)
def test_clusters_and_a_map_of_the_graph_of_another_package(metric, make):
    graph = make()
    model = Communities(10, metric=metric, random_state=0).fit(graph)
    assert normalized_mutual_info_score(y, model.labels_) > 0.9
    assert np.mean(model.predict(graph) == model.labels_) > 0.99
    positions = AnchorMap(metric=metric, random_state=0).fit_transform(graph)
    assert KNeighborsClassifier(10).fit(positions, y).score(positions, y) > 0.95


def test_distances_of_faiss_are_squared():
    faiss = pytest.importorskip("faiss", reason="needs faiss-cpu: make test-ecosystem")
    index = faiss.IndexFlatL2(1)
    index.add(np.array([[0.0], [3.0]], np.float32))
    squares, _ = index.search(np.zeros((1, 1), np.float32), 2)
    assert squares.tolist() == [[0, 9]]
