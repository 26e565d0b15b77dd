"""Work that several choices of a grid have in common."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits

from anchorgraph import LE, LSC, ONGR
from anchorgraph.anchors import KMeansAnchors
from anchorgraph.bench.forms import Rows
from anchorgraph.bench.methods import make_method
from anchorgraph.bench.protocols.timed import timed
from anchorgraph.bench.sharing import SharedWork
from anchorgraph.numerics.recall import recall, recalling, saved_seconds


@pytest.fixture
def digits():
    return Rows(*load_digits(return_X_y=True))


@pytest.fixture
def keeper(tmp_path):
    return SharedWork(tmp_path)


def test_work_is_done_once_for_the_same_things(keeper):
    done = []

    def compute():
        done.append(1)
        return np.arange(3), np.ones((2, 2))

    X = np.eye(3, dtype=np.float32)
    with recalling(keeper):
        first = recall("it", (X, 2, "a"), compute)
        again = recall("it", (X.copy(), 2, "a"), compute)
        assert len(done) == 1
        for one, other in zip(first, again, strict=True):
            np.testing.assert_array_equal(one, other)
        for other in (
            (X + 1, 2, "a"),
            (X, 3, "a"),
            (X, 2, "b"),
            (X.astype(float), 2, "a"),
            (sparse.csr_array(X), 2, "a"),
        ):
            recall("it", other, compute)
        recall("that", (X, 2, "a"), compute)
    assert len(done) == 7
    recall("it", (X, 2, "a"), compute)  # nobody keeps it here
    assert len(done) == 8


def test_saved_time_counts(keeper, monkeypatch):
    clock = iter([0.0, 5.0])
    with recalling(keeper):
        monkeypatch.setattr("anchorgraph.bench.sharing.time.perf_counter", lambda: next(clock))
        recall("it", (), lambda: (np.zeros(1),))
        monkeypatch.undo()
        _, seconds = timed(lambda: recall("it", (), lambda: (np.zeros(1),)))
        assert saved_seconds() == 5.0
        assert seconds["seconds"] >= 5
    assert saved_seconds() == 0.0


@pytest.mark.parametrize(
    ("method", "params"),
    [
        (ONGR, {"anchors": "random", "n_neighbors": 3, "lam": 0.1}),
        (ONGR, {"anchors": "kmeans", "n_neighbors": 8, "weighting": "self-tuning"}),
        (LSC, {"anchors": "kmeans", "n_neighbors": 2}),
    ],
)
def test_a_shared_fit_has_the_same_labels(digits, keeper, method, params):
    plain = make_method(method.__name__, params | {"n_anchors": 100}, digits, 0).fit_predict(digits.X)
    with recalling(keeper):
        for k in (5, params["n_neighbors"]):
            shared = make_method(
                method.__name__, params | {"n_anchors": 100, "n_neighbors": k}, digits, 0, shared="digits 0"
            )
            labels = shared.fit_predict(digits.X)
    np.testing.assert_array_equal(labels, plain)
    assert saved_seconds() == 0
    assert keeper.saved > 0


def test_more_anchors_than_were_kept_are_found_anew(digits, keeper):
    with recalling(keeper):
        for k in (3, 12):
            params = {"anchors": "random", "n_anchors": 100, "n_neighbors": k}
            shared = make_method("LSC", params, digits, 0, shared="digits 0").fit(digits.X)
            assert set(np.diff(shared._graph(digits.X[:50]).indptr)) == {k}


def test_neighbours_of_rows_are_shared_between_methods(digits, keeper, tmp_path):
    plain = LE(3, random_state=0).fit(digits.X).embedding_
    with recalling(keeper):
        for _ in range(2):
            shared = LE(3, random_state=0).fit(digits.X).embedding_
    np.testing.assert_allclose(shared, plain)
    assert len(list(tmp_path.iterdir())) == 1


def test_default_anchors_are_shared_unless_their_rounds_are_chosen(digits):
    shared = make_method("CSR", {"n_anchors": 100}, digits, 0, shared="digits 0")
    assert shared.anchors.selector == KMeansAnchors()
    assert make_method("CSR", {"kmeans_rounds": 3}, digits, 0, shared="digits 0").anchors == "kmeans"


def test_anchors_with_a_tree_are_not_shared(digits):
    model = make_method("FSC", {"n_anchors": 100}, digits, 0, shared="digits 0")
    assert (model.anchors, model.search) == ("bkhk", "auto")
