"""What the displays draw."""

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import same_color, to_rgba
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from anchorgraph import FSC, LE, ULGE, AnchorMap, ClusterPath, Communities, load, plot, save
from anchorgraph.plot.colours import COLOURS, GREY
from waiting import PATIENCE


@pytest.fixture(scope="module")
def rows():
    return make_blobs(300, 5, centers=3, cluster_std=1, random_state=0)[0]


@pytest.fixture(scope="module")
def positions():
    return np.random.default_rng(0).normal(size=(40, 2))


def drawn(display):
    """Positions and colours of the points, in the order of the positions."""
    points = display.points_
    display.figure_.canvas.draw()  # colours of numbers are found when they are drawn
    offsets = np.asarray(points.get_offsets())
    colors = np.broadcast_to(points.get_facecolors(), (len(offsets), 4))
    order = np.lexsort(offsets.T)
    return offsets[order], colors[order]


def in_order(positions, *aligned):
    order = np.lexsort(positions.T)
    return positions[order], *(np.asarray(array)[order] for array in aligned)


@pytest.mark.parametrize(
    ("display", "artists"),
    [
        (lambda ax: plot.map([[0, 1], [2, 3]], values=[0, 1], ax=ax), lambda ax: ax.collections),
        (lambda ax: plot.sizes([0, 1, 1], ax=ax), lambda ax: ax.patches),
        (lambda ax: plot.eigenvalues([0.9, 0.1], ax=ax), lambda ax: ax.lines),
        (lambda ax: plot.path([2, 3], {"score": [1, 2]}, ax=ax), lambda ax: ax.lines),
        (lambda ax: plot.LevelsDisplay([5, 2], [1, 0.5], [2, 1]).plot(ax), lambda ax: ax.lines),
    ],
    ids=["map", "sizes", "eigenvalues", "path", "levels"],
)
def test_axes_are_the_given_ones_or_new_and_a_display_can_be_drawn_again(display, artists):
    figure, (left, right) = plt.subplots(1, 2)
    found = display(right)
    assert (found.ax_, found.figure_) == (right, figure)
    assert artists(right)
    assert not artists(left)
    assert found.plot(left) is found
    assert found.ax_ is left
    assert artists(left)
    assert display(None).figure_ not in (None, figure)


@pytest.mark.parametrize(
    "draw",
    [
        lambda **style: plot.eigenvalues([0.9, 0.8, 0.1], **style).line_,
        lambda **style: plot.path([2, 3], {"a": [1, 2]}, **style).lines_["a"],
    ],
    ids=["eigenvalues", "path"],
)
def test_short_names_of_line_options_replace_defaults_and_ticks_of_ones_own_stay(draw):
    assert draw(c="red", lw=5).get_color() == "red"
    for change in ({"xscale": "log"}, {"xticks": [1.5, 2.5]}):
        ax = plt.subplots(subplot_kw=change)[1]
        locator = ax.xaxis.get_major_locator()
        draw(ax=ax)
        assert ax.xaxis.get_major_locator() is locator


# the map


def test_groups_have_their_colours_and_rows_in_none_are_grey(positions):
    labels = np.arange(40) % 4 - 1
    display = plot.map(positions, values=labels)
    offsets, colors = drawn(display)
    expected, own = in_order(positions, labels)
    np.testing.assert_allclose(offsets, expected)
    wanted = [GREY if label < 0 else COLOURS[label] for label in own]
    assert all(same_color(ours, theirs) for ours, theirs in zip(colors, wanted, strict=True))
    assert [text.get_text() for text in display.legend_.get_texts()] == ["0", "1", "2", "none"]
    handles = display.legend_.legend_handles
    assert [handle.get_color() for handle in handles] == [*COLOURS[:3], GREY]
    assert display.points_.get_rasterized()
    assert display.note_ is None
    assert display.colorbar_ is None


def test_no_group_covers_the_others():
    labels = np.repeat([0, 1], 500)
    points = plot.map(np.random.default_rng(0).normal(size=(1000, 2)), values=labels).points_
    last = points.get_facecolors()[-500:]
    assert 150 < np.count_nonzero((last == to_rgba(COLOURS[1])).all(axis=1)) < 350


def test_names_of_groups_can_stand_within_the_map():
    positions = np.array([[0, 0], [2, 2], [10, 10], [12, 12], [50, 50]])
    display = plot.map(positions, values=["cat", "cat", "dog", "dog", "owl"], legend="within")
    assert {text.get_text(): text.get_position() for text in display.legend_} == {
        "cat": (1, 1),
        "dog": (11, 11),
        "owl": (50, 50),
    }
    assert display.ax_.get_legend() is None


def test_a_legend_of_many_groups_names_the_largest():
    labels = np.concatenate([np.arange(30), np.arange(19), [29]])
    texts = [text.get_text() for text in plot.map(np.zeros((50, 2)), values=labels).legend_.get_texts()]
    assert texts == [*(str(label) for label in range(19)), "29", "10 more"]


def test_numbers_have_a_colour_bar_and_missing_ones_are_grey(positions):
    numbers = np.linspace(5, 9, 40)
    numbers[7] = np.nan
    display = plot.map(positions, values=numbers, cmap="magma")
    assert (display.colorbar_.vmin, display.colorbar_.vmax) == (5, 9)
    assert display.legend_ is None
    _, colors = drawn(display)
    _, own = in_order(positions, numbers)
    expected = plt.get_cmap("magma")((own - 5) / 4)
    expected[np.isnan(own)] = to_rgba(GREY)
    np.testing.assert_allclose(colors, expected)


def test_missing_labels_are_grey(positions):
    for labels in (["a", None, "b", float("nan")], [0, None, 1, -1]):
        display = plot.map(positions, values=labels * 10)
        colors = drawn(display)[1]
        (own,) = in_order(positions, np.arange(40) % 4)[1:]
        wanted = np.array([COLOURS[0], GREY, COLOURS[1], GREY])[own]
        assert all(same_color(ours, theirs) for ours, theirs in zip(colors, wanted, strict=True))
        assert [text.get_text() for text in display.legend_.get_texts()] == [str(labels[0]), str(labels[2]), "none"]
    assert plot.map(positions, values=[0.5, None, 1.5, 2.5] * 10).colorbar_ is not None
    assert names_below(plot.sizes(["b", None, "a"])) == ["a", "b", "none"]


def test_an_empty_cluster_does_not_change_the_colours_of_others(positions):
    display = plot.map(positions, values=np.repeat([0, 2], 20))
    assert [handle.get_color() for handle in display.legend_.legend_handles] == [COLOURS[0], COLOURS[2]]
    assert {tuple(color) for color in drawn(display)[1]} == {to_rgba(COLOURS[0]), to_rgba(COLOURS[2])}
    bars = plot.sizes([0, 2, 2]).bars_
    assert [bar.get_facecolor() for bar in bars] == [to_rgba(COLOURS[0]), to_rgba(COLOURS[2])]


def test_kind_and_legend_can_be_chosen(positions):
    assert plot.map(positions, values=np.arange(40) % 3, kind="numbers").colorbar_ is not None
    assert len(plot.map(positions, values=np.arange(40) % 3 / 2, kind="groups").legend_.get_texts()) == 3
    silent = plot.map(positions, values=np.arange(40) / 2, legend="none")
    assert (silent.colorbar_, silent.legend_) == (None, None)
    silent = plot.map(positions, values=np.arange(40), legend="none")
    assert (silent.colorbar_, silent.legend_) == (None, None)
    for name in ("kind", "legend"):
        with pytest.raises(ValueError, match=rf"^{name} must be one of .*; got 'x'\.$"):
            plot.map(positions, values=np.arange(40), **{name: "x"})


def test_rows_without_values_have_one_colour(positions):
    _, colors = drawn(plot.map(positions))
    assert all(same_color(color, COLOURS[0]) for color in colors)


@pytest.mark.parametrize("values", [None, np.arange(40) % 3, np.linspace(0, 1, 40)], ids=["none", "groups", "numbers"])
def test_given_options_replace_those_of_the_display(positions, values):
    for name in ("c", "color", "fc"):
        display = plot.map(positions, values=values, **{name: "red"})
        assert all(same_color(color, "red") for color in drawn(display)[1])
        assert (display.legend_, display.colorbar_) == (None, None)  # they would show other colours
    points = plot.map(positions, values=values, linewidth=2, s=np.arange(40.0), max_points=30).points_
    assert points.get_linewidths() == [2]
    of_rows = {tuple(place): size for place, size in zip(positions, np.arange(40.0), strict=True)}
    sizes = [of_rows[tuple(place)] for place in np.asarray(points.get_offsets())]
    np.testing.assert_array_equal(points.get_sizes(), sizes)


def test_of_very_many_rows_a_sample_is_drawn_with_a_note(positions):
    display = plot.map(positions, values=np.arange(40) % 2, max_points=10)
    offsets = np.asarray(display.points_.get_offsets())
    assert len(np.unique(offsets, axis=0)) == 10
    assert (offsets[:, None] == positions).all(axis=2).any(axis=1).all()
    assert display.note_.get_text() == "10 of 40 rows"
    again = plot.map(positions, values=np.arange(40) % 2, max_points=10)
    np.testing.assert_array_equal(again.points_.get_offsets(), offsets)
    assert plot.map_display.MAX_POINTS == 200_000


def test_rows_without_a_position_are_not_drawn(positions):
    positions = np.where(np.arange(40)[:, None] == 3, np.nan, positions)
    display = plot.map(positions, values=np.arange(40))
    assert len(display.points_.get_offsets()) == 39
    assert display.note_.get_text() == "39 of 40 rows"


def test_positions_and_values_are_checked(positions):
    with pytest.raises(ValueError, match=r"^positions must have two columns; got shape \(40, 3\)\.$"):
        plot.map(np.zeros((40, 3)))
    with pytest.raises(
        ValueError, match=r"^values must have one entry for each of the 40 positions; got shape \(39,\)"
    ):
        plot.map(positions, values=np.zeros(39))
    with pytest.raises(ValueError, match=r"X is for estimators; pass .* as values="):
        plot.map(positions, np.zeros(40))
    with pytest.raises(ValueError, match="X is for estimators"):
        plot.sizes([0, 1], positions)


def test_the_map_of_an_embedding(rows):
    model = LE(2, random_state=0).fit(rows)
    offsets, _ = drawn(plot.map(model))
    np.testing.assert_allclose(offsets, in_order(model.embedding_)[0])
    offsets, _ = drawn(plot.map(model, rows[:50]))
    np.testing.assert_allclose(offsets, in_order(model.transform(rows[:50]))[0])
    linear = ULGE(2, n_anchors=20, random_state=0).fit(rows)
    with pytest.raises(ValueError, match=r"^ULGE has no embedding_ to draw\.$"):
        plot.map(linear)
    assert len(plot.map(linear, rows).points_.get_offsets()) == 300
    with pytest.raises(NotFittedError):
        plot.map(LE(2))


def test_the_map_of_a_clusterer(rows):
    masked = rows.copy()
    masked[4, 2] = np.nan
    model = Communities(3, missing="mask", random_state=0).fit(masked)
    display = plot.map(model, masked)
    np.testing.assert_array_equal(display.values, model.labels_)
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(display.positions).any(axis=1)), [4])
    own = [display.positions[model.labels_ == label] for label in range(3)]
    centres = np.array([places.mean(axis=0) for places in own])
    spread = max(places.std() for places in [places - places.mean(axis=0) for places in own])
    gaps = np.linalg.norm(centres[:, None] - centres, axis=2)[np.triu_indices(3, 1)]
    assert gaps.min() > 2 * spread  # the clusters are apart in it
    numbers = np.linspace(0, 1, 300)
    np.testing.assert_array_equal(plot.map(model, masked, values=numbers).values, numbers)
    sampled = plot.map(model, masked, max_points=100)
    assert np.isfinite(sampled.positions).all(axis=1).sum() <= 100
    assert sampled.note_.get_text().endswith("of 300 rows")
    with pytest.raises(ValueError, match=r"^A map of Communities needs the rows of the fit; pass X\.$"):
        plot.map(model)
    with pytest.raises(ValueError, match=r"^X must be the 300 rows of the fit; it has 200\.$"):
        plot.map(model, rows[:200])


def test_the_map_of_a_clusterer_has_its_metric_and_rows_of_two_columns_are_a_map(rows):
    for metric in ("euclidean", "cosine"):
        model = Communities(3, metric=metric, random_state=0).fit(rows)
        expected = AnchorMap(metric=metric, random_state=0).fit_transform(rows)
        np.testing.assert_array_equal(plot.map(model, rows).positions, expected.astype(np.float32))
    narrow = rows[:, :2].astype(np.float32)
    model = Communities(3, random_state=0).fit(narrow)
    np.testing.assert_array_equal(plot.map(model, narrow).positions, narrow)


def test_of_a_pipeline_the_last_step_is_drawn(rows, tmp_path):
    narrow = rows[:, :2] * (1, 100)
    scaled = StandardScaler().fit_transform(narrow)
    model = make_pipeline(StandardScaler(), KMeans(2, random_state=0)).fit(narrow)
    display = plot.map(model, narrow)
    np.testing.assert_allclose(display.positions, scaled, rtol=1e-6)
    np.testing.assert_array_equal(display.values, model[-1].labels_)
    assert heights(plot.sizes(model)) == np.bincount(model[-1].labels_).tolist()
    np.save(tmp_path / "rows.npy", narrow)
    np.testing.assert_allclose(plot.map(model, tmp_path / "rows.npy").positions, scaled, rtol=1e-6)
    plane = make_pipeline(StandardScaler(), PCA(2)).fit(rows)
    np.testing.assert_allclose(plot.map(plane, rows).positions, plane.transform(rows))
    spectral = make_pipeline(make_pipeline(StandardScaler(), FSC(3, n_anchors=20, random_state=0))).fit(rows)
    expected = spectral[-1][-1].singular_values_ ** 2
    np.testing.assert_array_equal(plot.eigenvalues(spectral).eigenvalues, expected)


def test_a_clusterer_from_a_file_predicts_the_clusters(rows, tmp_path):
    narrow = rows[:, :2]
    fitted = FSC(3, n_anchors=20, random_state=0).fit(narrow)
    save(fitted, tmp_path / "model.safetensors")
    model = load(tmp_path / "model.safetensors")
    display = plot.map(model, narrow)
    np.testing.assert_array_equal(display.values, fitted.predict(narrow))
    np.testing.assert_array_equal(display.positions, narrow.astype(np.float32))
    assert heights(plot.sizes(model, narrow)) == np.bincount(fitted.predict(narrow)).tolist()
    with pytest.raises(ValueError, match=r"^FSC has no labels_, which model files do not keep; pass X\.$"):
        plot.sizes(model)


# sizes


def heights(display):
    return [bar.get_height() for bar in display.bars_]


def names_below(display):
    return [text.get_text() for text in display.ax_.get_xticklabels()]


def test_sizes_are_bars_in_the_colours_of_the_map():
    labels = [0, 1, 1, 2, 2, 2, 2, -1]
    display = plot.sizes(labels)
    assert heights(display) == [1, 2, 4, 1]
    assert names_below(display) == ["0", "1", "2", "none"]
    colors = [bar.get_facecolor() for bar in display.bars_]
    assert all(same_color(ours, theirs) for ours, theirs in zip(colors, [*COLOURS[:3], GREY], strict=True))
    by_size = plot.sizes(labels, order="size")
    assert heights(by_size) == [4, 2, 1, 1]
    assert names_below(by_size) == ["2", "1", "0", "none"]
    assert same_color(by_size.bars_[0].get_facecolor(), COLOURS[2])
    with pytest.raises(ValueError, match=r"^order must be one of 'label', 'size'; got 'name'\.$"):
        plot.sizes(labels, order="name")


def test_sizes_of_a_clusterer_and_of_names(rows):
    model = FSC(3, n_anchors=20, random_state=0).fit(rows)
    assert heights(plot.sizes(model)) == np.bincount(model.labels_).tolist()
    assert names_below(plot.sizes(["dog", "cat", "dog"])) == ["cat", "dog"]
    assert names_below(plot.sizes(np.arange(100))) == []
    with pytest.raises(ValueError, match=r"^ULGE has no labels_ to draw\.$"):
        plot.sizes(ULGE(2, n_anchors=20, random_state=0).fit(rows))


# eigenvalues


def test_eigenvalues_and_their_largest_gap():
    display = plot.eigenvalues([0.99, 0.98, 0.97, 0.5, 0.4])
    np.testing.assert_array_equal(display.line_.get_xydata(), [[1, 0.99], [2, 0.98], [3, 0.97], [4, 0.5], [5, 0.4]])
    np.testing.assert_array_equal(display.gap_.get_xydata(), [[3, 0.97], [4, 0.5]])
    assert display.suggested == 4
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["largest gap: 4 clusters"]
    for few in ([0.9], [0.9, 0.1]):  # a single gap is no choice
        display = plot.eigenvalues(few)
        assert (display.gap_, display.suggested) == (None, None)


def test_eigenvalues_of_methods(rows):
    model = FSC(None, n_anchors=20, random_state=0).fit(rows)
    display = plot.eigenvalues(model)
    np.testing.assert_allclose(display.line_.get_ydata(), model.singular_values_**2)
    assert display.suggested == model.n_clusters_ == 3
    model = LE(2, random_state=0).fit(rows)
    np.testing.assert_allclose(plot.eigenvalues(model).line_.get_ydata(), 1 - model.eigenvalues_)
    with pytest.raises(ValueError, match=r"^PCA is not a method of anchorgraph, .* pass the eigenvalues of a graph"):
        plot.eigenvalues(PCA(2).fit(rows))


# the path


def test_scores_by_number_of_clusters():
    display = plot.path([4, 2, 3], {"silhouette": [3, 1, 2], "stability": [0.1, 0.2, 0.3]}, chosen=3)
    np.testing.assert_array_equal(display.lines_["silhouette"].get_xydata(), [[2, 1], [3, 2], [4, 3]])
    np.testing.assert_array_equal(display.lines_["stability"].get_xydata(), [[2, 0.2], [3, 0.3], [4, 0.1]])
    assert display.chosen_line_.get_xdata() == [3, 3]
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["silhouette", "stability", "chosen: 3 clusters"]
    assert display.ax_.get_ylabel() == "score"
    assert plot.path([2, 3], {"silhouette": [1, 2]}).ax_.get_ylabel() == "silhouette"
    with pytest.raises(ValueError, match=r"^chosen must be one of n_clusters; got 5\.$"):
        plot.path([2, 3], {"silhouette": [1, 2]}, chosen=5)
    with pytest.raises(ValueError, match=r"^scores\['a'\] must have a value for each of the 2 n_clusters; got shape"):
        plot.path([2, 3], {"a": [1, 2, 3]})


def test_the_path_of_a_clusterer(rows):
    model = Communities(3, random_state=0)
    scores = {"modularity": lambda fitted, X: fitted.modularity_, "rows": lambda fitted, X: len(X)}
    display = plot.PathDisplay.from_estimator(model, rows, [2, 3, 4], scores, chosen=3)
    assert not hasattr(model, "labels_")
    expected = [Communities(number, random_state=0).fit(rows).modularity_ for number in (2, 3, 4)]
    np.testing.assert_array_equal(display.lines_["modularity"].get_ydata(), expected)
    np.testing.assert_array_equal(display.lines_["rows"].get_ydata(), [300] * 3)


def test_the_path_of_one_graph():
    cluster_path = ClusterPath(
        np.array([2, 4]), np.array([0.1, 0.4]), np.array([0.2, 1]), np.array([0.5, 1]), 4, "Because.", {}
    )
    for display in (plot.path(cluster_path), plot.PathDisplay.from_path(cluster_path)):
        assert {name: line.get_ydata().tolist() for name, line in display.lines_.items()} == {
            "stability": [0.5, 1],
            "normalised cut / clusters": [0.1, 0.25],
            "eigengap / largest": [0.25, 1],
        }
        assert display.chosen_line_.get_xdata() == [4, 4]
    with pytest.raises(ValueError, match=r"^A ClusterPath has its own scores and chosen number; pass neither"):
        plot.path(cluster_path, chosen=2)
    with pytest.raises(ValueError, match=r"^scores must be given for numbers of clusters; only a ClusterPath"):
        plot.path([2, 3])


# levels


def test_levels_by_resolution():
    display = plot.LevelsDisplay([1400, 34, 12], [2.0, 0.3, 0.05], [0.5, 2.5, 1.5], chosen=1).plot(marker="s")
    np.testing.assert_array_equal(display.points_.get_xydata(), [[2, 0.5], [0.3, 2.5], [0.05, 1.5]])
    assert (display.points_.get_marker(), display.points_.get_linestyle()) == ("s", "None")
    assert [text.get_text() for text in display.texts_] == ["1,400", "34", "12"]
    assert [text.xy for text in display.texts_] == [(2, 0.5), (0.3, 2.5), (0.05, 1.5)]
    np.testing.assert_array_equal(display.chosen_point_.get_xydata(), [[0.3, 2.5]])
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["chosen: 34 clusters"]
    assert (display.ax_.get_xscale(), display.ax_.get_ylabel()) == ("log", "persistence")
    assert [segment.tolist() for segment in display.stems_.get_segments()][1] == [[0.3, 0], [0.3, 2.5]]
    assert plot.LevelsDisplay([2], [1], [1]).plot().chosen_point_ is None


def test_a_resolution_of_zero_has_a_place():
    display = plot.LevelsDisplay([34, 12], [0.3, 0], [2.5, 1.5], chosen=0).plot()
    assert display.ax_.get_xscale() == "symlog"
    display.figure_.canvas.draw()
    left, right = display.ax_.transData.transform(display.points_.get_xydata()[::-1])[:, 0]
    assert np.isfinite(left)
    assert display.ax_.bbox.x0 < left < right < display.ax_.bbox.x1


def test_the_levels_of_a_clusterer(rows, tmp_path):
    digits = load_digits().data
    model = make_pipeline(StandardScaler(with_std=False), Communities(random_state=0)).fit(digits)
    levels = model[-1].levels_
    assert len(levels) > 1
    save(model, tmp_path / "model.safetensors")
    for fitted in (model, model[-1], load(tmp_path / "model.safetensors")):
        display = plot.levels(fitted)
        assert all(level.resolution > 0 for level in levels)
        assert display.n_clusters.tolist() == [level.n_clusters for level in levels]
        np.testing.assert_array_equal(display.resolutions, [level.resolution for level in levels])
        np.testing.assert_array_equal(display.persistences, [level.persistence for level in levels])
        assert display.chosen == model[-1].level_
        path = model[-1].resolution_path_
        np.testing.assert_array_equal(display.line_.get_xdata(), np.sort(path[:, 0]))
        for level in levels:  # each is a partition of the path
            near = np.abs(path[:, 0] - level.resolution).argmin()
            np.testing.assert_allclose(path[near, [0, 2]], [level.resolution, level.persistence])
    far = np.repeat([0.0, 1e3, 3e5, 3.01e5], 30)[:, np.newaxis] + np.random.default_rng(0).random((120, 1))
    parts = Communities(random_state=0).fit(far)
    assert [level.n_clusters for level in parts.levels_] == [4, 2]  # of which the second one joins parts
    assert plot.levels(parts).n_clusters.tolist() == [4]
    single = plot.levels(Communities(random_state=0).fit(np.random.default_rng(0).normal(size=(200, 3))))
    single.figure_.canvas.draw()
    assert single.n_clusters.tolist() == [1]
    with pytest.raises(ValueError, match=r"^FSC has no levels_ to draw\.$"):
        plot.levels(FSC(3, n_anchors=20, random_state=0).fit(rows))
    with pytest.raises(NotFittedError):
        plot.levels(Communities())


def test_levels_are_checked():
    for wrong, sentence in (
        (([], [], []), r"^n_clusters must have one entry for each level; got shape \(0,\)\.$"),
        (([3, 2], [1], [1, 2]), r"^resolutions must have one entry for each of the 2 levels; got \(1,\)\.$"),
        (([3, 2], [2, 1], [1]), r"^persistences must have one entry for each of the 2 levels; got \(1,\)\.$"),
        (([3, 2], [1, -1], [1, 2]), r"^resolutions must be at least 0; got -1\.$"),
    ):
        with pytest.raises(ValueError, match=sentence):
            plot.LevelsDisplay(*wrong)
    with pytest.raises(ValueError, match=r"^path must have three columns, .*; got shape \(2, 2\)\.$"):
        plot.LevelsDisplay([3, 2], [2, 1], [1, 2], path=np.ones((2, 2)))
    assert plot.LevelsDisplay([3, 2], [2, 1], [1, 2]).plot().line_ is None
    for chosen in (2, -1):
        with pytest.raises(ValueError, match=rf"^chosen must be the index of one of the 2 levels; got {chosen}\.$"):
            plot.LevelsDisplay([3, 2], [2, 1], [1, 2], chosen=chosen)


# matplotlib


def run_without(statement):
    """What a process without matplotlib prints."""
    code = f"import sys; sys.modules['matplotlib'] = None; import anchorgraph; {statement}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE).stderr


def test_without_matplotlib_displays_can_be_made_and_drawing_says_what_is_missing():
    assert run_without("anchorgraph.plot.MapDisplay([[0, 0]])") == ""
    told = run_without("anchorgraph.plot.sizes([0, 1])").splitlines()
    assert told[-1] == 'ImportError: Drawing requires matplotlib: pip install "anchorgraph[plot]".'
