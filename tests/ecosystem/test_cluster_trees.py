"""Levels of clusters in the form that EVoC and toponymy have, compared with these packages."""

import numpy as np
import pytest

from anchorgraph import Communities

N_MISSING = 3


@pytest.fixture(scope="module")
def rows():
    """Twelve clusters, four in each of three groups, and rows that are left out."""
    rng = np.random.default_rng(0)
    centres = np.repeat(40 * np.eye(3, 6), 4, axis=0) + 4 * rng.standard_normal((12, 6))
    clustered = np.repeat(centres, 60, axis=0) + 0.6 * rng.standard_normal((720, 6))
    return np.concatenate([np.full((N_MISSING, 6), np.nan), rng.permutation(clustered)])


@pytest.fixture(scope="module", params=[None, 12, 2], ids=["unknown number", "12 clusters", "2 clusters"])
def model(rows, request):
    found = Communities(request.param, missing="mask", random_state=0).fit(rows)
    assert len(found.levels_) > 1
    assert all((layer[:N_MISSING] == -1).all() for layer in found.cluster_layers_)
    return found


def as_sets(tree):
    return {parent: set(children) for parent, children in tree.items()}


def test_the_form_is_that_of_evoc(model, rows):
    evoc = pytest.importorskip("evoc", reason="needs EVoC: make test-ecosystem")
    theirs = evoc.EVoC(base_min_cluster_size=10).fit(rows[N_MISSING:].astype(np.float32))
    assert type(model.cluster_layers_) is type(theirs.cluster_layers_) is list
    assert type(model.cluster_tree_) is type(theirs.cluster_tree_) is dict
    for one in (model, theirs):
        for layer in one.cluster_layers_:
            assert isinstance(layer, np.ndarray)
            assert np.issubdtype(layer.dtype, np.integer)
        numbers = [int(layer.max()) + 1 for layer in one.cluster_layers_]
        assert numbers == sorted(numbers, reverse=True)  # finest first
        assert max(one.cluster_tree_) == (len(numbers), 0)
        children = [child for found in one.cluster_tree_.values() for child in found]
        assert sorted(children) == [(level, n) for level, number in enumerate(numbers) for n in range(number)]


def test_the_tree_is_that_of_evoc(model):
    evoc = pytest.importorskip("evoc.clustering_utilities", reason="needs EVoC: make test-ecosystem")
    # it finds the children of the wrong clusters in layers without rows that are -1
    expected = evoc.build_cluster_tree(np.vstack(model.cluster_layers_))
    assert as_sets(model.cluster_tree_) == as_sets(expected)


def test_the_tree_is_that_of_toponymy(model, monkeypatch):
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or it would wait for a file of the internet
    toponymy = pytest.importorskip("toponymy.clustering", reason="needs toponymy: make test-ecosystem")
    for first in (0, N_MISSING):  # with and without rows that are -1
        layers = [layer[first:] for layer in model.cluster_layers_]
        assert as_sets(model.cluster_tree_) == as_sets(toponymy.build_cluster_tree(layers))


def test_toponymy_takes_our_levels_in_place_of_those_of_evoc(rows, monkeypatch):
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    toponymy = pytest.importorskip("toponymy.clustering", reason="needs toponymy: make test-ecosystem")
    pytest.importorskip("evoc", reason="needs EVoC: make test-ecosystem")
    own, rows = Communities(random_state=0), rows[N_MISSING:]
    clusterer = toponymy.EVoCClusterer()
    clusterer.evoc = own
    layers, tree = clusterer.fit_predict(rows, rows)
    for layer, labels in zip(layers, own.cluster_layers_, strict=True):
        np.testing.assert_array_equal(layer.cluster_labels, labels)
        assert len(layer.centroid_vectors) == labels.max() + 1
    assert as_sets(tree) == as_sets(own.cluster_tree_)
