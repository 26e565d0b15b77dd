"""Anchors that are centres of k-means (CSR, LSC-K, ONGR-K)."""

from __future__ import annotations

from anchorgraph.anchors.random import select_random
from anchorgraph.contracts import Anchors
from anchorgraph.numerics.lloyd import lloyd
from anchorgraph.numerics.progress import portion


def select_kmeans(table, n_anchors, *, seed, n_jobs, max_iter=5):
    """Centres after some rounds of Lloyd's algorithm from random rows: five as in csr; ulge's tables take 100."""
    start = select_random(table, n_anchors, seed=seed, n_jobs=n_jobs).points
    with portion("anchors", 0, 1):
        centres = lloyd(table, start, max_iter=max_iter, tol=0, n_jobs=n_jobs)
    return Anchors(centres.astype(table.dtype))
