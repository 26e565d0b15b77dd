"""What only real data show. Skipped where ANCHORGRAPH_DATA does not have them."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import normalize

from anchorgraph import BKHK, FSC, AnchorGraph, Communities
from anchorgraph.datasets import load
from anchorgraph.metrics import clustering_accuracy
from anchorgraph.spectrum import anchor_gram, anchor_spectrum
from anchorgraph.table import as_table


def load_or_skip(name):
    folder = os.environ.get("ANCHORGRAPH_DATA", "")
    if not (Path(folder) / f"{name}.npz").is_file():
        pytest.skip(f"ANCHORGRAPH_DATA names no folder with {name}.npz")
    return load(name)


@pytest.fixture(scope="module", params=["usps", "pendigits"])
def data(request):
    return load_or_skip(request.param)


@pytest.mark.parametrize(("name", "least"), [("coil20", 77), ("usps", 72), ("pendigits", 86)])
def test_the_defaults_of_fsc_reach_the_published_accuracies(name, least):
    data = load_or_skip(name)
    X, n_clusters = data.X.astype(np.float32), data.y.max() + 1
    n_anchors = min(1024, len(X) // 2)
    models = [FSC(n_clusters, n_anchors=n_anchors, random_state=seed).fit(X) for seed in range(3)]
    assert 100 * np.mean([clustering_accuracy(data.y, model.labels_) for model in models]) > least


def test_early_stopping_costs_little_quality(data):
    """On the average of five trees; between two trees the error differs by some hundredths anyway."""
    X = data.X.astype(np.float32)

    def error(**options):
        models = [BKHK(512, random_state=seed, **options).fit(X) for seed in range(5)]
        return np.mean([np.mean(np.sum((X - model.cluster_centers_[model.labels_]) ** 2, axis=1)) for model in models])

    assert error() < 1.02 * error(tol=0)


def test_a_graph_by_the_tree_clusters_as_well_as_the_exact_one(data):
    """Trap 7: a search is judged by what is built on it."""
    X = data.X.astype(np.float32)
    scores = {"exact": [], "tree": []}
    for seed in range(3):
        neighbours = {}
        for how, kept in scores.items():
            Z = AnchorGraph(1024, search=how, random_state=seed).fit_transform(X)
            neighbours[how] = Z.indices.reshape(-1, 5)
            spectrum = anchor_spectrum(*anchor_gram(as_table(Z)), 10)
            F = normalize(Z @ spectrum.anchor_map.astype(np.float32))
            labels = KMeans(10, n_init=10, random_state=0).fit_predict(F)
            kept.append(100 * normalized_mutual_info_score(data.y, labels))
        found = neighbours["tree"][:, :, np.newaxis] == neighbours["exact"][:, np.newaxis, :]
        assert found.any(axis=2).mean() > 0.98
    assert np.mean(scores["tree"]) > np.mean(scores["exact"]) - 1


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("sentences_stackoverflow", 0.720),
        ("sentences_clinc150", 0.916),
        ("cells_cord_blood", 0.750),
        ("cells_pbmc_sorted", 0.929),
        ("usps", 0.899),
        ("coil20", 0.976),
    ],
)
def test_communities_are_near_the_true_classes(name, least):
    data = load_or_skip(name)
    model = Communities(data.y.max() + 1, random_state=0).fit(data.X.astype(np.float32))
    assert normalized_mutual_info_score(data.y, model.labels_) > least


@pytest.mark.parametrize(("name", "n_components", "least"), [("stackoverflow", 32, 0.6), ("clinc150", 200, 0.7)])
def test_the_number_of_coordinates_follows_the_words(name, n_components, least):
    """Sentences by their words alone: twenty subjects lie in few coordinates, 150 in all of them."""
    y = load_or_skip(f"sentences_{name}").y
    path = Path(os.environ["ANCHORGRAPH_DATA"]) / f"sentences_{name}_texts.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        words = TfidfVectorizer(min_df=2, sublinear_tf=True).fit_transform(lines)
    X = normalize(TruncatedSVD(200, random_state=0).fit_transform(words))
    known = np.flatnonzero(np.abs(X).sum(axis=1))
    model = Communities(y.max() + 1, random_state=0).fit(X[known].astype(np.float32))
    assert model.n_components_ == n_components
    assert normalized_mutual_info_score(y[known], model.labels_) > least
