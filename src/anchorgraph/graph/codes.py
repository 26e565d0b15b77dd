"""Rows of a sample as sparse combinations of each other, and the graph of these combinations (SSSC)."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.linear_model import lars_path_gram

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.equal_rows import first_equal
from anchorgraph.numerics.execution import run

MIN_WEIGHT = 1e-8
"""Weight of the edge that is added for a row without edges."""


def sparse_codes(rows: Block, penalty: float) -> sparse.csr_array:
    """Each row as a sparse combination of the others: ``min ½‖x_i - Σ_j c_ij x_j‖² + λ‖c_i‖₁`` with ``c_ii = 0``.

    Parameters
    ----------
    rows : (l, d) Block
        Rows of unit length.
    penalty : float
        λ.

    Returns
    -------
    (l, l) CSR array
    """
    products = dense(rows @ rows.T).astype(np.float64)
    equals = first_equal(rows)

    def code(i: int) -> tuple[Integers, Floats]:
        others = np.delete(np.arange(len(products)), i)
        others = others[np.unique(equals[others], return_index=True)[1]]  # one of several equal rows is enough
        _, _, path = lars_path_gram(
            products[others, i], products[np.ix_(others, others)], n_samples=1, alpha_min=penalty, method="lasso"
        )
        chosen = np.flatnonzero(path[:, -1])
        return others[chosen], path[chosen, -1]

    codes = run(code, range(len(products)))
    columns, values = zip(*codes, strict=True)
    starts = np.cumsum([0, *map(len, columns)])
    return sparse.csr_array((np.concatenate(values), np.concatenate(columns), starts), shape=products.shape)


def code_graph(codes: sparse.csr_array) -> sparse.csr_array:
    """The weights ``|C| + |C|ᵀ`` of a graph; a row without edges gets one of very small weight to the first other row.

    Parameters
    ----------
    codes : (l, l) CSR array
        C.

    Returns
    -------
    (l, l) CSR array
    """
    graph = (abs(codes) + abs(codes).T).tocsr()
    isolated = np.flatnonzero(graph.sum(axis=1) == 0)
    if len(isolated):
        others = np.where(isolated == 0, 1, 0)
        added = sparse.csr_array((np.full(len(isolated), MIN_WEIGHT), (isolated, others)), shape=graph.shape)
        graph = graph.maximum(added.maximum(added.T)).tocsr()
    return graph
