"""What the choices of a grid have in common: anchors, nearest anchors and nearest rows, found once.

Seven numbers of neighbours and ten λ share one set of anchors and one search. The results are the same as without
sharing; :attr:`SharedWork.saved` counts the seconds that a run would have taken longer.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from anchorgraph.anchors import SELECTORS, KMeansAnchors, RandomAnchors
from anchorgraph.contracts import Anchors, AnchorSelector, Block, Floats, Integers, NearestAnchors, RowTable
from anchorgraph.graph import SEARCHES
from anchorgraph.numerics.recall import Arrays, recall
from anchorgraph.table import write_atomically

SEEN = 9
"""Number of nearest anchors that are found at once: eight, the most in a grid, and one more for adaptive weights."""


class SharedWork:
    """Results in a folder, by what they are and what they were computed from.

    Parameters
    ----------
    folder : Path

    Attributes
    ----------
    saved : float
        Seconds that the recalled results took when they were computed.
    """

    saved: float

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.saved = 0.0

    def recall(self, what: str, of: tuple[Any, ...], compute: Callable[[], Arrays]) -> Arrays:
        """The result of ``compute``, or the one in the folder."""
        path = self._folder / f"{_digest(what, *of)}.npz"
        if path.exists():
            with np.load(path) as parts:
                self.saved += float(parts["seconds"])
                return tuple(parts[f"arr_{number}"] for number in range(len(parts) - 1))
        start = time.perf_counter()
        found = compute()
        seconds = time.perf_counter() - start
        with write_atomically(path) as unfinished, unfinished.open("wb") as file:
            np.savez(file, *found, seconds=seconds)
        return found


def _digest(*parts: Any) -> str:
    """A short text that differs for different parts."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        if sparse.issparse(part):
            found.update(_digest(part.data, part.indices, part.indptr, part.shape).encode())
        elif isinstance(part, np.ndarray):
            found.update(f"{part.dtype} {part.shape}".encode())
            found.update(np.ascontiguousarray(part).data)
        else:
            found.update(repr(part).encode())
        found.update(b"\0")
    return found.hexdigest()


@dataclass(frozen=True)
class SharedAnchors:
    """Anchors of a selector without a tree, selected once for each number and seed."""

    selector: AnchorSelector
    rows: str
    """What identifies the rows."""

    def select(self, table: RowTable, n_anchors: int, seed: int) -> Anchors:
        """The anchors of a table."""

        def compute() -> Arrays:
            return (self.selector.select(table, n_anchors, seed).points,)

        (points,) = recall("anchors", (repr(self.selector), self.rows, n_anchors, seed), compute)
        return Anchors(points)


@dataclass(frozen=True)
class SharedSearch:
    """An exact search that finds :data:`SEEN` anchors once, and the first of them as often as wanted."""

    def prepare(self, anchors: Anchors, k: int, n_rows: int) -> SharedNearest:
        """The search for up to ``k`` of these anchors."""
        most = max(k, min(SEEN, len(anchors.points)))
        return SharedNearest(SEARCHES["exact"].prepare(anchors, most, n_rows), anchors.points, most)


@dataclass(frozen=True)
class SharedNearest:
    """A search prepared for some anchors."""

    search: NearestAnchors
    anchors: Floats
    most: int
    name: ClassVar[str] = "exact"

    def nearest(self, block: Block, k: int) -> tuple[Integers, Floats]:
        """Each row's ``k`` nearest anchors, nearest first, and the squared distances to them."""
        columns, h = recall("nearest", (self.anchors, block, self.most), lambda: self.search.nearest(block, self.most))
        return columns[:, :k], h[:, :k]


def share_work(params: dict[str, Any], accepted: Mapping[str, Parameter], rows: str) -> dict[str, Any]:
    """Parameters of a method whose anchors and nearest anchors are shared with other choices, where it has such.

    Parameters
    ----------
    params : dict
    accepted : mapping of str to Parameter
        All parameters of the method.
    rows : str
        What identifies the rows.

    Returns
    -------
    dict
    """
    if "search" in params or "search" not in accepted or "kmeans_rounds" in params:
        return params
    anchors: Any = params.get("anchors", accepted["anchors"].default)
    selector = SELECTORS[anchors] if anchors in ("random", "kmeans") else anchors
    if not isinstance(selector, RandomAnchors | KMeansAnchors):  # others come with a tree
        return params
    return params | {"anchors": SharedAnchors(selector, rows), "search": SharedSearch()}
