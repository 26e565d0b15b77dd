"""The charts of a page about a fit: which there are, with a sentence and the numbers of each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from anchorgraph.plot.colours import group_colour
from anchorgraph.report.charts import MAX_BARS, bars, histogram, horizontal_bars, line, merging_tree
from anchorgraph.table import count

MAX_NUMBERS = 1_000
"""Lines of the table under a chart."""


def detail_charts(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Title, sentence, picture and table (``header`` and ``numbers``) of each chart that a summary has data for."""
    return [
        *_sizes(summary["sizes"]),
        *_tree_of_levels(summary["tree"], summary["levels"]),
        *_tree_of_splits(None if summary["levels"] else summary["tree"]),
        *_probabilities(summary["probabilities"]),
        *_eigenvalues(summary["eigenvalues"]),
        *_path(summary["path"], summary["facts"].get("clusters")),
        *_history(summary["history"]),
        *_seconds(summary["seconds"]),
    ]


def _chart(title: str, sentence: str, svg: str, header: list[str], numbers: list[tuple[Any, ...]]) -> dict[str, Any]:
    if len(numbers) > MAX_NUMBERS:
        sentence += f" The table has the first {MAX_NUMBERS:,} of {len(numbers):,} lines."
    return {"title": title, "sentence": sentence, "svg": svg, "header": header, "numbers": numbers[:MAX_NUMBERS]}


def _sizes(sizes: list[int]) -> Iterator[dict[str, Any]]:
    if not sizes:
        return
    names = [str(number) for number in range(len(sizes))]
    sentence = f"{count(len(sizes), 'cluster')} of {min(sizes):,} to {max(sizes):,} rows."
    if len(sizes) > MAX_BARS:
        sentence += f" The largest {MAX_BARS} are drawn."
    drawn = np.sort(np.argsort(-np.array(sizes), kind="stable")[:MAX_BARS]).tolist()
    colours = [group_colour(number) for number in drawn]
    svg = bars([sizes[number] for number in drawn], [names[number] for number in drawn], "cluster", "rows", colours)
    numbers = [(name, f"{size:,}", f"{size / sum(sizes):.1%}") for name, size in zip(names, sizes, strict=True)]
    yield _chart("Cluster sizes", sentence, svg, ["cluster", "rows", "share"], numbers)


def _tree_of_levels(tree: dict[str, Any] | None, levels: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    if tree is None or levels is None:
        return
    sizes, first = levels["sizes"], tree["first"]
    numbers = [f"{len(own):,}" for own in sizes]
    sentence = (
        f"Levels of {_listed(numbers)} clusters, each of which lies in one of the next level. Their persistences are "
        f"{_listed([f'{value:g}' for value in levels['persistences']])}; the labels of the model are level "
        f"{levels['own']}."
    )
    if first:
        sentence += f" The tree begins with level {first}; the table has all."
    if levels["shown"] >= first:
        sentence += f" The dashed line is level {levels['shown']}."
    marks = [(float(height), number) for height, number in enumerate(numbers[first:])]
    top = tree["merges"][-1]["height"]
    marks += [(top, "1")] if top > marks[-1][0] else []
    chosen = levels["shown"] - first
    svg = merging_tree(
        tree["names"],
        tree["rows"],
        [(merge["parts"], merge["height"]) for merge in tree["merges"]],
        "clusters of the level",
        marks=marks,
        chosen=None if chosen < 0 else float(chosen),
    )
    parents = [*levels["parents"], ["–"] * len(sizes[-1])]
    lines = [
        (level, cluster, f"{n_rows:,}", parents[level][cluster])
        for level in range(len(sizes) - 1, -1, -1)
        for cluster, n_rows in enumerate(sizes[level])
    ]
    yield _chart("Tree of levels", sentence, svg, ["level", "cluster", "rows", "in cluster"], lines)


def _listed(words: list[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}"


def _tree_of_splits(tree: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    if tree is None:
        return
    names, merges = tree["names"], tree["merges"]
    sentence = "How the clusters were split, from the top, and how far the centres of a part spread around their mean."
    if any("–" in name for name in names):
        sentence += f" Neighbouring clusters are drawn as {len(names)} groups."
    svg = merging_tree(names, tree["rows"], [(own["parts"], own["height"]) for own in merges], "spread")
    every = [[name] for name in names]
    for own in merges:
        every.append([name for part in own["parts"] for name in every[part]])
    spans = [f"{own[0].split('–')[0]}–{own[-1].split('–')[-1]}" for own in every[len(names) :]]
    numbers = [(span, f"{own['rows']:,}", f"{own['height']:.4g}") for span, own in zip(spans, merges, strict=True)]
    yield _chart("Tree of clusters", sentence, svg, ["clusters", "rows", "spread"], numbers[::-1])


def _probabilities(counts: list[int]) -> Iterator[dict[str, Any]]:
    if not sum(counts):
        return
    n_below = sum(counts[: len(counts) // 2])
    sentence = f"How clearly rows belong to their cluster: {n_below:,} of {sum(counts):,} have a probability below 0.5."
    svg = histogram(counts, 0, 1, "probability", "rows")
    step = 1 / len(counts)
    numbers = [(f"{k * step:.1f} to {(k + 1) * step:.1f}", f"{count:,}") for k, count in enumerate(counts)]
    yield _chart("Probabilities", sentence, svg, ["probability", "rows"], numbers)


def _eigenvalues(values: list[float]) -> Iterator[dict[str, Any]]:
    if not values:
        return
    gaps = [before - after for before, after in pairwise(values)]
    widest = max(range(len(gaps)), key=gaps.__getitem__) + 1 if len(gaps) > 1 else None  # one alone is no choice
    sentence = "Eigenvalues of the graph, without the trivial 1."
    if widest is not None:  # the gap before the first one would suggest a single cluster
        sentence += f" The largest gap, after number {widest}, suggests {widest + 1} clusters."
    svg = line(values, "number", "eigenvalue", mark=None if widest is None else (widest + 0.5, "largest gap"))
    numbers = [(number, f"{value:.5g}") for number, value in enumerate(values, 1)]
    yield _chart("Eigenvalues", sentence, svg, ["number", "eigenvalue"], numbers)


def _path(path: list[dict[str, Any]], own: int | None) -> Iterator[dict[str, Any]]:
    for score in path:
        name, numbers, values = score["name"], score["n_clusters"], score["values"]
        (least, first), (most, last) = (end(zip(values, numbers, strict=True)) for end in (min, max))
        sentence = f"From {least:.4g} at {first} clusters to {most:.4g} at {last}."
        mark = None
        if own is not None and numbers[0] <= own <= numbers[-1]:
            mark = (float(own), "this model")
            sentence += f" This model has {own}."
        svg = line(values, "number of clusters", name, numbers=numbers, mark=mark)
        rows = [(number, f"{value:.5g}") for number, value in zip(numbers, values, strict=True)]
        yield _chart(f"Number of clusters: {name}", sentence, svg, ["clusters", name], rows)


def _history(values: list[float]) -> Iterator[dict[str, Any]]:
    if not values:
        return
    sentence = f"The objective in {count(len(values), 'iteration')}, from {values[0]:.5g} to {values[-1]:.5g}."
    numbers = [(number, f"{value:.5g}") for number, value in enumerate(values, 1)]
    yield _chart("Convergence", sentence, line(values, "iteration", "objective"), ["iteration", "objective"], numbers)


def _seconds(seconds: dict[str, float]) -> Iterator[dict[str, Any]]:
    if not seconds:
        return
    total = sum(seconds.values())
    svg = horizontal_bars(list(seconds.values()), list(seconds), "seconds", "s")
    numbers = [(stage, f"{time:,.3g}", f"{time / (total or 1):.0%}") for stage, time in seconds.items()]
    yield _chart("Time by stage", f"{total:,.3g} seconds in total.", svg, ["stage", "seconds", "share"], numbers)
