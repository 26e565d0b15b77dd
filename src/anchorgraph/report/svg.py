"""The frame of an SVG picture."""

from __future__ import annotations

from html import escape


def svg_frame(content: str, box: str, label: str, attributes: str = "") -> str:
    """An ``<svg>`` element for a page, without a size of its own.

    Parameters
    ----------
    content : str
        SVG elements.
    box : str
        The visible part of the plane: left, top, width and height, separated by spaces.
    label : str
        Description for screen readers; it is escaped.
    attributes : str
        Further attributes of the element, with a leading space.

    Returns
    -------
    str
    """
    return f'<svg viewBox="{box}" role="img" aria-label="{escape(label)}"{attributes}>{content}</svg>'
