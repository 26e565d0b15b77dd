"""A map of rows, coloured by their groups or by values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anchorgraph.numerics.checks import check_choice
from anchorgraph.plot.axes import axes_or_new, with_defaults
from anchorgraph.plot.colours import GREY, MAIN, name_colours
from anchorgraph.plot.fitted import attribute_of, has_clusters, labels_of, model_and_rows
from anchorgraph.plot.groups import known_values, split_groups
from anchorgraph.plot.map_of_rows import map_of_rows

MAX_POINTS = 200_000
"""Number of rows up to which all are drawn; of more, a sample is."""

MAX_NAMES = 20
"""Largest number of groups in a legend."""

KINDS = ("auto", "groups", "numbers")
LEGENDS = ("beside", "within", "none")

COLOUR_OPTIONS = {"c", "color", "facecolor"}
"""Options of a scatter plot that give points their colours."""

ROW_OPTIONS = COLOUR_OPTIONS | {"s", "alpha", "edgecolor", "linewidth"}
"""Options that can have an entry for each row."""


class MapDisplay:
    """A map of rows in two dimensions.

    Parameters
    ----------
    positions : (n, 2) array-like
        Rows with NaN are not drawn.
    values : (n,) array-like, optional
        Groups or numbers that give rows their colours. The label -1, and a missing label or number, is grey.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    points_ : matplotlib PathCollection
        The drawn rows, in an order that lets no group cover the others.
    legend_ : matplotlib Legend, list of matplotlib Text, or None
        The names of groups beside the map, or those within it.
    colorbar_ : matplotlib Colorbar or None
    note_ : matplotlib Text or None
        How many rows are drawn, if these are not all.

    Examples
    --------
    >>> from anchorgraph.plot import MapDisplay
    >>> MapDisplay([[0, 0], [1, 2], [3, 1]], ["a", "b", "a"]).positions.shape
    (3, 2)
    """

    ax_: Any
    figure_: Any
    points_: Any
    legend_: Any
    colorbar_: Any
    note_: Any

    def __init__(self, positions: Any, values: Any = None) -> None:
        self.positions: NDArray[Any] = np.asarray(positions)
        if self.positions.ndim != 2 or self.positions.shape[1] != 2:
            raise ValueError(f"positions must have two columns; got shape {self.positions.shape}.")
        self.values: NDArray[Any] | None = None if values is None else np.asarray(values)
        if self.values is not None and self.values.shape != (len(self.positions),):
            raise ValueError(
                f"values must have one entry for each of the {len(self.positions)} positions; "
                f"got shape {self.values.shape}."
            )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        *,
        values: Any = None,
        ax: Any = None,
        max_points: int = MAX_POINTS,
        **options: Any,
    ) -> MapDisplay:
        """Draw the map of a fitted method.

        Parameters
        ----------
        estimator : fitted estimator
            A clusterer, a method whose ``embedding_`` has two columns, such as :class:`~anchorgraph.AnchorMap`, or a
            pipeline that ends in one of them.
        X : (n, d) array-like, or any source for :func:`~anchorgraph.as_table`, optional
            The rows of the fit. They are needed for a clusterer: its rows are placed by AnchorMap, after the steps of
            a pipeline before it. For other methods, ``transform`` is applied to them, so that they can also be new
            rows.
        values : (n,) array-like, optional
            By default the labels of a clusterer, or those that it predicts if it is from a file.
        ax : matplotlib Axes, optional
        max_points : int
            Of more rows, a sample is drawn.
        **options : dict
            See :meth:`plot`.

        Returns
        -------
        MapDisplay
        """
        model, rows = model_and_rows(estimator, X)
        if has_clusters(model):
            if rows is None:
                raise ValueError(f"A map of {type(model).__name__} needs the rows of the fit; pass X.")
            values = labels_of(model, rows) if values is None else values
            positions = map_of_rows(rows, model, max_points)
        else:
            positions = attribute_of(model, "embedding_") if rows is None else model.transform(rows)
        return cls.from_positions(positions, values, ax=ax, max_points=max_points, **options)

    @classmethod
    def from_positions(cls, positions: Any, values: Any = None, *, ax: Any = None, **options: Any) -> MapDisplay:
        """Draw a map of given positions.

        Parameters
        ----------
        positions : (n, 2) array-like
        values : (n,) array-like, optional
        ax : matplotlib Axes, optional
        **options : dict
            See :meth:`plot`.

        Returns
        -------
        MapDisplay
        """
        return cls(positions, values).plot(ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        kind: str = "auto",
        legend: str = "beside",
        max_points: int = MAX_POINTS,
        **scatter_options: Any,
    ) -> MapDisplay:
        """Draw the map.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        kind : {"auto", "groups", "numbers"}
            What values are. ``"auto"`` takes floats for numbers, and all others for groups.
        legend : {"beside", "within", "none"}
            Where the names of groups, of which there can be many within the map, or the colours of numbers are shown.
        max_points : int
            Of more rows, a sample is drawn, with a note below the map.
        **scatter_options : dict
            Arguments of :meth:`matplotlib.axes.Axes.scatter`, such as ``s``, the size of a point, or ``cmap``. A given
            colour takes the place of those of values.

        Returns
        -------
        MapDisplay
        """
        check_choice("kind", kind, KINDS)
        check_choice("legend", legend, LEGENDS)
        ax = axes_or_new(ax)
        shown = self._drawn_rows(max_points)
        self.legend_ = self.colorbar_ = self.note_ = None
        look = self._look(shown, scatter_options)
        has_colours = not COLOUR_OPTIONS.isdisjoint(look)
        x, y = self.positions[shown].T
        if self.values is None:
            self.points_ = ax.scatter(x, y, **({} if has_colours else {"color": MAIN}), **look)
        elif self._has_numbers(kind):
            colours = {} if has_colours else {"c": self._numbers()[shown], "plotnonfinite": True}
            self.points_ = ax.scatter(x, y, **{**colours, **look})
            self.points_.set_cmap(self.points_.get_cmap().with_extremes(bad=GREY))
            if legend != "none" and not has_colours:
                self.colorbar_ = ax.figure.colorbar(self.points_, ax=ax, shrink=0.7)
        else:
            names, codes = split_groups(self.values)
            colours = {} if has_colours else {"color": name_colours(names)[codes[shown]]}
            self.points_ = ax.scatter(x, y, **colours, **look)
            if legend != "beside" or not has_colours:
                self._name_groups(ax, names, codes, shown, legend)
        if len(shown) < len(self.positions):
            note = f"{len(shown):,} of {len(self.positions):,} rows"
            self.note_ = ax.text(0.5, -0.02, note, transform=ax.transAxes, ha="center", va="top", fontsize="small")
        ax.set(xticks=[], yticks=[])
        ax.set_aspect("equal", adjustable="datalim")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _drawn_rows(self, max_points: int) -> Any:
        """The rows that are drawn, in random order: in that of the groups, the last would cover the others."""
        placed = np.flatnonzero(np.isfinite(self.positions).all(axis=1))
        return np.random.default_rng(0).permutation(placed)[:max_points]

    def _look(self, shown: Any, options: dict[str, Any]) -> dict[str, Any]:
        """Options of a scatter plot; those with an entry for each row are of the drawn rows."""
        from matplotlib.collections import PathCollection

        size = np.clip(1e4 / max(len(shown), 1), 0.8, 16)
        look = with_defaults(options, PathCollection, s=size, linewidth=0, rasterized=True)
        return {name: self._of_rows(shown, value) if name in ROW_OPTIONS else value for name, value in look.items()}

    def _of_rows(self, shown: Any, value: Any) -> Any:
        from matplotlib.colors import is_color_like

        if is_color_like(value) or np.ndim(value) == 0 or len(value) != len(self.positions):
            return value
        return np.asarray(value)[shown]

    def _has_numbers(self, kind: str) -> bool:
        if kind != "auto":
            return kind == "numbers"
        return np.issubdtype(known_values(self.values)[0].dtype, np.floating)

    def _numbers(self) -> Any:
        found, known = known_values(self.values)
        numbers = np.full(len(known), np.nan)
        numbers[known] = found
        return numbers

    def _name_groups(self, ax: Any, names: Any, codes: Any, shown: Any, legend: str) -> None:
        drawn, counts = np.unique(codes[shown], return_counts=True)
        if legend == "within":
            self.legend_ = [
                _name_within(ax, str(names[code]), np.median(self.positions[shown][codes[shown] == code], axis=0))
                for code in drawn[drawn >= 0]
            ]
        elif legend == "beside":
            self.legend_ = _legend_beside(ax, names, drawn, counts)


def _name_within(ax: Any, name: str, position: Any) -> Any:
    from matplotlib.patheffects import withStroke

    effects = [withStroke(linewidth=3, foreground="white")]
    return ax.text(*position, name, ha="center", va="center", color="black", fontweight="bold", path_effects=effects)


def _legend_beside(ax: Any, names: Any, drawn: Any, counts: Any) -> Any:
    """A legend of the drawn groups, or of the largest ones if there are many."""
    from matplotlib.lines import Line2D

    largest = np.sort(drawn[np.argsort(-counts, kind="stable")[:MAX_NAMES]])
    largest = np.roll(largest, -1) if largest.size and largest[0] < 0 else largest  # rows in no group come last
    labels = ["none" if code < 0 else str(names[code]) for code in largest]
    colors = list(name_colours(names)[largest])
    if len(drawn) > MAX_NAMES:
        labels, colors = [*labels, f"{len(drawn) - MAX_NAMES:,} more"], [*colors, "none"]
    handles = [Line2D([], [], linestyle="", marker="o", color=color) for color in colors]
    return ax.legend(handles, labels, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)


def map(  # noqa: A001 - meant as plot.map
    source: Any, X: Any = None, *, values: Any = None, ax: Any = None, **options: Any
) -> MapDisplay:
    """Draw a map of rows.

    Parameters
    ----------
    source : (n, 2) array-like or fitted estimator
        Positions; or a method whose ``embedding_`` has two columns, or a clusterer, of which a map is made of ``X``, or
        a pipeline that ends in one of them.
    X : (n, d) array-like, optional
        Rows, if ``source`` is an estimator: see :meth:`MapDisplay.from_estimator`.
    values : (n,) array-like, optional
        Groups or numbers that give rows their colours; by default the labels of a clusterer.
    ax : matplotlib Axes, optional
        By default those of a new figure.
    **options : dict
        ``kind``, ``legend``, ``max_points`` and arguments of a scatter plot: see :meth:`MapDisplay.plot`.

    Returns
    -------
    MapDisplay
    """
    if hasattr(source, "fit"):
        return MapDisplay.from_estimator(source, X, values=values, ax=ax, **options)
    if X is not None:
        raise ValueError("X is for estimators; pass groups or numbers of positions as values=.")
    return MapDisplay.from_positions(source, values, ax=ax, **options)
