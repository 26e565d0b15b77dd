"""The sizes of clusters as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anchorgraph.numerics.checks import check_choice
from anchorgraph.plot.axes import axes_or_new
from anchorgraph.plot.colours import name_colours
from anchorgraph.plot.fitted import labels_of, model_and_rows
from anchorgraph.plot.groups import split_groups
from anchorgraph.table import count

ORDERS = ("label", "size")
MAX_NAMES = 30
"""Largest number of bars that have their names below them."""


class SizesDisplay:
    """Numbers of rows of clusters, as bars in the colours of :class:`MapDisplay`.

    Parameters
    ----------
    sizes : (g,) array-like of int
    names : (g,) sequence, optional
        Names of the clusters; by default 0, 1, 2, …
    n_unlabelled : int
        Number of rows in no cluster.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    bars_ : matplotlib BarContainer

    Examples
    --------
    >>> from anchorgraph.plot import SizesDisplay
    >>> SizesDisplay([120, 80, 3], n_unlabelled=2).sizes.tolist()
    [120, 80, 3]
    """

    ax_: Any
    figure_: Any
    bars_: Any

    def __init__(self, sizes: Any, names: Sequence[Any] | None = None, *, n_unlabelled: int = 0) -> None:
        self.sizes: NDArray[Any] = np.asarray(sizes)
        names = range(len(self.sizes)) if names is None else names
        self.names: list[str] = [str(name) for name in names]
        self.colours: NDArray[Any] = name_colours(names)
        self.n_unlabelled = n_unlabelled

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, *, ax: Any = None, order: str = "label", **bar_options: Any
    ) -> SizesDisplay:
        """Draw the cluster sizes of a fitted clusterer.

        Parameters
        ----------
        estimator : fitted clusterer
            Or a pipeline that ends in one.
        X : (n, d) array-like, or any source for :func:`~anchorgraph.as_table`, optional
            The rows of the fit. They are needed for a clusterer without ``labels_``, such as one from a file.
        ax : matplotlib Axes, optional
        order : {"label", "size"}
        **bar_options : dict
            See :meth:`plot`.

        Returns
        -------
        SizesDisplay
        """
        return cls.from_labels(labels_of(*model_and_rows(estimator, X)), ax=ax, order=order, **bar_options)

    @classmethod
    def from_labels(cls, labels: Any, *, ax: Any = None, order: str = "label", **bar_options: Any) -> SizesDisplay:
        """Draw the cluster sizes of labels.

        Parameters
        ----------
        labels : (n,) array-like
            -1 and missing labels stand for no cluster.
        ax : matplotlib Axes, optional
        order : {"label", "size"}
        **bar_options : dict
            See :meth:`plot`.

        Returns
        -------
        SizesDisplay
        """
        names, codes = split_groups(np.asarray(labels))
        counts = np.bincount(codes[codes >= 0], minlength=len(names))
        display = cls(counts, names, n_unlabelled=int(np.count_nonzero(codes < 0)))
        return display.plot(ax, order=order, **bar_options)

    def plot(self, ax: Any = None, *, order: str = "label", **bar_options: Any) -> SizesDisplay:
        """Draw the bars.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        order : {"label", "size"}
            Whether clusters are in the order of their labels, or the largest is first. Rows in no cluster are last.
        **bar_options : dict
            Arguments of :meth:`matplotlib.axes.Axes.bar`.

        Returns
        -------
        SizesDisplay
        """
        check_choice("order", order, ORDERS)
        ax = axes_or_new(ax)
        codes = np.arange(len(self.sizes)) if order == "label" else np.argsort(-self.sizes, kind="stable")
        heights, names, colors = self.sizes[codes], [self.names[code] for code in codes], self.colours[codes]
        if self.n_unlabelled:
            heights, names = np.append(heights, self.n_unlabelled), [*names, "none"]
            colors = np.append(colors, self.colours[-1])
        self.bars_ = ax.bar(np.arange(len(heights)), heights, **{"color": colors, **bar_options})
        if len(names) <= MAX_NAMES:
            ax.set_xticks(np.arange(len(names)), names)
        else:
            ax.set_xticks([])
        ax.set(xlabel=count(len(self.sizes), "cluster"), ylabel="rows")
        ax.yaxis.set_major_formatter("{x:,.0f}")
        self.ax_, self.figure_ = ax, ax.figure
        return self


def sizes(source: Any, X: Any = None, *, ax: Any = None, order: str = "label", **bar_options: Any) -> SizesDisplay:
    """Draw the sizes of clusters.

    Parameters
    ----------
    source : fitted clusterer or (n,) array-like
        A clusterer, or labels.
    X : (n, d) array-like, optional
        Rows, for a clusterer without ``labels_``: see :meth:`SizesDisplay.from_estimator`.
    ax : matplotlib Axes, optional
        By default those of a new figure.
    order : {"label", "size"}
        Whether clusters are in the order of their labels, or the largest is first.
    **bar_options : dict
        Arguments of :meth:`matplotlib.axes.Axes.bar`.

    Returns
    -------
    SizesDisplay
    """
    if hasattr(source, "fit"):
        return SizesDisplay.from_estimator(source, X, ax=ax, order=order, **bar_options)
    if X is not None:
        raise ValueError("X is for estimators; labels are counted as they are.")
    return SizesDisplay.from_labels(source, ax=ax, order=order, **bar_options)
