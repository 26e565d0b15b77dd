"""
Single cells, beside scanpy
===========================

``anchorgraph.anndata`` has functions in scanpy's style: they read ``adata.obsm["X_pca"]`` and write into ``adata``.
This page clusters and maps cells, hands a graph of neighbours to scanpy, and makes metacells of equal size.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import scanpy as sc
from anndata import AnnData
from scipy import sparse

import anchorgraph as ag

# %%
# Cells
# -----
#
# 3,000 cells of eight types with 500 genes. Types descend from each other, as cells in development: each differs from
# its parent by the rates of 40 genes, and cells are somewhere on the way from the parent to the type. A cell's counts
# are negative binomial: a Poisson variable, whose rate is that of the cell, times the depth to which it was sequenced,
# times a gamma variable for what else makes cells differ.

PARENTS = {
    "stem": "stem",
    "T": "stem",
    "CD4": "T",
    "CD8": "T",
    "B": "stem",
    "plasma": "B",
    "mono": "stem",
    "DC": "mono",
}
SHARES = [0.05, 0.1, 0.3, 0.2, 0.15, 0.05, 0.1, 0.05]

rng = np.random.default_rng(0)
rates = {"stem": rng.gamma(0.5, 1.0, 500) + 0.01}
for name, parent in PARENTS.items():
    if name != parent:
        rates[name] = rates[parent].copy()
        rates[name][rng.choice(500, 40, replace=False)] = rng.gamma(0.5, 3.0, 40) + 0.01

types = rng.choice(list(PARENTS), 3000, p=SHARES)
way = rng.beta(2, 1, (3000, 1))
own, before = np.array([rates[name] for name in types]), np.array([rates[PARENTS[name]] for name in types])
depth, noise = rng.lognormal(0, 0.4, (3000, 1)), rng.gamma(4, 1 / 4, (3000, 500))
counts = rng.poisson(own**way * before ** (1 - way) * depth * noise)

cells = pd.DataFrame({"type": pd.Categorical(types)}, index=[f"cell{number}" for number in range(3000)])
adata = AnnData(sparse.csr_matrix(counts.astype(np.float32)), obs=cells)
adata.layers["counts"] = adata.X.copy()

# %%
# Preprocessing with scanpy:

sc.pp.normalize_total(adata)
sc.pp.log1p(adata)
sc.pp.pca(adata, n_comps=30)

# %%
# Clusters and a map
# ------------------
#
# ``communities`` finds the nearest cells itself, and clusters them by the modularity of their graph: it replaces
# ``sc.pp.neighbors`` and ``sc.tl.leiden`` together. It takes the clusters that last longest over resolutions, and
# writes finer and coarser levels as further columns; ``resolution`` has the same meaning as Leiden's, or pass the
# number of clusters as ``n_clusters``. ``map`` takes the place of ``sc.tl.umap``, and needs no graph either.

ag.anndata.communities(adata)
ag.anndata.map(adata)
print(pd.crosstab(adata.obs["type"], adata.obs["communities"]))

# %%
# Each cell has a probability, too: how clearly it belongs to its cluster. It is lower on the way from one type to the
# next.

figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
for axis, colour in zip(axes, ("type", "communities", "communities_probability"), strict=True):
    sc.pl.embedding(
        adata, "anchormap", color=colour, ax=axis, show=False, legend_loc="on data", legend_fontsize="small"
    )

# %%
# Continue with scanpy
# --------------------
#
# ``neighbors`` writes what ``sc.pp.neighbors`` writes: distances, UMAP's connectivities, and their parameters. Leiden,
# UMAP, diffusion maps, pseudotime and PAGA use it.

ag.anndata.neighbors(adata)
sc.tl.leiden(adata, flavor="igraph", n_iterations=2, directed=False)
sc.tl.diffmap(adata)
adata.uns["iroot"] = int(np.flatnonzero(adata.obs["type"] == "stem")[0])
sc.tl.dpt(adata)
print(adata.obs.groupby("type", observed=True)["dpt_pseudotime"].median().sort_values().round(2))

# %%
sc.tl.umap(adata)
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for axis, colour in zip(axes, ("leiden", "dpt_pseudotime"), strict=True):
    sc.pl.umap(adata, color=colour, ax=axis, show=False)

# %%
# To keep scanpy's own call, pass the search alone:
# ``sc.pp.neighbors(adata, use_rep="X_pca", transformer=ag.RowGraph(15))``. With ``metric="cosine"`` in both, distances
# are chords and not 1 - cos, and connectivities differ; ``ag.anndata.neighbors(adata, metric="cosine")`` converts them.
#
# Metacells
# ---------
#
# A single cell has few counts. A metacell adds up those of about 30 similar cells, and all metacells are of equal size.
# ``layer="counts"`` sums the counts, not their logarithms. Bounds, such as ``sizes=(15, 60)``, let metacells follow the
# groups more closely.

meta = ag.anndata.metacells(adata, size=30, layer="counts")
meta.obs["type"] = adata.obs.groupby("metacell", observed=True)["type"].agg(lambda own: own.mode()[0])
is_typical = adata.obs["type"].to_numpy() == meta.obs.loc[adata.obs["metacell"], "type"].to_numpy()
print(meta)
print(
    f"sizes: {sorted(set(meta.obs['n_cells']))}; {is_typical.mean():.0%} of the cells have the type of their metacell"
)

# %%
# Many cells
# ----------
#
# X of a backed file, ``anndata.read_h5ad("cells.h5ad", backed="r")``, and Dask arrays, such as those of
# ``anndata.experimental.read_lazy("cells.h5ad")`` (anndata 0.12), are read block by block: ``communities``, ``fsc``,
# ``map`` and ``metacells`` do not load them. All functions begin with ``random_state=0``, as scanpy's do, so that
# results repeat.
#
# These functions do not keep the model. To label new cells, fit the estimator itself:

model = ag.Communities(random_state=0).fit(adata.obsm["X_pca"])
print(model.predict(adata.obsm["X_pca"][:5]), model.labels_[:5])
