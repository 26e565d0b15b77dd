"""The eigenvalues of a graph, and the largest gap between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anchorgraph.plot.axes import axes_or_new, only_integer_ticks, with_defaults
from anchorgraph.plot.colours import MAIN, MARKED
from anchorgraph.plot.fitted import attribute_of, model_and_rows


class EigenvaluesDisplay:
    """Eigenvalues of a graph, with the largest gap between two of them.

    A gap after the first w values suggests w + 1 clusters. A fit with a given number of clusters has no values beyond
    it, so the gap can only suggest fewer.

    Parameters
    ----------
    eigenvalues : (p,) array-like
        Largest first, without the trivial 1.

    Attributes
    ----------
    suggested : int or None
        Number of clusters that the largest gap suggests; None for fewer than three eigenvalues, whose only gap is no
        choice.
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    line_ : matplotlib Line2D
    gap_ : matplotlib Line2D or None
        The marked gap.

    Examples
    --------
    >>> from anchorgraph.plot import EigenvaluesDisplay
    >>> EigenvaluesDisplay([0.99, 0.98, 0.6, 0.55]).suggested
    3
    """

    ax_: Any
    figure_: Any
    line_: Any
    gap_: Any

    def __init__(self, eigenvalues: Any) -> None:
        self.eigenvalues: NDArray[np.float64] = np.asarray(eigenvalues, dtype=np.float64)
        gaps = -np.diff(self.eigenvalues)
        self.suggested: int | None = int(np.argmax(gaps)) + 2 if gaps.size > 1 else None

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **line_options: Any) -> EigenvaluesDisplay:
        """Draw the eigenvalues that a fitted method found.

        Parameters
        ----------
        estimator : fitted estimator
            A method of this package with ``singular_values_`` of an anchor graph (such as
            :class:`~anchorgraph.FSC`), or ``eigenvalues_`` of a Laplacian (such as :class:`~anchorgraph.LE`), which
            are subtracted from 1; or a pipeline that ends in one.
        ax : matplotlib Axes, optional
        **line_options : dict
            See :meth:`plot`.

        Returns
        -------
        EigenvaluesDisplay
        """
        model, _ = model_and_rows(estimator)
        if not hasattr(model, "card"):
            raise ValueError(
                f"{type(model).__name__} is not a method of anchorgraph, so its values may not be those of a graph; "
                "pass the eigenvalues of a graph, largest first."
            )
        found = attribute_of(model, "singular_values_", "eigenvalues_")
        values = found**2 if hasattr(model, "singular_values_") else 1 - found
        return cls.from_eigenvalues(values, ax=ax, **line_options)

    @classmethod
    def from_eigenvalues(cls, eigenvalues: Any, *, ax: Any = None, **line_options: Any) -> EigenvaluesDisplay:
        """Draw given eigenvalues.

        Parameters
        ----------
        eigenvalues : (p,) array-like
            Largest first, without the trivial 1.
        ax : matplotlib Axes, optional
        **line_options : dict
            See :meth:`plot`.

        Returns
        -------
        EigenvaluesDisplay
        """
        return cls(eigenvalues).plot(ax, **line_options)

    def plot(self, ax: Any = None, **line_options: Any) -> EigenvaluesDisplay:
        """Draw the eigenvalues and their largest gap.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        **line_options : dict
            Arguments of :meth:`matplotlib.axes.Axes.plot`.

        Returns
        -------
        EigenvaluesDisplay
        """
        ax = axes_or_new(ax)
        from matplotlib.lines import Line2D

        numbers = np.arange(1, len(self.eigenvalues) + 1)
        options = with_defaults(line_options, Line2D, color=MAIN, marker="o")
        (self.line_,) = ax.plot(numbers, self.eigenvalues, **options)
        self.gap_ = None
        if self.suggested is not None:
            ends = slice(self.suggested - 2, self.suggested)
            label = f"largest gap: {self.suggested} clusters"
            (self.gap_,) = ax.plot(numbers[ends], self.eigenvalues[ends], color=MARKED, linewidth=3, label=label)
            ax.legend(handles=[self.gap_], frameon=False)
        ax.set(xlabel="number", ylabel="eigenvalue")
        only_integer_ticks(ax.xaxis)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def eigenvalues(source: Any, *, ax: Any = None, **line_options: Any) -> EigenvaluesDisplay:
    """Draw eigenvalues of a graph and their largest gap.

    Parameters
    ----------
    source : fitted estimator or (p,) array-like
        A method of this package with ``singular_values_`` or ``eigenvalues_``, or a pipeline that ends in one; or
        eigenvalues, largest first, without the trivial 1.
    ax : matplotlib Axes, optional
        By default those of a new figure.
    **line_options : dict
        Arguments of :meth:`matplotlib.axes.Axes.plot`.

    Returns
    -------
    EigenvaluesDisplay
    """
    draw = EigenvaluesDisplay.from_estimator if hasattr(source, "fit") else EigenvaluesDisplay.from_eigenvalues
    return draw(source, ax=ax, **line_options)
