"""All methods by their key, from the lists of ``estimators/`` and ``baselines/``, which are the only ones."""

from __future__ import annotations

from anchorgraph import baselines, estimators
from anchorgraph.estimators.bases.method import Method

TASKS = ("anchors", "graph", "embedding", "clustering")


def _methods() -> list[type[Method]]:
    """The papers' methods before those that they are compared with, by task, the supervised ones last."""
    found = [getattr(room, name) for room in (estimators, baselines) for name in room.__all__]
    return sorted(found, key=lambda method: (method.card.supervised, TASKS.index(method.card.task)))


CATALOGUE: dict[str, type[Method]] = {method.card.key: method for method in _methods()}
"""All methods by their key; the public names, the program, the table in the documentation and the checks follow it."""
