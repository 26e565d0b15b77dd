"""Choices of one's own: nothing of the package knows of these classes."""

from dataclasses import dataclass
from typing import ClassVar

import dask.array as da
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import euclidean_distances

import anchorgraph
from anchorgraph import FSC, ULGE, AnchorGraph, KMeansAnchors, KMeansRounding, RotationRounding
from anchorgraph.contracts import Anchors, Assignment


@dataclass(frozen=True)
class EveryOther:
    """A selector: rows at equal distances in the table."""

    first: int = 0

    def select(self, table, n_anchors, seed):
        chosen = np.linspace(self.first, table.n_rows - 1, n_anchors).astype(int)
        return Anchors(np.asarray(table.take(chosen)))


@dataclass(frozen=True)
class Equal:
    """A weighting: all neighbours count alike."""

    n_extra: ClassVar[int] = 0

    def resolve(self, table, anchors, n_neighbors, rng):
        return self

    def weights(self, h, columns):
        return np.full_like(h, 1 / h.shape[1])


@dataclass(frozen=True)
class BruteForce:
    """A search, and the search prepared."""

    points: np.ndarray | None = None
    name: ClassVar[str] = "brute force"

    def prepare(self, anchors, k, n_rows):
        return BruteForce(anchors.points)

    def nearest(self, block, k):
        h = euclidean_distances(block, self.points, squared=True)
        columns = np.argsort(h, axis=1, kind="stable")[:, :k]
        return columns, np.take_along_axis(h, columns, axis=1)


@dataclass(frozen=True)
class BySign:
    """A rounding: two clusters by the sign of the first column."""

    def round(self, rows, n_clusters, seed):
        directions = np.zeros((rows.n_cols, n_clusters))
        directions[0, :2] = 1, -1
        return Assignment(directions, np.zeros(n_clusters))


OWN = {"anchors": EveryOther(1), "weighting": Equal(), "search": BruteForce(), "n_anchors": 40, "n_neighbors": 4}


@pytest.fixture(scope="module")
def groups():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    return 4 * np.eye(2, 5)[y] + rng.standard_normal((400, 5)), y


@pytest.mark.parametrize("on_dask", [False, True])
def test_a_graph_of_ones_own_goes_through_fsc_and_ulge(groups, on_dask):
    X, y = groups
    source = da.from_array(X, chunks=(90, 5)) if on_dask else X
    model = FSC(2, random_state=0, **OWN).fit(source)
    assert adjusted_rand_score(y, np.asarray(model.labels_)) > 0.9
    np.testing.assert_array_equal(model.predict(X), np.asarray(model.labels_))
    assert (model.search_, model.weighting_) == ("brute force", Equal())
    np.testing.assert_array_equal(model.anchors_, EveryOther(1).select(anchorgraph.as_table(X), 40, 0).points)

    Z = AnchorGraph(random_state=0, **OWN).fit_transform(X)
    np.testing.assert_allclose(Z.data, 1 / 4)
    plane = ULGE(2, random_state=0, **OWN).fit(source).transform(X)
    assert plane.shape == (400, 2)
    assert np.abs(np.corrcoef(plane[:, 0], y)[0, 1]) > 0.9


def test_own_choices_are_cloned_and_shown(groups):
    model = clone(FSC(2, **OWN))
    assert model.get_params()["anchors"] == EveryOther(1)
    assert "EveryOther(first=1)" in repr(model)


def test_a_rounding_of_ones_own(groups):
    X, y = groups
    model = FSC(2, rounding=BySign(), trivial="drop", random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.9
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_what_is_ones_own_cannot_be_saved(groups, tmp_path):
    model = FSC(2, random_state=0, **OWN).fit(groups[0])
    with pytest.raises(ValueError, match=r"got an object of type (EveryOther|Equal|BruteForce)"):
        anchorgraph.save(model, tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "parameters",
    [
        {"anchors": KMeansAnchors(max_iter=20, n_init=2)},
        {"anchors": anchorgraph.BKHKAnchors(tol=0, max_samples=100), "search": anchorgraph.TreeSearch()},
        {"anchors": anchorgraph.HKAnchors(max_iter=3), "search": anchorgraph.AutoSearch()},
        {"anchors": anchorgraph.RandomAnchors(), "search": anchorgraph.ExactSearch()},
        {"rounding": RotationRounding(max_iter=20)},
        {"rounding": KMeansRounding(n_init=3)},
        {"rounding": anchorgraph.QRRounding()},
    ],
    ids=lambda parameters: repr(next(iter(parameters.values()))),
)
def test_choices_of_ours_come_back_from_a_model_file(groups, tmp_path, parameters):
    X, y = groups
    model = FSC(2, n_anchors=30, random_state=0, **parameters).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.9
    anchorgraph.save(model, tmp_path / "model")
    loaded = anchorgraph.load(tmp_path / "model")
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.predict(X), model.labels_)


@pytest.mark.parametrize(
    ("named", "chosen"),
    [
        ({"anchors": "kmeans"}, {"anchors": KMeansAnchors()}),
        ({"search": "exact"}, {"search": anchorgraph.ExactSearch()}),
        ({"rounding": "rotation"}, {"rounding": RotationRounding()}),
        ({"rounding": "kmeans", "n_init": 4}, {"rounding": KMeansRounding(n_init=4)}),
    ],
)
def test_a_name_is_short_for_its_defaults(groups, named, chosen):
    one, other = (FSC(2, random_state=0, **parameters).fit(groups[0]) for parameters in (named, chosen))
    np.testing.assert_array_equal(one.embedding_, other.embedding_)
    np.testing.assert_array_equal(one.labels_, other.labels_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"anchors": EveryOther}, "anchors must be one of 'bkhk', .* or an object with select; got <class"),
        (
            {"weighting": EveryOther()},
            "weighting must be one of 'adaptive', .* with n_extra and resolve and weights; got EveryOther",
        ),
        ({"search": 3}, "search must be one of 'auto', .* with prepare; got 3"),
        ({"rounding": None}, "rounding must be one of 'kmeans', .* with round; got None"),
    ],
)
def test_what_is_no_choice_is_refused(groups, parameters, message):
    with pytest.raises(ValueError, match=message):
        FSC(2, **parameters).fit(groups[0])


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (lambda: KMeansAnchors(max_iter=0), "max_iter must be an integer ≥ 1; got 0"),
        (lambda: KMeansAnchors(n_init="two"), "n_init must be an integer ≥ 1; got 'two'"),
        (lambda: anchorgraph.BKHKAnchors(tol=1), r"tol must be a number in \[0, 1\); got 1"),
        (lambda: KMeansRounding(n_init=0), "n_init must be an integer ≥ 1; got 0"),
    ],
)
def test_impossible_options(choice, message):
    with pytest.raises(ValueError, match=message):
        choice()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_data_frame_is_no_selector_although_it_can_select(groups, frame):
    X, _ = groups
    names = [f"c{i}" for i in range(X.shape[1])]
    given = frame({name: X[:30, i] for i, name in enumerate(names)})
    np.testing.assert_array_equal(FSC(2, anchors=given, random_state=0).fit(X).anchors_, X[:30])


@dataclass(frozen=True)
class Wrong:
    """A weighting that is none."""

    how: str
    n_extra: ClassVar[int] = 0

    def resolve(self, table, anchors, n_neighbors, rng):
        return self

    def weights(self, h, columns):
        equal = np.full_like(h, 1 / h.shape[1])
        return {"too many": np.hstack([equal, equal]), "too large": 2 * equal, "none": np.nan * equal}[self.how]


@pytest.mark.parametrize("how", ["too many", "too large", "none"])
def test_weights_that_are_no_graph_are_refused(groups, how):
    message = r"weighting=Wrong\(how='.*'\) must return weights of shape \(\d+, 5\) that sum to one in each row"
    with pytest.raises(ValueError, match=message):
        AnchorGraph(20, weighting=Wrong(how)).fit(groups[0])


def test_a_weighting_that_sees_more_neighbours_needs_as_many_anchors(groups):
    @dataclass(frozen=True)
    class SeesMore(Equal):
        n_extra: ClassVar[int] = 2

        def weights(self, h, columns):
            return np.full((len(h), h.shape[1] - 2), 1 / (h.shape[1] - 2))

    with pytest.raises(ValueError, match="n_neighbors=5 is too many for 6 anchors; use at most 4, or more anchors"):
        AnchorGraph(6, n_neighbors=5, weighting=SeesMore()).fit(groups[0])
    assert AnchorGraph(6, n_neighbors=4, weighting=SeesMore()).fit_transform(groups[0]).shape == (400, 6)


@pytest.mark.parametrize("parameters", [{"weighting": 3}, {"search": 3}, {"anchors": "grid"}, {"n_neighbors": 0}])
@pytest.mark.parametrize("method", [FSC, ULGE, AnchorGraph, anchorgraph.CSR, anchorgraph.ONGR, anchorgraph.LSC])
def test_wrong_choices_are_refused_before_any_row_is_read(method, parameters, tmp_path):
    with pytest.raises(ValueError, match=f"{next(iter(parameters))} must be"):
        method(**parameters).fit(tmp_path / "not there.npy")
