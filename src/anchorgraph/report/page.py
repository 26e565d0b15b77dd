"""A self-contained HTML page about a fitted model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from anchorgraph.report.charts import small_histogram
from anchorgraph.report.details import detail_charts
from anchorgraph.report.output_path import check_output_path
from anchorgraph.report.templates import template
from anchorgraph.table import write_atomically

SUFFIXES = (".html",)
INLINE_HEIGHT = 860
"""Of a page in a notebook, in pixels."""


def check_page(path: Path) -> None:
    """Raise an error if ``--report`` cannot be written, or jinja2 is missing."""
    check_output_path(path, "--report", SUFFIXES)
    template("page.html")


@dataclass(frozen=True)
class Report:
    """A page about a fitted model, as :func:`report` makes it; a notebook shows it inline.

    Attributes
    ----------
    summary : dict
        All that the page shows, as plain data that JSON can hold.
    """

    summary: dict[str, Any]

    def html(self) -> str:
        """The page: one file with styles, script and data, which needs no network."""
        # so that no name of a row or column can end the script
        data = json.dumps(self.summary["map"], separators=(",", ":")).replace("<", "\\u003c")
        page: str = template("page.html").render(
            self.summary, data=data, charts=detail_charts(self.summary), small_histogram=small_histogram, number=_number
        )
        return page

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file.

        Parameters
        ----------
        path : path-like
            An ``.html`` file; an existing one is replaced when the page is complete.
        """
        path = Path(path)
        check_output_path(path, "path", SUFFIXES)
        page = self.html()
        with write_atomically(path) as unfinished:
            unfinished.write_text(page, encoding="utf-8")

    def __repr__(self) -> str:
        """A line, without the data."""
        return f"Report({self.summary['title']!r}, {self.summary['facts']['rows']:,} rows)"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, whose styles and names do not meet those of a notebook."""
        style = f"width: 100%; height: {INLINE_HEIGHT}px; border: 0"
        title = escape(f"Report: {self.summary['title']}")
        return (
            f'<iframe srcdoc="{escape(self.html())}" title="{title}" sandbox="allow-scripts" style="{style}"></iframe>'
        )


def _number(value: float | None) -> str:
    """A number with four digits, as the page shows values of columns."""
    return "–" if value is None else f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
