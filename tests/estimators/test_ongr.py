"""Options of ONGR: (·)₊, the loss, sparse memberships, the random start, self-tuning weights, and their files."""

import dask.array as da
import numpy as np
import pytest

from anchorgraph import ONGR, SelfTuning, load, save
from fitted_models import NEW_ROWS, ROWS, fitted
from model_files import content_of, write_content
from reference import graph as literal_graph
from reference import ongr as literal

OPTIONS = {
    "abs": {"plus": "abs"},
    "l21": {"loss": "l21"},
    "sparse": {"sparsity": 0.01},
    "all": {"plus": "abs", "loss": "l21", "sparsity": 0.01},
    "random": {"init": "random"},
    "self-tuning": {"weighting": "self-tuning"},
}
GRAPH = {"n_anchors": 40, "random_state": 0}


@pytest.mark.parametrize("name", OPTIONS)
def test_new_rows_and_other_sources_get_what_the_fit_gave(digits, name, tmp_path):
    X = digits[:400]
    model = ONGR(6, **GRAPH, **OPTIONS[name]).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_allclose(model.transform(X), model.memberships_, atol=1e-9)
    np.testing.assert_allclose(model.transform(X[7:9]), model.memberships_[7:9], atol=1e-9)
    np.save(tmp_path / "rows.npy", X)
    for source in (tmp_path / "rows.npy", da.from_array(X, chunks=(90, -1))):
        other = ONGR(6, **GRAPH, **OPTIONS[name]).fit(source)
        np.testing.assert_allclose(other.history_, model.history_, rtol=1e-8)
        np.testing.assert_array_equal(np.asarray(other.labels_), model.labels_)


@pytest.mark.parametrize("name", OPTIONS)
def test_the_history_is_the_references(digits, name):
    """From the anchors of the fit, with the n×n graph."""
    X, form = digits[:150], {key: value for key, value in OPTIONS[name].items() if key in ("plus", "loss", "sparsity")}
    model = ONGR(4, n_anchors=30, lam=0.1, max_iter=5, tol=0, random_state=0, **OPTIONS[name]).fit(X)
    if name == "self-tuning":
        Z = literal.self_tuning(X, model.anchors_, 5)
    else:
        Z = literal_graph.anchor_graph(X, model.anchors_, 5, literal_graph.adaptive)
    F = Z @ model._reconstruction.start
    np.testing.assert_allclose(F.T @ F, np.eye(4), atol=1e-8)
    expected = literal.rounds(literal_graph.similarity(Z), F, 0.1, model.n_iter_, **form)
    np.testing.assert_allclose(model.history_, [after_g for _, _, after_g, _ in expected], rtol=1e-8)
    np.testing.assert_allclose(model.memberships_, expected[-1][1], atol=1e-7)
    if form.get("plus") != "abs":
        assert (np.diff(model.history_) <= 1e-9).all()


def test_a_random_start_follows_the_seed_and_is_not_among_the_best(digits):
    one, again, other = (ONGR(6, init="random", n_anchors=40, random_state=seed).fit(digits) for seed in (0, 0, 1))
    assert one.init_ == "random"
    np.testing.assert_array_equal(one.memberships_, again.memberships_)
    assert one.history_[0] != other.history_[0]
    assert ONGR(6, n_anchors=40, random_state=0).fit(digits).init_ != "random"


def test_groups_are_found_by_every_form():
    rng = np.random.default_rng(0)
    groups = np.arange(300) % 3
    X = 12 * np.eye(3)[groups] + rng.standard_normal((300, 3))
    for options in OPTIONS.values():
        labels = ONGR(3, **GRAPH, **options).fit_predict(X)
        assert len({(group, label) for group, label in zip(groups, labels, strict=True)}) == 3


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"plus": "max"}, "plus must be one of 'clip', 'abs'; got 'max'"),
        ({"loss": "l1"}, "loss must be one of 'squared', 'l21'; got 'l1'"),
        ({"sparsity": -1}, r"sparsity must be a number in \[0, 1e100\]; got -1"),
        ({"init": "x"}, "init must be one of 'best', 'singular', 'qr', 'rotation', 'random'; got 'x'"),
    ],
)
def test_impossible_options(parameters, message):
    with pytest.raises(ValueError, match=message):
        ONGR(3, **parameters).fit(ROWS)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


@pytest.mark.parametrize("name", ["ongr, abs", "ongr, l21", "ongr, self-tuning"])
def test_files_keep_the_options(name, path):
    model = fitted(name)
    save(model, path)
    loaded = load(path)
    np.testing.assert_array_equal(loaded.transform(NEW_ROWS), model.transform(NEW_ROWS))
    assert loaded.get_params() == model.get_params() | {"n_jobs": None}
    assert loaded._reconstruction.objective == model._reconstruction.objective


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, 1e-120, 1e200])
def test_scales_that_are_none_are_refused(value, path):
    header, arrays = content_of(fitted("ongr, self-tuning"), path)
    (key,) = (key for key in arrays if key.endswith("weighting_.scales"))
    assert (arrays[key] > 0).all()
    arrays[key][3] = value
    write_content(header, arrays, path)
    with pytest.raises(ValueError, match="scale"):
        load(path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("lam", -1.0, "negative lam or sparsity"),
        ("sparsity", -1.0, "negative lam or sparsity"),
        ("plus", "x", "plus must be one of clip, abs"),
        ("loss", "squared", "a loss and a kernel that do not belong together"),
    ],
)
def test_objectives_that_are_none_are_refused(key, value, message, path):
    header, arrays = content_of(fitted("ongr, l21"), path)
    header["estimator"]["fitted"]["_reconstruction"]["objective"][key] = value
    write_content(header, arrays, path)
    with pytest.raises(ValueError, match=message):
        load(path)


def test_weights_need_scales():
    with pytest.raises(ValueError, match="SelfTuning has no scales yet; use what its method resolve returns"):
        SelfTuning().weights(np.ones((1, 2)), np.array([[0, 1]]))
