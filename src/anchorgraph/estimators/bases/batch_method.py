"""Base of methods that also learn batch by batch: sums over the rows are kept, and results follow from the sums."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from anchorgraph.contracts import Floats, RowMap, RowTable, SumStep
from anchorgraph.estimators.bases.anchor_method import AnchorMethod, tie_rows
from anchorgraph.estimators.bases.drift import Reach
from anchorgraph.estimators.bases.inputs import check_unscaled, draw_seed, read_table
from anchorgraph.estimators.bases.method import Method
from anchorgraph.graph import AnchorGraphMap
from anchorgraph.labels import RowSample
from anchorgraph.numerics.warn import warn_user
from anchorgraph.table import add_sums


@dataclass(frozen=True)
class Seen:
    """What a method keeps of the batches that it has seen, to go on with the next one.

    Attributes
    ----------
    seed : int
        Of the first batch, for all batches.
    dtype : dtype
        Of the first batch, and of what is learnt.
    tie : RowMap
        From rows to their ties to the anchors, or to their coordinates, fixed by the first batch.
    reach : Reach or None
        How far rows of the first batch were from their anchors; None if that is not known.
    origin : (d,) floats or None
        The point about which products of the rows are summed, for methods that need such sums.
    n_rows, n_positive : int
        Numbers of rows, and of those of a positive weight.
    total_weight : float
    sums : tuple of arrays
        Over all rows.
    sample : RowSample or None
        What ``tie`` makes of some rows, for methods that need rows.
    parameters : dict
        Values of the parameters that the first batch fixes.
    """

    seed: int
    dtype: np.dtype[Any]
    tie: RowMap
    reach: Reach | None = None
    origin: Floats | None = None
    n_rows: int = 0
    n_positive: int = 0
    total_weight: float = 0.0
    sums: tuple[Any, ...] = ()
    sample: RowSample | None = None
    parameters: dict[str, Any] = field(default_factory=dict)

    def plus(self, table: RowTable, sums: tuple[Any, ...], Z: RowTable) -> Seen:
        """The same with a further batch of rows, their sums and their ties."""
        return replace(
            self,
            n_rows=self.n_rows + table.n_rows,
            n_positive=self.n_positive + table.n_positive,
            total_weight=self.total_weight + table.total_weight,
            sums=add_sums(self.sums, sums),
            sample=None if self.sample is None else self.sample.plus(Z),
        )


class BatchMethod(Method):
    """Base of methods with ``partial_fit``.

    The first batch fixes how rows are tied to anchors (``_begin``). Each batch adds to the same sums (``_batch_step``),
    from which the results follow (``_follow``).
    """

    _fixed: ClassVar[tuple[str, ...]] = ("n_anchors", "anchors", "n_neighbors", "weighting", "search", "metric")
    """Parameters that the first batch fixes."""

    n_rows_seen_: int
    drift_: float
    random_state: Any
    _seen: Seen | None

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a further batch of rows.

        The first batch selects the anchors, unless they were passed, and should represent what is to come. The anchors
        (for BKHK the tree, for Communities the principal components), the bandwidth and the search then stay as they
        are, and the result is that of one ``fit`` with these on all rows. ``fit`` starts anew. See docs/partial_fit.md.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored
        sample_weight : array-like of shape (n_rows,) or str, default=None
            Weights of the rows: 2 counts as the row twice, 0 as no row. Or the name of the column of X that holds them.

        Returns
        -------
        self
        """
        self._check_parameters()
        before = self._seen_before()
        if before is not None:
            self._check_fixed(before.parameters)
        table = read_table(self, X, sample_weight, fitting=before is None)
        check_unscaled(table, "partial_fit")
        self._check_batch(table.n_cols, table.n_positive + (0 if before is None else before.n_positive))
        if before is None:
            seen = replace(self._begin(table, draw_seed(self.random_state)), parameters=self._fixed_parameters())
        else:
            seen = before
        Z, sums = tie_rows(table, seen.tie, self._batch_step(seen, table))
        seen = seen.plus(table, sums, Z)
        self._follow(seen, Z)
        if seen.reach is not None:
            self.drift_ = 0.0 if before is None else seen.reach.share_beyond(table, seen.seed)
        self._seen, self.n_rows_seen_ = seen, seen.n_rows
        return self

    def _fixed_parameters(self) -> dict[str, Any]:
        return {name: value for name, value in self.get_params(deep=False).items() if name in self._fixed}

    def _check_fixed(self, first: dict[str, Any]) -> None:
        """Refuse parameters that are not those of the first batch."""
        for name, value in self._fixed_parameters().items():
            same = value is first[name] or (isinstance(value, str | int | None) and value == first[name])
            if not same:
                raise ValueError(
                    f"{name} was {first[name]!r} in the first batch and is {value!r} now, but it stays that of the "
                    "first batch; call fit, or partial_fit on a clone."
                )

    @abstractmethod
    def _check_parameters(self) -> None:
        """Refuse wrong parameters, before any row is read."""

    def _check_batch(self, n_cols: int, n_positive: int) -> None:
        """Refuse parameters that do not fit the columns, or the rows seen with those of a batch."""

    @abstractmethod
    def _begin(self, table: RowTable, seed: int) -> Seen:
        """What the first batch fixes."""

    @abstractmethod
    def _batch_step(self, seen: Seen, table: RowTable) -> SumStep:
        """What is added up over the rows of a batch and their ties: ``step(ties, block, *weights)``."""

    @abstractmethod
    def _follow(self, seen: Seen, Z: RowTable) -> None:
        """Set what follows from the sums over all batches, and from the ties of the last one."""

    def _start_anew(self) -> None:
        for name in ("n_rows_seen_", "drift_"):
            vars(self).pop(name, None)
        self._seen = None

    def _seen_before(self) -> Seen | None:
        if not all(hasattr(self, name) for name in self._fields_to_save()):  # not fitted
            return None
        name = type(self).__name__
        if not hasattr(self, "_seen"):
            raise ValueError(
                f"This {name} was loaded from a file, which has no sums that partial_fit could add to; call "
                "partial_fit on a clone of it, from the first batch on."
            )
        if self._seen is None:
            warn_user(
                f"{name}.partial_fit starts anew with this batch, because fit keeps no sums that it could add to; call "
                "partial_fit from the first batch on."
            )
        return self._seen


class AnchorBatchMethod(BatchMethod, AnchorMethod):
    """Base of methods on an anchor graph with ``partial_fit``."""

    def _begin(self, table: RowTable, seed: int) -> Seen:
        graph = self._connect(self._select_anchors(table, seed), table, seed)
        reach = Reach.of(graph.search, table, seed) if isinstance(graph, AnchorGraphMap) else None
        return Seen(seed, table.dtype, graph, reach)
