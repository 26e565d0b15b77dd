"""Leading eigenpairs of a normalised graph, without the trivial one."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.eigen import leading_eigenpairs, with_fixed_signs
from anchorgraph.numerics.warn import warn_user

SMALLEST_WEIGHT = 1e-13
"""Edges of less weight do not connect: parts with only such edges between them have eigenvalues of one, to rounding."""


def nontrivial_eigenpairs(
    matrix: sparse.csr_array, root: Floats, n_components: int, name: str, remedy: str
) -> tuple[Floats, Floats, int]:
    """The largest eigenvalues of a normalised graph and their vectors, orthogonal to the trivial vector √degree.

    ``S √d = √d`` for ``S = D^-1/2 W D^-1/2``, and for ``BᵀB`` of an anchor graph. The trivial pair is deflated in
    closed form, and with it all other vectors of the eigenvalue one: on a graph with several connected parts they are
    √d restricted to each part. The first components then separate the parts, starting with the largest. The others are
    computed by an eigensolver, for which one is no longer a multiple eigenvalue.

    Parameters
    ----------
    matrix : (m, m) sparse array
        Symmetric and non-negative, with largest eigenvalue one.
    root : (m,) floats
        √d.
    n_components : int, less than m
    name, remedy : str
        The name of the graph and what would connect it, for the warning about an unconnected graph.

    Returns
    -------
    values : (n_components,) floats, largest first
    vectors : (m, n_components) floats
    n_parts : int
        Number of connected parts.
    """
    n_parts, part = parts_of(matrix)
    if n_components < n_parts - 1:
        warn_user(
            f"The {name} graph falls into {n_parts} unconnected parts, of which {n_components} component(s) separate "
            f"at most {n_components + 1}; use at least {n_parts - 1} components or {n_parts} clusters, or connect the "
            f"graph with {remedy}."
        )
    parts, separating = _separate(part, root, min(n_parts - 1, n_components))
    values, vectors = leading_eigenpairs(matrix, n_components - separating.shape[1], deflate=parts)
    return (
        np.concatenate([np.ones(separating.shape[1]), values]),
        with_fixed_signs(np.hstack([separating, vectors])),
        n_parts,
    )


def pairs_of_groups(
    matrix: sparse.csr_array, root: Floats, part: Integers, group: Integers, n_within: int
) -> tuple[Floats, Floats]:
    """Eigenpairs that separate groups of connected parts, and the ``n_within`` leading ones within the parts.

    The vectors that separate groups are a multiple of √d on each. So they are eigenvectors for the eigenvalue one, as
    those that separate the parts: with more parts than groups, they are a choice among the vectors of this multiple
    eigenvalue.

    Parameters
    ----------
    matrix, root
        As for :func:`nontrivial_eigenpairs`.
    part, group : (m,) integers
        The connected part and the group of each node, from 0 without gaps.
    n_within : int
        There are fewer if the graph has no more nodes.

    Returns
    -------
    values : (n_groups - 1 + n_within,) floats
    vectors : (m, n_groups - 1 + n_within) floats
    """
    parts, _ = _separate(part, root, 0)
    _, separating = _separate(group, root, int(group.max()))
    n_within = max(0, min(n_within, len(root) - parts.shape[1]))
    values, vectors = leading_eigenpairs(matrix, n_within, deflate=parts)
    return np.concatenate([np.ones(separating.shape[1]), values]), with_fixed_signs(np.hstack([separating, vectors]))


def count_parts(matrix: sparse.csr_array) -> int:
    """Number of connected parts of a graph."""
    return parts_of(matrix)[0]


def parts_of(matrix: sparse.csr_array) -> tuple[int, Integers]:
    """Number of connected parts of a graph, and the part of each node."""
    parts: tuple[int, Integers] = connected_components(matrix > SMALLEST_WEIGHT, directed=False)
    return parts


def _separate(part: Integers, root: Floats, n_vectors: int) -> tuple[sparse.csr_array, Floats]:
    """The vectors √d restricted to each part, and vectors of their span that separate the parts, largest first."""
    lengths = np.sqrt(np.bincount(part, weights=root**2))
    shape = len(root), len(lengths)
    parts = sparse.csr_array((root / lengths[part], (np.arange(len(root)), part)), shape=shape)
    return parts, parts @ _contrasts(lengths, n_vectors)


def _contrasts(lengths: Floats, n_contrasts: int) -> Floats:
    """Orthonormal columns orthogonal to ``lengths``: those of a Householder reflection."""
    normal = lengths / np.linalg.norm(lengths)
    by_length = np.argsort(-normal.round(9), kind="stable")  # parts of the same size keep their order
    normal[by_length[0]] += 1
    chosen = by_length[1 : n_contrasts + 1]
    columns: Floats = -np.outer(normal, normal[chosen]) / normal[by_length[0]]  # 2/‖normal‖² = 1/(1 + largest)
    columns[chosen, np.arange(n_contrasts)] += 1
    return columns
