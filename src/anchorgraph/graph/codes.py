"""Rows of a sample as sparse combinations of each other, and the graph of who is part of whom (SSSC)."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.linear_model import lars_path_gram

from anchorgraph.numerics.dense import dense
from anchorgraph.numerics.equal_rows import first_equal
from anchorgraph.numerics.execution import run

FAINTEST = 1e-8
"""Weight of a tie that only keeps a row in the graph."""


def sparse_codes(rows, penalty):
    """Each row as a sparse combination of the others: ``min ½‖x_i - Σ_j c_ij x_j‖² + λ‖c_i‖₁`` with ``c_ii = 0``.

    Parameters
    ----------
    rows : (l, d) Block, of unit length
    penalty : float
        λ.

    Returns
    -------
    (l, l) CSR array
    """
    products = dense(rows @ rows.T).astype(np.float64)
    equals = first_equal(rows)

    def code(i):
        others = np.delete(np.arange(len(products)), i)
        others = others[np.unique(equals[others], return_index=True)[1]]  # of equal rows, one is enough for a code
        _, _, path = lars_path_gram(
            products[others, i], products[np.ix_(others, others)], n_samples=1, alpha_min=penalty, method="lasso"
        )
        chosen = np.flatnonzero(path[:, -1])
        return others[chosen], path[chosen, -1]

    codes = run(code, range(len(products)))
    columns, values = zip(*codes, strict=True)
    starts = np.cumsum([0, *map(len, columns)])
    return sparse.csr_array((np.concatenate(values), np.concatenate(columns), starts), shape=products.shape)


def code_graph(codes):
    """``|C| + |C|ᵀ``, where a row that no code reaches is tied faintly to the first other one."""
    graph = (abs(codes) + abs(codes).T).tocsr()
    lonely = np.flatnonzero(graph.sum(axis=1) == 0)
    if len(lonely):
        others = np.where(lonely == 0, 1, 0)
        faint = sparse.csr_array((np.full(len(lonely), FAINTEST), (lonely, others)), shape=graph.shape)
        graph = graph.maximum(faint.maximum(faint.T)).tocsr()
    return graph
