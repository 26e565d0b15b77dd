"""What the program, the tests and the documentation must know of a method without running it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Card:
    """A method's entry in the catalogue.

    Attributes
    ----------
    key : str
        Short name, also of its page in docs/methods.
    title : str
        What the letters stand for.
    paper : str
        The papers by their short names in docs/notation.md, or authors and year of a baseline.
    task : {"anchors", "graph", "embedding", "clustering"}
    streams : bool
        Whether time and memory are linear in the rows, so that data may come in blocks. A method that needs a graph
        between all rows does not.
    supervised : bool
    finds_clusters : bool
        Whether ``n_clusters=None`` has it find their number.
    """

    key: str
    title: str
    paper: str
    task: str
    streams: bool
    supervised: bool = False
    finds_clusters: bool = False
