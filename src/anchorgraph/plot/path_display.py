"""Scores by the number of clusters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from anchorgraph.estimators.cluster_path import ClusterPath
from anchorgraph.plot.axes import axes_or_new, only_integer_ticks, with_defaults
from anchorgraph.plot.colours import GREY, group_colour
from anchorgraph.table import count


class PathDisplay:
    """One or several scores by the number of clusters, with the chosen number marked.

    Parameters
    ----------
    n_clusters : (p,) array-like of int
    scores : mapping of str to (p,) array-like
        Values of each score, by its name.
    chosen : int, optional
        The number of clusters that is marked; one of ``n_clusters``.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    lines_ : dict of str to matplotlib Line2D
    chosen_line_ : matplotlib Line2D or None

    Examples
    --------
    >>> from anchorgraph.plot import PathDisplay
    >>> PathDisplay([2, 3, 4], {"silhouette": [0.4, 0.7, 0.5]}, chosen=3).scores["silhouette"]
    array([0.4, 0.7, 0.5])
    """

    ax_: Any
    figure_: Any
    lines_: dict[str, Any]
    chosen_line_: Any

    def __init__(self, n_clusters: Any, scores: Mapping[str, Any], *, chosen: int | None = None) -> None:
        self.n_clusters: NDArray[Any] = np.asarray(n_clusters)
        self.scores: dict[str, NDArray[np.float64]] = {
            name: np.asarray(values, dtype=np.float64) for name, values in scores.items()
        }
        self.chosen = chosen
        for name, values in self.scores.items():
            if values.shape != self.n_clusters.shape:
                raise ValueError(
                    f"scores[{name!r}] must have a value for each of the {len(self.n_clusters)} n_clusters; "
                    f"got shape {values.shape}."
                )
        if chosen is not None and chosen not in self.n_clusters:
            raise ValueError(f"chosen must be one of n_clusters; got {chosen}.")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        n_clusters: Sequence[int],
        scores: Mapping[str, Callable[[Any, Any], float]],
        *,
        chosen: int | None = None,
        ax: Any = None,
        **line_options: Any,
    ) -> PathDisplay:
        """Fit a clone of a clusterer for each number of clusters, and draw its scores.

        Parameters
        ----------
        estimator : clusterer
            With the parameter ``n_clusters``; it is not changed.
        X : array-like, or any source that the clusterer accepts
        n_clusters : sequence of int
        scores : mapping of str to callable
            A score of a fitted clusterer and ``X``, by its name.
        chosen : int, optional
        ax : matplotlib Axes, optional
        **line_options : dict
            See :meth:`plot`.

        Returns
        -------
        PathDisplay
        """
        found: dict[str, list[float]] = {name: [] for name in scores}
        for number in n_clusters:
            fitted = clone(estimator).set_params(n_clusters=number).fit(X)
            for name, score in scores.items():
                found[name].append(score(fitted, X))
        return cls.from_scores(n_clusters, found, chosen=chosen, ax=ax, **line_options)

    @classmethod
    def from_scores(
        cls,
        n_clusters: Any,
        scores: Mapping[str, Any],
        *,
        chosen: int | None = None,
        ax: Any = None,
        **line_options: Any,
    ) -> PathDisplay:
        """Draw given scores.

        Parameters
        ----------
        n_clusters : (p,) array-like of int
        scores : mapping of str to (p,) array-like
        chosen : int, optional
        ax : matplotlib Axes, optional
        **line_options : dict
            See :meth:`plot`.

        Returns
        -------
        PathDisplay
        """
        return cls(n_clusters, scores, chosen=chosen).plot(ax, **line_options)

    @classmethod
    def from_path(cls, path: ClusterPath, *, ax: Any = None, **line_options: Any) -> PathDisplay:
        """Draw what :func:`anchorgraph.cluster_path` returns.

        Scores are drawn on one scale: the stability, the mean cut of a cluster, and the eigengap relative to the
        largest one.

        Parameters
        ----------
        path : ClusterPath
        ax : matplotlib Axes, optional
        **line_options : dict
            See :meth:`plot`.

        Returns
        -------
        PathDisplay
        """
        largest = path.eigengaps.max()
        scores = {
            "stability": path.stability,
            "normalised cut / clusters": path.normalised_cuts / path.n_clusters,
            "eigengap / largest": path.eigengaps / (largest if largest > 0 else 1),
        }
        return cls.from_scores(path.n_clusters, scores, chosen=path.chosen, ax=ax, **line_options)

    def plot(self, ax: Any = None, **line_options: Any) -> PathDisplay:
        """Draw a line for each score.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        **line_options : dict
            Arguments of :meth:`matplotlib.axes.Axes.plot`.

        Returns
        -------
        PathDisplay
        """
        ax = axes_or_new(ax)
        from matplotlib.lines import Line2D

        order = np.argsort(self.n_clusters, kind="stable")
        self.lines_ = {}
        for number, (name, values) in enumerate(self.scores.items()):
            options = with_defaults(line_options, Line2D, color=group_colour(number), marker="o", label=name)
            (self.lines_[name],) = ax.plot(self.n_clusters[order], values[order], **options)
        self.chosen_line_ = None
        if self.chosen is not None:
            label = f"chosen: {count(self.chosen, 'cluster')}"
            self.chosen_line_ = ax.axvline(self.chosen, color=GREY, linestyle="--", zorder=0, label=label)
        ax.set(xlabel="number of clusters", ylabel="score" if len(self.scores) != 1 else next(iter(self.scores)))
        only_integer_ticks(ax.xaxis)
        ax.legend(frameon=False)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def path(
    n_clusters: Any,
    scores: Mapping[str, Any] | None = None,
    *,
    chosen: int | None = None,
    ax: Any = None,
    **line_options: Any,
) -> PathDisplay:
    """Draw scores by the number of clusters.

    Parameters
    ----------
    n_clusters : ClusterPath, or (p,) array-like of int
        What :func:`anchorgraph.cluster_path` returns, which needs no ``scores`` and ``chosen``; or numbers of clusters.
    scores : mapping of str to (p,) array-like, optional
        Values of each score, by its name.
    chosen : int, optional
        The number of clusters that is marked; one of ``n_clusters``.
    ax : matplotlib Axes, optional
        By default those of a new figure.
    **line_options : dict
        Arguments of :meth:`matplotlib.axes.Axes.plot`.

    Returns
    -------
    PathDisplay
    """
    if isinstance(n_clusters, ClusterPath):
        if scores is not None or chosen is not None:
            raise ValueError("A ClusterPath has its own scores and chosen number; pass neither scores nor chosen.")
        return PathDisplay.from_path(n_clusters, ax=ax, **line_options)
    if scores is None:
        raise ValueError("scores must be given for numbers of clusters; only a ClusterPath has its own.")
    return PathDisplay.from_scores(n_clusters, scores, chosen=chosen, ax=ax, **line_options)
