"""What the program, the tests and the documentation need to know about a method without running it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Card:
    """A method's entry in the catalogue.

    Attributes
    ----------
    key : str
        Short name of the method and of its page in docs/methods.
    title : str
        Full name of the method.
    paper : str
        The papers by their short names in docs/notation.md, or authors and year of a baseline.
    task : {"anchors", "graph", "embedding", "clustering"}
    streams : bool
        Whether time and memory are linear in the rows, so that data can be read in blocks. A method that needs a graph
        between all rows does not stream.
    supervised : bool
    finds_clusters : bool
        Whether ``n_clusters=None`` chooses the number of clusters.
    """

    key: str
    title: str
    paper: str
    task: str
    streams: bool
    supervised: bool = False
    finds_clusters: bool = False
