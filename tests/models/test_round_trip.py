"""Models come back from their files as they were."""

import json

import numpy as np
import pytest
import safetensors
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from anchorgraph import BKHK, FSC, LE, MMC, ULGE, AnchorGraph, Gaussian, load, save
from anchorgraph.catalogue import CATALOGUE
from anchorgraph.estimators.bases.fields import saved_fields
from anchorgraph.graph import cells
from fitted_models import FRAME, GROUPS, NEW_ROWS, ROWS, UNFITTED, WORDS, fitted, results
from model_files import content_of, write_content

pytestmark = pytest.mark.filterwarnings("ignore:X does not have valid feature names")

NOT_FOR_NEW_ROWS = {"labels_", "embedding_", "memberships_", "probabilities_", "subclasses_", "_seen", "_finest"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


def again(model, path):
    save(model, path)
    return load(path)


def arrays_in(path):
    with safetensors.safe_open(path, framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping


def last(model):
    return model.steps[-1][1] if isinstance(model, Pipeline) else model


@pytest.mark.parametrize("name", UNFITTED)
def test_results_are_the_same_to_the_bit(name, path):
    model = fitted(name)
    loaded = again(model, path)
    assert type(loaded) is type(model)
    for X in (NEW_ROWS, NEW_ROWS.astype(np.float32), sparse.csr_array(np.where(NEW_ROWS > 6, NEW_ROWS, 0))):
        try:
            expected = results(model, X)
        except (TypeError, ValueError):  # sparse rows, for a centring scaler or a kernel that takes none
            assert sparse.issparse(X)
            continue
        for verb, rows in results(loaded, X).items():
            assert rows.dtype == expected[verb].dtype
            assert rows.tobytes() == expected[verb].tobytes()


@pytest.mark.parametrize("name", UNFITTED)
def test_every_attribute_is_there_but_those_that_have_an_entry_for_each_row(name, path):
    model, loaded = last(fitted(name)), last(again(fitted(name), path))
    here, there = vars(model), vars(loaded)
    assert set(there) <= set(here)
    rows_needed = model.card.key in ("le", "knnsc")
    assert set(here) - set(there) == (set() if rows_needed else NOT_FOR_NEW_ROWS & set(here))
    for key in set(there) - {"n_jobs", "anchors", "random_state"}:
        if isinstance(here[key], np.ndarray):
            np.testing.assert_array_equal(there[key], here[key])
            assert there[key].dtype.kind == here[key].dtype.kind
            assert there[key].flags.f_contiguous == here[key].flags.f_contiguous
        elif isinstance(here[key], int | float | str):
            assert there[key] == here[key]
    assert loaded.n_jobs is None
    clone(loaded)


def test_every_method_is_tried():
    assert {last(model).card.key for model, *_ in UNFITTED.values()} == set(CATALOGUE)


@pytest.mark.parametrize("key", [key for key, method in CATALOGUE.items() if method.card.streams])
def test_no_array_grows_with_the_rows(key, path):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((10_000, 3)), rng.integers(3, size=10_000)
    model = CATALOGUE[key]()
    small = {"n_anchors": 64, "n_init": 1, "n_clusters": 3, "max_iter": 5, "max_samples": 2000, "random_state": 0}
    small |= {"graph": "anchors"}  # a map of rows has a place for each
    model.set_params(**{name: value for name, value in small.items() if name in model.get_params()})
    save(model.fit(X, y) if model.card.supervised else model.fit(X), path)
    assert not [name for name, array in arrays_in(path).items() if 10_000 in array.shape]


@pytest.mark.parametrize("key", ["ssda", "lsda", "lada", "ada", "allda", "lpp", "sr"])
def test_methods_on_pairs_of_rows_whose_map_needs_none_keep_none(key, path):
    save(fitted("lpp" if key == "lpp" else "sr, linear" if key == "sr" else key), path)
    assert not [name for name, array in arrays_in(path).items() if len(ROWS) in array.shape]


def test_a_file_holds_no_threads_of_another_machine(path):
    model = AnchorGraph(16, search="tree", n_jobs=7, random_state=0).fit(ROWS)
    loaded = again(model, path)
    assert loaded.n_jobs is None
    assert "7" not in json.dumps(header(path)["estimator"]["parameters"])
    assert again(LE(n_jobs=7).fit(ROWS), path)._neighbors.n_jobs is None


def test_candidates_for_other_cells_than_this_version_makes(path, monkeypatch):
    """Earlier versions had other numbers of cells, of two or more anchors each."""
    monkeypatch.setattr(cells, "MOST_CELLS", 10)
    monkeypatch.setattr(cells, "ANCHORS_A_CELL", 1)
    model = AnchorGraph(16, search="tree", n_neighbors=3, random_state=0).fit(ROWS)
    save(model, path)
    monkeypatch.undo()
    assert model._graph.search.candidates.shape == (10, 16)
    assert abs(load(path).transform(ROWS) - model.transform(ROWS)).max() == 0
    content, arrays = content_of(model, path)
    key = "estimator.fitted._graph.search.candidates"
    write_content(content, arrays | {key: np.repeat(arrays[key], 2, axis=0)}, path)
    with pytest.raises(ValueError, match="has candidates for 20 cells, but at most 16 cells"):
        load(path)


def header(path):
    with safetensors.safe_open(path, framework="numpy") as file:
        return json.loads(file.metadata()["anchorgraph"])


def test_parameters_that_are_objects(path):
    loaded = again(fitted("anchor_graph, KMeans"), path)
    np.testing.assert_array_equal(loaded.anchors, fitted("anchor_graph, KMeans").anchors_)
    np.testing.assert_array_equal(again(fitted("anchor_graph, given"), path).anchors, ROWS[:9])
    assert again(fitted("anchor_graph, names"), path).weighting == Gaussian("local")
    assert again(fitted("anchor_graph, mean"), path).weighting == Gaussian("mean")
    assert again(fitted("bkhk, sparse"), path).random_state is None
    assert again(fitted("fsc"), path).random_state == 0


def test_the_fit_is_saved_and_not_what_parameters_became_since(path):
    for name, parameters in (
        ("fsc", {"n_neighbors": 9, "weighting": "inverse", "normalisation": "none", "n_clusters": 2}),
        ("le", {"n_neighbors": 9, "sigma": 0.1}),
        ("sssc", {"ridge": 100.0, "n_clusters": 2}),
        ("sr", {"kernel": "linear", "gamma": 3.0}),
        ("ongr", {"n_clusters": 7, "lam": 3.0}),
    ):
        model = clone(fitted(name)).fit(UNFITTED[name][1])
        expected = results(model, NEW_ROWS)
        loaded = again(model.set_params(**parameters), path)
        assert loaded.get_params().items() >= parameters.items()
        for verb, rows in results(loaded, NEW_ROWS).items():
            np.testing.assert_array_equal(rows, expected[verb])


@pytest.mark.parametrize(
    "labels",
    [GROUPS > 0, GROUPS, GROUPS.astype(np.int8), GROUPS.astype(np.float32), WORDS, WORDS.astype(object)],
    ids=lambda labels: str(labels.dtype),
)
def test_classes_of_every_type(labels, path):
    model = MMC(2).fit(ROWS, labels)
    found = again(model, path).classes_
    assert found.tolist() == model.classes_.tolist()
    assert found.dtype.kind == model.classes_.dtype.kind


def test_names_of_columns(path):
    loaded = again(fitted("mmc"), path)
    assert loaded.feature_names_in_.tolist() == list(FRAME.columns)
    assert loaded.feature_names_in_.dtype == object
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.transform(FRAME.rename(columns={"width": "other"}))
    assert loaded.transform(FRAME).shape == (len(FRAME), 2)


def test_a_pipeline_has_its_scaler_again(path):
    model = Pipeline([("unit", StandardScaler()), ("clusters", FSC(3, random_state=0))]).fit(FRAME)
    loaded = again(model, path)
    assert [name for name, _ in loaded.steps] == ["unit", "clusters"]
    ours, theirs = loaded["unit"], model["unit"]
    assert vars(ours).keys() == vars(theirs).keys()
    for name in ("mean_", "var_", "scale_", "n_samples_seen_", "n_features_in_", "feature_names_in_"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    np.testing.assert_array_equal(loaded.predict(FRAME), model["clusters"].labels_)
    ours.partial_fit(FRAME)


@pytest.mark.parametrize(
    "model",
    [
        KMeans(3).fit(ROWS),
        make_pipeline(PCA(2), ULGE()).fit(ROWS),
        make_pipeline(StandardScaler(), PCA(2), ULGE(1)).fit(ROWS),
        make_pipeline(ULGE()).fit(ROWS),
        "fsc",
        type("Mine", (ULGE,), {})().fit(ROWS),
    ],
    ids=lambda model: type(model).__name__,
)
def test_other_models_are_refused(model, path):
    with pytest.raises(TypeError, match=f"^model is a {type(model).__name__}; pass a fitted estimator of anchorgraph"):
        save(model, path)
    assert not path.exists()


@pytest.mark.parametrize("model", [FSC(3), make_pipeline(StandardScaler(), FSC(3))], ids=["alone", "pipeline"])
def test_what_is_not_fitted_is_refused(model, path):
    with pytest.raises(NotFittedError):
        save(model, path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n_clusters": [3]}, "estimator.parameters.n_clusters must be .* got an object of type list"),
        ({"n_init": np.nan}, "nan"),
        ({"weighting": type("Mine", (Gaussian,), {})(1.0)}, "weighting must be .*; got an object of type Mine"),
        ({"_anchor_map": np.full((16, 3), np.nan)}, "_anchor_map contains NaN"),
        ({"anchors_": None}, "anchors_"),
    ],
)
def test_what_could_not_be_read_is_not_written(change, sentence, path):
    model = FSC(3, random_state=0).fit(ROWS)
    vars(model).update(change)
    with pytest.raises(ValueError, match=f"^FSC cannot be saved: .*{sentence}.*") as told:
        save(model, path)
    assert str(told.value).count("\n") == 0
    assert not list(path.parent.iterdir())


def test_classes_that_are_no_plain_data_are_refused(path):
    model = MMC(2).fit(ROWS, GROUPS)
    model.classes_ = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="datetime64[D]")
    with pytest.raises(ValueError, match=r"MMC cannot be saved: .*classes_ has labels of type datetime64"):
        save(model, path)


def test_a_declaration_names_attributes_that_exist():
    for name in UNFITTED:
        model = last(fitted(name))
        assert not [key for key in saved_fields(type(model)) if not hasattr(model, key)]


def test_loaded_trees_serve_as_anchors(path):
    tree = again(BKHK(9, random_state=0).fit(ROWS), path)
    assert AnchorGraph(anchors=tree, n_neighbors=3, search="tree").fit(ROWS).search_ == "tree"
