"""Leading eigenpairs of a normalised graph, without the one that every graph has."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from anchorgraph.numerics.eigen import leading_eigenpairs, with_fixed_signs
from anchorgraph.numerics.warn import warn_user

FAINTEST = 1e-13
"""Ties that no eigensolver sees: parts that only such ties hold together have eigenvalues of one, to rounding."""


def nontrivial_eigenpairs(matrix, root, n_components, name, cure):
    """The largest eigenvalues of a normalised graph and their vectors, orthogonal to the trivial vector √degree.

    ``S √d = √d`` for ``S = D^-1/2 W D^-1/2``, and for ``BᵀB`` of an anchor graph. The trivial pair is deflated in
    closed form, and with it all other vectors to the eigenvalue one: on a graph in several connected parts they are √d
    restricted to each part. The first components then tell the parts apart, large parts first; the others come from an
    eigensolver that sees no multiple eigenvalue at one.

    Parameters
    ----------
    matrix : (m, m) sparse array, symmetric and non-negative, with largest eigenvalue one
    root : (m,) floats
        √d.
    n_components : int, less than m
    name, cure : str
        What the graph is called, and what would connect it, in a warning.

    Returns
    -------
    values : (n_components,) floats, largest first
    vectors : (m, n_components) floats
    n_parts : int
    """
    n_parts, part = _parts(matrix)
    if n_components < n_parts - 1:
        warn_user(
            f"The {name} graph falls into {n_parts} unconnected parts, which {n_components} vectors cannot all tell "
            f"apart; ask for {n_parts - 1} components or {n_parts} clusters at least, or connect the graph by "
            f"{cure}."
        )
    order = np.arange(len(root))
    shares = np.sqrt(np.bincount(part, weights=root**2))
    parts = sparse.csr_array((root / shares[part], (order, part)), shape=(len(root), n_parts))
    apart = parts @ _contrasts(shares, min(n_parts - 1, n_components))

    values, inner = leading_eigenpairs(matrix, n_components - apart.shape[1], deflate=parts)
    return (
        np.concatenate([np.ones(apart.shape[1]), values]),
        with_fixed_signs(np.hstack([apart, inner])),
        n_parts,
    )


def count_parts(matrix):
    """Connected parts of a graph."""
    return _parts(matrix)[0]


def _parts(matrix):
    return connected_components(matrix > FAINTEST, directed=False)


def _contrasts(shares, n_contrasts):
    """Orthonormal columns that are orthogonal to the unit vector along ``shares``: of a Householder reflection."""
    normal = shares / np.linalg.norm(shares)
    by_share = np.argsort(-normal.round(9), kind="stable")  # parts of the same size keep their order
    normal[by_share[0]] += 1
    chosen = by_share[1 : n_contrasts + 1]
    columns = -np.outer(normal, normal[chosen]) / normal[by_share[0]]  # 2/‖normal‖² is 1/(1 + its largest share)
    columns[chosen, np.arange(n_contrasts)] += 1
    return columns
