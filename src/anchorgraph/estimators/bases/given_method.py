"""Base of methods on the graph of nearest rows, which can be passed in place of the rows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, RowMap, RowTable
from anchorgraph.estimators.bases.coordinates import AsGiven, counted_rows
from anchorgraph.estimators.bases.fields import Derived, Field, Integers, Record, Text
from anchorgraph.estimators.bases.inputs import read_table
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.parameters import RowGraphMetricParameter
from anchorgraph.estimators.bases.preparation import METRICS
from anchorgraph.graph import GIVEN_METRICS, GivenIndex
from anchorgraph.table import count


def _disordered(index: GivenIndex) -> str | None:
    """What is wrong with an index from a model file, as the end of a sentence, or None."""
    return None if (np.diff(index.columns) > 0).all() else "has columns that are not in ascending order"


GIVEN_SEARCH: dict[str, Field] = {
    "coordinates": Derived(AsGiven),
    "index": Record(
        GivenIndex, {"columns": Integers("n", below="d", dtype="int32"), "metric": Text(GIVEN_METRICS)}, _disordered
    ),
}
"""Fields of row maps for which the rows of a graph say which rows of the fit are near."""


class GivenMethod(Method):
    """Base of Communities and AnchorMap: X can be the distances to near rows, or ties, in place of the rows.

    ``saved_given`` declares the attributes of a model file that differ then.
    """

    metrics: ClassVar[tuple[str, ...]] = (*METRICS, *GIVEN_METRICS)
    saved_given: ClassVar[dict[str, Field]] = {}

    metric: RowGraphMetricParameter
    n_neighbors: int | None

    def _read_given(self, X: Any, sample_weight: Any) -> tuple[RowTable, GivenIndex, Block]:
        """The given graph as a table, its rows and columns that count, and these rows."""
        if self.metric == "affinity" and self.n_neighbors is not None:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is for distances, but metric='affinity' uses all ties of X; use "
                "n_neighbors=None."
            )
        table = read_table(self, X, sample_weight)
        if table.n_rows != table.n_cols:
            raise ValueError(
                f"X has shape ({table.n_rows}, {table.n_cols}), but with metric={self.metric!r} it is the graph of the "
                "rows, with a row and a column for each; pass for example RowGraph().fit_transform(X), or use "
                "metric='euclidean'."
            )
        columns = table.positive_rows() if table.weights else np.arange(table.n_rows)
        return table, GivenIndex(columns.astype(np.int32), self.metric), counted_rows(table)

    def _n_given_neighbors(self, graph: sparse.csr_array, default: int) -> int:
        """The number of neighbours to use of those that a graph has."""
        most = int(np.diff(graph.indptr).max())
        if self.n_neighbors is None:
            return min(default, most)
        if self.n_neighbors > most:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is too many for X, which has at most {count(most, 'neighbour')} of a "
                f"row; use at most {most}, or pass a graph with more."
            )
        return int(self.n_neighbors)

    def _of_all_rows(self, table: RowTable, index: GivenIndex, own: Floats, row_map: RowMap) -> RowTable:
        """The results of the rows that count, and what ``row_map`` makes of the others, which are no nodes."""
        if index.n_points == table.n_rows:
            return table.align(own)
        found = np.array(table.keep(row_map).rows())
        found[index.columns] = own
        return table.align(found)

    def _is_given(self) -> bool:
        return self.metric in GIVEN_METRICS

    def _can_mask(self) -> bool:
        return super()._can_mask() and not self._is_given()

    def _fields_to_save(self) -> dict[str, Field]:
        fields = super()._fields_to_save()
        return fields | self.saved_given if self._is_given() else fields

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_given()
        return tags
