"""Clusters, maps and metacells of AnnData: in memory, backed by files, and of Dask arrays."""

import ast
import doctest
import inspect
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import anchorgraph as ag
from anchorgraph import BKHK, FSC, AnchorMap, Communities

anndata = pytest.importorskip("anndata", reason="needs anndata: make test-ecosystem")
import dask  # noqa: E402 - installed with it
import dask.array as da  # noqa: E402
import h5py  # noqa: E402
import pandas as pd  # noqa: E402

N_CELLS, N_GENES, N_TYPES = 600, 40, 5


@pytest.fixture(scope="module")
def made():
    """Counts of cells of five types, with something like principal components."""
    rng = np.random.default_rng(0)
    types = rng.integers(N_TYPES, size=N_CELLS)
    rates = rng.gamma(0.6, 4, size=(N_TYPES, N_GENES))
    adata = anndata.AnnData(sparse.csr_matrix(rng.poisson(rates[types]).astype(np.float32)))
    adata.obs["type"] = pd.Categorical(types.astype(str))
    adata.var["length"] = np.arange(N_GENES)
    adata.layers["logarithms"] = adata.X.log1p()
    adata.obsm["X_pca"] = (rng.standard_normal((N_TYPES, 8))[types] * 3 + rng.standard_normal((N_CELLS, 8))).astype(
        "f4"
    )
    return adata


@pytest.fixture
def adata(made):
    return made.copy()


def in_memory(adata, path):
    return adata


def dense(adata, path):
    adata.X = adata.X.toarray()
    return adata


def backed(adata, path, mode="r"):
    adata.write_h5ad(path)
    return anndata.read_h5ad(path, backed=mode)


def backed_dense(adata, path):
    return backed(dense(adata, path), path)


def backed_for_writing(adata, path):
    return backed(adata, path, "r+")


def of_dask(adata, path):
    adata.X = da.from_array(adata.X.toarray(), chunks=(97, N_GENES)).map_blocks(sparse.csr_matrix)
    adata.obsm["X_pca"] = da.from_array(adata.obsm["X_pca"], chunks=(97, 3))
    return adata


def read_lazy(path):
    if not hasattr(anndata.experimental, "read_lazy"):
        pytest.skip("needs anndata 0.12, which has read_lazy")
    return anndata.experimental.read_lazy(path)


def lazy(adata, path):
    adata.write_h5ad(path)
    return read_lazy(path)


STORES = [in_memory, dense, backed, backed_dense, backed_for_writing, of_dask, lazy]


def contents(adata):
    """The names of all that an AnnData holds."""
    parts = ("obs", "var", "uns", "obsm", "obsp", "layers")
    return {part: list(getattr(adata, part)) for part in parts}


@pytest.mark.parametrize(
    ("function", "method"), [(ag.anndata.communities, Communities), (ag.anndata.fsc, FSC)], ids=["communities", "fsc"]
)
def test_clusters_are_the_estimators(adata, function, method, tmp_path):
    name = function.__name__
    assert function(adata, 5) is None
    model = method(5, random_state=0).fit(adata.obsm["X_pca"])
    found = adata.obs[name]
    assert found.cat.categories.tolist() == ["0", "1", "2", "3", "4"]
    assert found.tolist() == model.labels_.astype(str).tolist()
    np.testing.assert_array_equal(adata.obs[f"{name}_probability"], model.probabilities_)
    assert adjusted_rand_score(adata.obs["type"], found) > 0.8
    adata.write_h5ad(tmp_path / "cells.h5ad")  # which refuses None
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    assert again.obs[name].tolist() == found.tolist()
    parameters = again.uns[name]["params"]
    assert (parameters["n_clusters"], parameters["use_rep"], parameters["metric"]) == (5, "X_pca", "euclidean")
    function(again, 3)  # its own results are replaced, also those from a file
    assert again.obs[name].nunique() == 3


@pytest.mark.parametrize("key_added", [None, "near"])
def test_clusters_and_a_map_of_a_graph_that_there_is(adata, key_added):
    ag.anndata.neighbors(adata, 12, key_added=key_added)
    key = key_added or "neighbors"
    graph = adata.obsp[adata.uns[key]["distances_key"]]
    del adata.obsm["X_pca"]
    ag.anndata.communities(adata, 5, neighbors_key=key)
    model = Communities(5, metric="precomputed", random_state=0).fit(graph)
    assert adata.obs["communities"].tolist() == model.labels_.astype(str).tolist()
    assert adjusted_rand_score(adata.obs["type"], model.labels_) > 0.8
    parameters = adata.uns["communities"]["params"]
    assert (parameters["neighbors_key"], parameters["metric"], "use_rep" in parameters) == (key, "precomputed", False)
    ag.anndata.map(adata, neighbors_key=key)
    expected = AnchorMap(metric="precomputed", random_state=0).fit_transform(graph)
    np.testing.assert_array_equal(adata.obsm["X_anchormap"], expected)


def test_a_key_without_a_graph_is_refused(adata):
    for function in (ag.anndata.communities, ag.anndata.map):
        with pytest.raises(ValueError, match=r"neighbors_key='neighbors' must be the key .* run sc.pp.neighbors"):
            function(adata, neighbors_key="neighbors")
        with pytest.raises(TypeError, match="no parameter 'metric'"):
            function(adata, neighbors_key="neighbors", metric="cosine")


@pytest.fixture
def in_levels():
    """Cells of twelve types, four of each of three lineages."""
    rng = np.random.default_rng(0)
    lineages = 40 * np.eye(3, 8)
    centres = np.repeat(lineages, 4, axis=0) + 4 * rng.standard_normal((12, 8))
    types = np.repeat(np.arange(12), 60)
    rows = (centres[types] + 0.6 * rng.standard_normal((len(types), 8))).astype(np.float32)
    adata = anndata.AnnData(shape=(len(rows), 0), obsm={"X_pca": rows})
    adata.obs["type"] = pd.Categorical(types.astype(str))
    adata.obs["communities_by_hand"] = "mine"
    return adata


def level_columns(adata, key="communities"):
    return [name for name in adata.obs.columns if name.startswith(f"{key}_level")]


def test_levels_are_the_estimators(in_levels, tmp_path):
    ag.anndata.communities(in_levels)
    model = Communities(random_state=0).fit(in_levels.obsm["X_pca"])
    assert {3, 12} <= {level.n_clusters for level in model.levels_}
    columns = [f"communities_level{number}" for number in range(len(model.levels_))]
    assert level_columns(in_levels) == columns
    for name, level in zip(columns, model.levels_, strict=True):
        assert in_levels.obs[name].cat.categories.tolist() == [str(number) for number in range(level.n_clusters)]
        assert in_levels.obs[name].tolist() == level.labels.astype(str).tolist()
    in_levels.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    levels = again.uns["communities"]["levels"]
    assert list(levels["columns"]) == columns
    for name in ("n_clusters", "persistence", "resolution"):
        assert levels[name].tolist() == [getattr(level, name) for level in model.levels_]
    assert levels["chosen"] == model.level_
    assert again.obs[columns[levels["chosen"]]].tolist() == again.obs["communities"].tolist()


def in_a_view(adata, path):
    return adata[: adata.n_obs // 2]


@pytest.mark.parametrize("store", [in_memory, backed, lazy, in_a_view])
def test_levels_of_an_earlier_call_go(in_levels, store, tmp_path):
    ag.anndata.communities(in_levels)
    ag.anndata.communities(in_levels, key_added="others")
    before = contents(in_levels)["obs"]
    assert len(level_columns(in_levels)) > 1
    stored = store(in_levels, tmp_path / "cells.h5ad")
    ag.anndata.communities(stored, 1)
    gone = [f"communities_level{number}" for number in range(1, len(level_columns(in_levels, "others")))]
    assert sorted(stored.obs.columns) == sorted(set(before) - set(gone))
    assert list(stored.uns["communities"]["levels"]["columns"]) == ["communities_level0"]
    ag.anndata.communities(stored)  # there is no column in the way
    assert len(level_columns(stored)) > 1
    assert set(np.asarray(stored.obs["communities_by_hand"])) == {"mine"}


@pytest.mark.parametrize("has_run", [False, True])
def test_a_column_of_others_is_not_replaced_by_a_level(in_levels, has_run):
    if has_run:
        ag.anndata.communities(in_levels, 1)
    in_levels.obs["communities_level1"] = "mine"
    before = in_levels.copy()
    with pytest.raises(
        ValueError, match=r"adata.obs\['communities_level1'\] was not written by communities and would be"
    ):
        ag.anndata.communities(in_levels)
    assert contents(in_levels) == contents(before)
    pd.testing.assert_frame_equal(in_levels.obs, before.obs)
    del in_levels.obs["communities_level1"]
    ag.anndata.communities(in_levels)


def test_earlier_results_without_levels_are_replaced(in_levels):
    in_levels.obs["communities"] = "0"
    in_levels.uns["communities"] = {"params": {"function": "anchorgraph.anndata.communities"}}  # of version 0.2
    ag.anndata.communities(in_levels)
    assert len(level_columns(in_levels)) > 1


def test_more_than_ten_clusters_are_in_the_order_of_their_numbers(adata):
    ag.anndata.communities(adata, 12, key_added="many")
    assert adata.obs["many"].cat.categories.tolist() == [str(number) for number in range(12)]
    sizes = adata.obs["many"].value_counts(sort=False)
    assert sizes.is_monotonic_decreasing


def test_cells_that_are_left_out_have_no_cluster(adata):
    adata.obsm["X_pca"][[3, 77]] = np.nan
    ag.anndata.communities(adata, 5, missing="mask")
    grouped = ag.anndata.metacells(adata, 30, missing="mask")
    ag.anndata.map(adata, missing="mask")
    assert level_columns(adata)
    for name in ("communities", "communities_probability", *level_columns(adata), "metacell"):
        assert np.flatnonzero(adata.obs[name].isna()).tolist() == [3, 77]
    assert np.flatnonzero(np.isnan(adata.obsm["X_anchormap"]).any(axis=1)).tolist() == [3, 77]
    assert grouped.obs["n_cells"].sum() == N_CELLS - 2
    kept = np.delete(adata.X.toarray(), [3, 77], axis=0)
    np.testing.assert_array_equal(grouped.X.sum(axis=0).A1, kept.sum(axis=0))


def test_the_map_is_the_estimators(adata):
    assert ag.anndata.map(adata, n_neighbors=7) is None
    expected = AnchorMap(n_neighbors=7, random_state=0).fit_transform(adata.obsm["X_pca"])
    np.testing.assert_array_equal(adata.obsm["X_anchormap"], expected)
    assert adata.uns["X_anchormap"]["params"]["n_neighbors"] == 7


def sums_by_hand(X, labels):
    return np.array([np.asarray(X[np.asarray(labels == name)].sum(axis=0)).ravel() for name in labels.cat.categories])


def test_metacells_are_balanced_and_their_counts_are_sums(adata):
    grouped = ag.anndata.metacells(adata, size=35)
    assert grouped.shape == (17, N_GENES)
    assert set(grouped.obs["n_cells"]) == {35, 36}
    labels = adata.obs["metacell"]
    assert labels.tolist() == BKHK(17, random_state=0).fit(adata.obsm["X_pca"]).labels_.astype(str).tolist()
    assert grouped.obs_names.tolist() == labels.cat.categories.tolist()
    assert isinstance(grouped.X, sparse.csr_matrix)
    np.testing.assert_array_equal(grouped.X.toarray(), sums_by_hand(adata.X, labels))
    means = sums_by_hand(adata.obsm["X_pca"], labels) / grouped.obs["n_cells"].to_numpy()[:, np.newaxis]
    np.testing.assert_allclose(grouped.obsm["X_pca"], means, rtol=1e-5, atol=1e-5)
    assert grouped.var["length"].tolist() == list(range(N_GENES))


def test_metacells_within_bounds_and_means_of_a_layer(adata):
    grouped = ag.anndata.metacells(
        adata, n_metacells=20, sizes=(10, 50), func="mean", layer="logarithms", key_added="group"
    )
    sizes = grouped.obs["n_cells"].to_numpy()
    assert 10 <= sizes.min() < 30 < sizes.max() <= 50
    expected = sums_by_hand(adata.layers["logarithms"], adata.obs["group"]) / sizes[:, np.newaxis]
    assert isinstance(grouped.X, sparse.csr_matrix)
    np.testing.assert_allclose(grouped.X.toarray(), expected, rtol=1e-5)


@pytest.mark.parametrize("store", STORES)
def test_results_do_not_depend_on_where_cells_are(made, store, tmp_path):
    expected, stored = made.copy(), store(made.copy(), tmp_path / "cells.h5ad")
    for adata in (expected, stored):
        ag.anndata.communities(adata, 5, use_rep="X")
        ag.anndata.fsc(adata, 5, use_rep="X")
        ag.anndata.communities(adata, 5, key_added="by_pca")
        ag.anndata.map(adata, graph="anchors")
        ag.anndata.neighbors(adata)
    assert level_columns(stored, "by_pca") == level_columns(expected, "by_pca")
    for name in ("communities", "fsc", "by_pca", *level_columns(expected), *level_columns(expected, "by_pca")):
        assert np.asarray(stored.obs[name]).tolist() == expected.obs[name].tolist()
    for name in ("communities", "fsc", "by_pca"):
        np.testing.assert_allclose(
            np.asarray(stored.obs[f"{name}_probability"]), expected.obs[f"{name}_probability"], atol=1e-5
        )
    np.testing.assert_allclose(stored.obsm["X_anchormap"], expected.obsm["X_anchormap"], atol=1e-4)
    assert abs(expected.obsp["connectivities"] - stored.obsp["connectivities"]).max() < 1e-5
    grouped = ag.anndata.metacells(stored, 40)
    assert np.ptp(grouped.obs["n_cells"]) <= 1
    labels = pd.Series(np.asarray(stored.obs["metacell"])).astype(pd.CategoricalDtype(grouped.obs_names))
    values = grouped.X.toarray() if sparse.issparse(grouped.X) else grouped.X
    np.testing.assert_array_equal(values, sums_by_hand(made.X, labels))
    assert sparse.issparse(grouped.X) == (store not in (dense, backed_dense))
    assert grouped.var["length"].tolist() == list(range(N_GENES))


@pytest.fixture
def reads(monkeypatch):
    """Bytes of each read of an HDF5 file, in parts of a quarter of a MiB, so that files of some MiB are large."""
    for module in ("hdf5_dataset", "hdf5_csr"):
        monkeypatch.setattr(f"anchorgraph.table.{module}.PART_BYTES", 2**18)
    found, read = [], h5py.Dataset.__getitem__

    def seen(dataset, *arguments, **named):
        part = read(dataset, *arguments, **named)
        found.append(getattr(part, "nbytes", 0))
        return part

    monkeypatch.setattr(h5py.Dataset, "__getitem__", seen)
    with dask.config.set(scheduler="synchronous"):  # one chunk at a time, however many cores there are
        yield found


@pytest.mark.parametrize("store", ["dense", "sparse", "lazy"])
def test_files_stay_out_of_memory(store, tmp_path, reads):
    path, X = tmp_path / "cells.h5ad", np.random.default_rng(0).poisson(2, size=(8_000, 250)).astype(np.float32)
    n_bytes, n_counts = X.nbytes, X.sum()
    adata = anndata.AnnData(sparse.csr_matrix(X) if store == "sparse" else X)
    adata.obsm["X_pca"] = X[:, :5].copy()
    adata.write_h5ad(path)
    del X
    adata = read_lazy(path) if store == "lazy" else anndata.read_h5ad(path, backed="r")
    ag.anndata.metacells(adata, 1_000)  # what is imported meanwhile does not count
    tracemalloc.start()
    try:
        grouped = ag.anndata.metacells(adata, 1_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < n_bytes / 2
    assert grouped.X.sum() == n_counts
    ag.anndata.communities(adata, 4, use_rep="X", n_components=4)
    ag.anndata.fsc(adata, 4, use_rep="X", n_anchors=16)
    ag.anndata.map(adata, use_rep="X", graph="anchors", n_anchors=16)
    assert max(reads) < n_bytes / 4


def test_a_view_in_memory_becomes_an_anndata_of_its_own(made):
    view = made[made.obs["type"] != "0"]
    ag.anndata.communities(view, 4)
    assert "communities" in view.obs
    assert "communities" not in made.obs


def test_a_view_of_a_file_is_refused_and_its_copy_is_not(adata, tmp_path):
    view = backed(adata, tmp_path / "cells.h5ad")[:300]
    sentence = r"adata is a view of the backed file .*cells.h5ad, which cannot be annotated; .*adata\.copy\(filename\)"
    for function in (ag.anndata.communities, ag.anndata.map, ag.anndata.neighbors):
        with pytest.raises(ValueError, match=sentence):
            function(view)
    part = view.copy(tmp_path / "part.h5ad")
    ag.anndata.communities(part, 5)
    assert part.obs["communities"].nunique() == 5


WRONG = [
    (
        ag.anndata.communities,
        {"use_rep": "X_scvi"},
        "use_rep='X_scvi' is not in adata.obsm, which has 'X_pca'; use one",
    ),
    (ag.anndata.communities, {"use_rep": None}, "use_rep=None is not in adata.obsm, which has 'X_pca'; use one"),
    (ag.anndata.communities, {"resolutoin": 2}, "communities has no parameter 'resolutoin'; use one of max_samples, "),
    (ag.anndata.communities, {"n_clusters": 601}, "n_clusters=601 is too many for n_samples=600; use at most 600"),
    (ag.anndata.communities, {"key_added": ""}, "key_added must be a string that is not empty; got ''"),
    (ag.anndata.communities, {"key_added": "type"}, r"adata.obs\['type'\] was not written by communities and would be"),
    (
        ag.anndata.fsc,
        {"key_added": "noted"},
        r"adata.uns\['noted'\] was not written by fsc and would be lost; pass ano",
    ),
    (ag.anndata.map, {"key_added": "X_pca"}, r"adata.obsm\['X_pca'\] was not written by map and would be lost"),
    (ag.anndata.map, {"n_components": 4}, "n_components=4 is too many for a map"),
    (
        ag.anndata.metacells,
        {},
        "metacells needs either size, the number of cells of each, or n_metacells; got size=None",
    ),
    (ag.anndata.metacells, {"size": 9, "n_metacells": 9}, "metacells needs either size"),
    (ag.anndata.metacells, {"size": 601}, "size=601 is more than the 600 cells; use at most 600"),
    (ag.anndata.metacells, {"n_metacells": 0}, "n_metacells must be an integer ≥ 1; got 0"),
    (ag.anndata.metacells, {"n_metacells": 601}, "n_metacells=601 is more than the 600 cells; use at most 600"),
    (ag.anndata.metacells, {"size": 30, "layer": "words"}, "X holds texts, such as 'word', not numbers"),
    (ag.anndata.metacells, {"size": 9, "n_clusters": 4}, "metacells has no parameter 'n_clusters'; use one of"),
    (ag.anndata.metacells, {"size": 9, "func": "median"}, "func must be one of 'sum', 'mean'; got 'median'"),
    (
        ag.anndata.metacells,
        {"size": 9, "layer": "raw"},
        "layer='raw' is not in adata.layers, which has 'logarithms', 'words'; us",
    ),
    (ag.anndata.metacells, {"size": 30, "sizes": (40, 50)}, r"sizes=\(40, 50\) cannot hold for n_clusters=20 of 600"),
    (ag.anndata.neighbors, {"n_neighbors": 601}, "n_neighbors=601, which counts the cell itself, is too many for 600"),
    (ag.anndata.neighbors, {"n_neighbors": 1}, "n_neighbors must be an integer ≥ 2; got 1"),
    (
        ag.anndata.neighbors,
        {"key_added": "noted"},
        r"adata.uns\['noted'\] is not a graph of neighbours and would be lo",
    ),
    (
        ag.anndata.neighbors,
        {"key_added": "mine"},
        r"adata.obsp\['mine_distances'\] has no entry in adata.uns and would be lost; pass another key_added",
    ),
    (ag.anndata.neighbors, {"metric": "manhattan"}, "metric must be one of 'euclidean', 'cosine'; got 'manhattan'"),
]


@pytest.mark.parametrize(("function", "wrong", "sentence"), WRONG)
def test_a_mistake_is_a_sentence_and_changes_nothing(adata, function, wrong, sentence):
    adata.uns["noted"] = "by hand"
    adata.obsp["mine_distances"] = sparse.eye_array(N_CELLS, format="csr")
    adata.layers["words"] = np.full((N_CELLS, N_GENES), "word", dtype=object)
    before = contents(adata)
    with pytest.raises((ValueError, TypeError), match=sentence):
        function(adata, **wrong)
    assert contents(adata) == before


def test_what_is_missing_is_named(adata, tmp_path):
    del adata.obsm["X_pca"]
    with pytest.raises(
        ValueError, match=r"'X_pca' is not in adata.obsm, which has nothing; run sc.pp.pca first, or use"
    ):
        ag.anndata.communities(adata)
    without_x = anndata.AnnData(obs=adata.obs, obsm={"X_pca": np.ones((N_CELLS, 2))})
    without_x.write_h5ad(tmp_path / "cells.h5ad")
    for other in (without_x, anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")):
        with pytest.raises(ValueError, match=r"adata has no X; pass use_rep, a key of adata.obsm, which has 'X_pca'"):
            ag.anndata.communities(other, use_rep="X")
        with pytest.raises(ValueError, match=r"adata has no X; pass layer, a key of adata.layers, which has nothing"):
            ag.anndata.metacells(other, 30)
    with pytest.raises(
        TypeError, match=r"adata must be an AnnData; got ndarray: wrap an array with anndata.AnnData\(X\)"
    ):
        ag.anndata.map(np.ones((9, 3)))


def test_values_that_are_not_numbers_are_found(adata):
    adata.obsm["X_pca"][8, 2] = np.inf
    before = contents(adata)
    for function in (ag.anndata.communities, ag.anndata.fsc, ag.anndata.map, ag.anndata.neighbors):
        with pytest.raises(ValueError, match=r"X contains infinity \(inf\) in row 8, column 2") as raised:
            function(adata)
        assert raised.value.__notes__ == ["X is adata.obsm['X_pca']."]
    assert contents(adata) == before


def test_an_error_says_what_it_is_about(adata):
    adata.layers["words"] = np.full((N_CELLS, N_GENES), "word", dtype=object)
    with pytest.raises((ValueError, TypeError)) as raised:
        ag.anndata.metacells(adata, 30, layer="words")
    assert raised.value.__notes__ == ["X is adata.layers['words']."]
    with pytest.raises(ValueError, match="random_state must be") as raised:
        ag.anndata.communities(adata, random_state=-1)
    assert not hasattr(raised.value, "__notes__")


def test_a_file_that_cannot_be_opened_again_is_refused(adata, tmp_path, monkeypatch):
    adata.write_h5ad(tmp_path / "cells.h5ad")
    (tmp_path / "cells.h5ad").rename(tmp_path / "cells.copy")
    with pytest.raises(ValueError, match=r"cells.copy, must have one of the suffixes .h5, .hdf5, .h5ad; rename it"):
        ag.anndata.metacells(anndata.read_h5ad(tmp_path / "cells.copy", backed="r"), 30)
    (tmp_path / "cells.copy").rename(tmp_path / "cells.h5ad")
    monkeypatch.chdir(tmp_path)
    relative = anndata.read_h5ad("cells.h5ad", backed="r")
    monkeypatch.chdir(tmp_path.parent)
    with pytest.raises(ValueError, match=r"cells.h5ad, is not in the current folder .*; open it by an absolute path"):
        ag.anndata.metacells(relative, 30)


def test_sums_of_many_counts_are_exact():
    counts = np.full((3, 2), 2**24 - 1, np.float32)
    grouped = ag.anndata.metacells(anndata.AnnData(counts), n_metacells=1, use_rep="X")
    assert grouped.X.tolist() == [[3 * (2**24 - 1)] * 2]


def test_neighbors_need_two_cells(adata):
    with pytest.raises(ValueError, match=r"^neighbors needs at least 2 cells; adata has 1\.$"):
        ag.anndata.neighbors(adata[:1].copy())


def test_the_seed_of_neighbors_counts():
    X = np.random.default_rng(0).standard_normal((5_000, 30)).astype(np.float32)
    graphs = []
    for seed in (0, 0, 1):
        adata = anndata.AnnData(shape=(len(X), 0), obsm={"X_pca": X})
        ag.anndata.neighbors(adata, random_state=seed)
        graphs.append(adata.obsp["distances"])
    assert (graphs[0] != graphs[1]).nnz == 0
    assert (graphs[0] != graphs[2]).nnz > 0


def test_connectivities_have_no_zeros():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((14, 3)), 1e6 + rng.standard_normal((14, 3))])
    adata = anndata.AnnData(shape=(28, 0), obsm={"X_pca": X})
    ag.anndata.neighbors(adata, 16)  # 15 others, two of them in the other group
    assert adata.obsp["distances"].nnz == 28 * 15
    assert adata.obsp["connectivities"].data.min() > 0
    assert adata.obsp["connectivities"][:14, 14:].nnz == 0


def test_neighbors_of_x_need_memory(adata, tmp_path):
    for store in (backed, of_dask):
        with pytest.raises(ValueError, match=r"neighbors needs adata.X in memory; use principal components in adata"):
            ag.anndata.neighbors(store(adata, tmp_path / "cells.h5ad"), use_rep="X")


@pytest.mark.parametrize("name", ag.anndata.__all__)
def test_examples_of_docstrings(name):
    text = inspect.getdoc(getattr(ag.anndata, name)).replace("  # doctest: +SKIP", "")
    names = {}
    for example in doctest.DocTestParser().get_examples(text):
        if example.want:
            assert eval(example.source, names) == ast.literal_eval(example.want)
        else:
            exec(example.source, names)


def test_estimators_name_the_functions_for_an_anndata(adata):
    with pytest.raises(TypeError, match=r"^X is an AnnData, .*anchorgraph\.anndata\.communities\(adata\)"):
        Communities().fit(adata)
