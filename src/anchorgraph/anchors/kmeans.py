"""Anchors that are the centres of scikit-learn's k-means (CSR, LSC-K, ONGR-K)."""

from __future__ import annotations

from sklearn.cluster import KMeans

from anchorgraph.contracts import Anchors


def select_kmeans(table, n_anchors, *, seed, n_jobs, max_iter=5):
    """Centres after some rounds of Lloyd's algorithm from random rows: five as in csr; ulge's tables take 100."""
    rows = table.map_rows(lambda block, span: block)
    model = KMeans(n_anchors, init="random", n_init=1, max_iter=max_iter, random_state=seed).fit(rows)
    return Anchors(model.cluster_centers_.astype(table.dtype, copy=False))
