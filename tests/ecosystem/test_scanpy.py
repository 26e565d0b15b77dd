"""scanpy goes on from what is written into an AnnData."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits

import anchorgraph as ag
from anchorgraph import RowGraph

sc = pytest.importorskip("scanpy", reason="needs scanpy: make test-ecosystem")
from anndata import AnnData, read_h5ad  # noqa: E402 - installed with it

WRITTEN = ("distances", "connectivities")


@pytest.fixture(scope="module")
def made():
    """Digits, moved so that no two distances are the same."""
    X = load_digits().data[:500]
    adata = AnnData(sparse.csr_matrix(X))
    adata.obsm["X_pca"] = (X + 0.1 * np.random.default_rng(0).standard_normal(X.shape)).astype(np.float32)
    return adata


@pytest.fixture
def adata(made):
    return made.copy()


def assert_same_graphs(found, expected):
    """Entry by entry; UMAP's weights are found to 1e-5."""
    assert type(found) is type(expected) is sparse.csr_matrix
    assert found.nnz == expected.nnz
    np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("n_neighbors", [2, 15])
def test_neighbors_are_scanpys(adata, metric, n_neighbors):
    expected = adata.copy()
    sc.pp.neighbors(expected, n_neighbors, use_rep="X_pca", metric=metric, transformer="sklearn", method="umap")
    assert ag.anndata.neighbors(adata, n_neighbors, metric=metric) is None
    assert adata.uns["neighbors"] == expected.uns["neighbors"]
    for name in WRITTEN:
        assert_same_graphs(adata.obsp[name], expected.obsp[name])
    np.testing.assert_array_equal(np.diff(adata.obsp["distances"].indptr), n_neighbors - 1)


def test_equal_cells_have_scanpys_connectivities(adata):
    """Zeros among the distances are entries, and UMAP limits how steeply weights decrease."""
    adata.obsm["X_pca"][::7] = adata.obsm["X_pca"][0]
    adata.obsm["X_pca"][1::7] = adata.obsm["X_pca"][1] + 1e-4
    expected = adata.copy()
    sc.pp.neighbors(expected, 5, use_rep="X_pca", transformer="sklearn")
    ag.anndata.neighbors(adata, 5)
    assert adata.obsp["distances"].nnz == expected.obsp["distances"].nnz
    different = np.ones(len(adata), dtype=bool)
    different[::7] = different[1::7] = False  # which of equal cells are the nearest is arbitrary
    found, known = (each.obsp["connectivities"][different][:, different].toarray() for each in (adata, expected))
    np.testing.assert_allclose(found, known, atol=2e-5)


def go_on(adata, **key):
    """What scanpy computes from neighbours."""
    sc.tl.leiden(adata, flavor="igraph", n_iterations=2, directed=False, **key)
    sc.tl.diffmap(adata, n_comps=5, **key)
    adata.uns["iroot"] = 0
    sc.tl.dpt(adata, n_dcs=5, **key)
    sc.tl.paga(adata, "leiden", **key)
    sc.tl.umap(adata, maxiter=20, **key)  # the last, because it sets small connectivities to zero
    return adata


@pytest.fixture(scope="module")
def scanpys(made):
    adata = made.copy()
    sc.pp.neighbors(adata, use_rep="X_pca", transformer="sklearn")
    return go_on(adata)


def test_scanpy_goes_on(adata, scanpys, tmp_path):
    ag.anndata.neighbors(adata)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    found = go_on(read_h5ad(tmp_path / "cells.h5ad"))
    assert (found.obs["leiden"] == scanpys.obs["leiden"]).mean() > 0.95
    assert found.obsm["X_umap"].shape == (500, 2)
    np.testing.assert_allclose(found.obs["dpt_pseudotime"], scanpys.obs["dpt_pseudotime"], atol=1e-3)
    assert found.uns["paga"]["connectivities"].shape[0] == found.obs["leiden"].nunique()


def test_scanpy_goes_on_from_a_graph_with_a_key(adata):
    ag.anndata.neighbors(adata, key_added="mine")
    assert adata.uns["mine"]["distances_key"] == "mine_distances"
    assert list(adata.obsp) == ["mine_distances", "mine_connectivities"]
    assert go_on(adata, neighbors_key="mine").obs["dpt_pseudotime"].notna().all()


def test_row_graph_is_a_transformer_of_scanpy(adata, scanpys):
    sc.pp.neighbors(adata, use_rep="X_pca", transformer=RowGraph(15, random_state=0))
    expected = adata.copy()
    sc.pp.neighbors(expected, use_rep="X_pca", transformer="sklearn")
    assert_same_graphs(adata.obsp["connectivities"], expected.obsp["connectivities"])
    np.testing.assert_allclose(go_on(adata).obs["dpt_pseudotime"], scanpys.obs["dpt_pseudotime"], atol=1e-3)


def test_clusters_and_maps_are_scanpys_to_use(adata):
    ag.anndata.communities(adata, 5)
    sc.tl.rank_genes_groups(adata, "communities", method="t-test")
    assert adata.uns["rank_genes_groups"]["names"].dtype.names == ("0", "1", "2", "3", "4")
    ag.anndata.map(adata)
    sc.tl.embedding_density(adata, "anchormap")
    assert adata.obs["anchormap_density"].between(0, 1).all()


@pytest.mark.parametrize("func", ["sum", "mean"])
def test_metacells_are_scanpys_aggregate(adata, func):
    grouped = ag.anndata.metacells(adata, n_metacells=12, func=func)
    expected = sc.get.aggregate(adata, "metacell", func)
    expected = expected[grouped.obs_names]
    np.testing.assert_allclose(grouped.X.toarray(), expected.layers[func], rtol=1e-5)
    sc.pp.normalize_total(grouped)
    sc.pp.log1p(grouped)
    sc.pp.pca(grouped, n_comps=3)
    assert grouped.obsm["X_pca"].shape == (12, 3)
