"""Levels of clusters: their persistence by resolution."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anchorgraph.plot.axes import axes_or_new, with_defaults
from anchorgraph.plot.colours import MAIN, MARKED
from anchorgraph.plot.fitted import attribute_of, model_and_rows
from anchorgraph.table import count

LINEAR = 0.01
"""Resolutions below this are drawn on a linear scale if one of them is 0, which has no place on a log axis."""


class LevelsDisplay:
    """The persistence of each level of clusters by its resolution, with the number of clusters, and the chosen one.

    Parameters
    ----------
    n_clusters : (q,) array-like of int
        Number of clusters of each level.
    resolutions : (q,) array-like
        At least 0.
    persistences : (q,) array-like
    chosen : int, optional
        Index of the level that is marked.
    path : (s, 3) array-like, optional
        Resolution, number of clusters and persistence of the partitions that the levels were chosen from: a line.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    points_ : matplotlib Line2D
    stems_ : matplotlib LineCollection
        From 0 to each point.
    line_ : matplotlib Line2D or None
        The path.
    chosen_point_ : matplotlib Line2D or None
    texts_ : list of matplotlib Text
        The numbers of clusters.

    Examples
    --------
    >>> from anchorgraph.plot import LevelsDisplay
    >>> LevelsDisplay([40, 10], [2.0, 0.3], [0.8, 2.5], chosen=1).persistences
    array([0.8, 2.5])
    """

    ax_: Any
    figure_: Any
    points_: Any
    stems_: Any
    line_: Any
    chosen_point_: Any
    texts_: list[Any]

    def __init__(
        self, n_clusters: Any, resolutions: Any, persistences: Any, *, chosen: int | None = None, path: Any = None
    ) -> None:
        self.n_clusters: NDArray[Any] = np.asarray(n_clusters)
        self.resolutions: NDArray[np.float64] = np.asarray(resolutions, dtype=np.float64)
        self.persistences: NDArray[np.float64] = np.asarray(persistences, dtype=np.float64)
        self.chosen = chosen
        self.path: NDArray[np.float64] | None = None if path is None else np.asarray(path, dtype=np.float64)
        shape = self.n_clusters.shape
        if len(shape) != 1 or not shape[0]:
            raise ValueError(f"n_clusters must have one entry for each level; got shape {shape}.")
        for name, values in {"resolutions": self.resolutions, "persistences": self.persistences}.items():
            if values.shape != shape:
                raise ValueError(f"{name} must have one entry for each of the {shape[0]} levels; got {values.shape}.")
        if not (self.resolutions >= 0).all():
            raise ValueError(f"resolutions must be at least 0; got {self.resolutions.min():g}.")
        if chosen is not None and chosen not in range(shape[0]):
            raise ValueError(f"chosen must be the index of one of the {shape[0]} levels; got {chosen}.")
        if self.path is not None and (self.path.ndim != 2 or self.path.shape[1] != 3):
            raise ValueError(
                f"path must have three columns, of resolutions, numbers of clusters and persistences; got shape "
                f"{self.path.shape}."
            )

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **line_options: Any) -> LevelsDisplay:
        """Draw the levels of a fitted clusterer.

        Parameters
        ----------
        estimator : fitted estimator or Pipeline
            With ``levels_``, such as :class:`~anchorgraph.Communities`.
        ax : matplotlib Axes, optional
        **line_options : dict
            See :meth:`plot`.

        Returns
        -------
        LevelsDisplay
        """
        model, _ = model_and_rows(estimator)
        levels = attribute_of(model, "levels_")
        own = levels[model.level_]
        drawn = [level for level in levels if level.resolution > 0 or level is own]
        numbers, resolutions, persistences = zip(
            *((level.n_clusters, level.resolution, level.persistence) for level in drawn), strict=True
        )
        display = cls(numbers, resolutions, persistences, chosen=drawn.index(own), path=model.resolution_path_)
        return display.plot(ax, **line_options)

    def plot(self, ax: Any = None, **line_options: Any) -> LevelsDisplay:
        """Draw a point for each level.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        **line_options : dict
            Arguments of :meth:`matplotlib.axes.Axes.plot`.

        Returns
        -------
        LevelsDisplay
        """
        ax = axes_or_new(ax)
        from matplotlib.lines import Line2D

        if (self.resolutions > 0).all():
            ax.set_xscale("log")
        else:
            ax.set_xscale("symlog", linthresh=LINEAR, linscale=0.5)
        options = with_defaults(line_options, Line2D, color=MAIN, marker="o", linestyle="none")
        (self.points_,) = ax.plot(self.resolutions, self.persistences, **options)
        color = self.points_.get_color()
        self.stems_ = ax.vlines(self.resolutions, 0, self.persistences, color=color, alpha=0.5, zorder=1)
        self.line_ = None
        if self.path is not None:
            x, _, y = self.path[np.argsort(self.path[:, 0], kind="stable")].T
            (self.line_,) = ax.plot(x, y, color=color, alpha=0.4, linewidth=1, zorder=1)
        self.chosen_point_ = None
        if self.chosen is not None:
            label = f"chosen: {count(int(self.n_clusters[self.chosen]), 'cluster')}"
            where = [self.resolutions[self.chosen]], [self.persistences[self.chosen]]
            size = 1.6 * self.points_.get_markersize()
            (self.chosen_point_,) = ax.plot(*where, "o", color=MARKED, markersize=size, label=label)
            ax.legend(frameon=False)
        self.texts_ = [
            ax.annotate(f"{number:,}", (x, y), (0, 7), textcoords="offset points", ha="center", annotation_clip=True)
            for number, x, y in zip(self.n_clusters, self.resolutions, self.persistences, strict=True)
        ]
        ax.margins(0.1, 0.15)
        if (self.persistences > 0).any():
            ax.set_ylim(bottom=0)  # finer partitions than those that last can have any negative persistence
        ax.set(xlabel="resolution", ylabel="persistence")
        self.ax_, self.figure_ = ax, ax.figure
        return self


def levels(model: Any, *, ax: Any = None, **line_options: Any) -> LevelsDisplay:
    """Draw how long the clusters of each level last, by the resolution at which they were found.

    The line is the path from a fine resolution to a coarse one. A point is a level that lasts, with its number of
    clusters; the level of ``labels_`` is marked. Groups of unconnected parts, whose persistence is one of distances,
    have no point unless they are this level. Resolution is on a logarithmic axis, which is linear below 0.01 if the
    level has resolution 0.

    Parameters
    ----------
    model : fitted estimator or Pipeline
        With ``levels_``, such as :class:`~anchorgraph.Communities`.
    ax : matplotlib Axes, optional
        By default those of a new figure.
    **line_options : dict
        Arguments of :meth:`matplotlib.axes.Axes.plot`.

    Returns
    -------
    LevelsDisplay
    """
    return LevelsDisplay.from_estimator(model, ax=ax, **line_options)
