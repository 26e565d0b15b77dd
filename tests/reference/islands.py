"""Join the nearest parts of some points, one after the other, with all distances computed anew each time."""

import numpy as np


def directed_distance(P, Q, weights, three):
    """The mean distance to Q over the points of P nearest to Q, of the weight ``three`` in all or all that P has."""
    nearest = sorted((min(np.sqrt(sum((x - y) ** 2)) for y in Q), w) for x, w in zip(P, weights, strict=True))
    left, total, used = three, 0.0, 0.0
    for distance, weight in nearest:
        taken = min(weight, left)
        total, used, left = total + taken * distance, used + taken, left - taken
    return total / used


def part_distance(points, parts, sizes, a, b):
    P, Q = parts == a, parts == b
    three = 3 * sum(sizes) / len(sizes)
    return max(
        directed_distance(points[P], points[Q], sizes[P], three),
        directed_distance(points[Q], points[P], sizes[Q], three),
    )


def join_nearest(points, part_of, n_groups, sizes=None):
    sizes = np.ones(len(points)) if sizes is None else sizes
    n_parts = max(part_of) + 1
    distance = {
        (a, b): part_distance(points, part_of, sizes, a, b) for a in range(n_parts) for b in range(n_parts) if a < b
    }
    weight = [sum(sizes[part_of == part]) for part in range(n_parts)]
    groups = [{part} for part in range(n_parts)]
    while len(groups) > 1:
        tenth = 0.1 * sum(sizes) / n_groups
        at_least = min(16, tenth)
        if len(groups) < n_groups:
            at_least = max(at_least, 0.3 * tenth)
        few = [group for group in groups if sum(weight[part] for part in group) < at_least]
        if len(groups) <= n_groups and not few:
            break
        specks = few or [group for group in groups if sum(weight[part] for part in group) < tenth]
        candidates = []
        for i, one in enumerate(groups):
            for other in groups[i + 1 :]:
                if not specks or one in specks or other in specks:
                    between = min(distance[min(a, b), max(a, b)] for a in one for b in other)
                    candidates.append((between, one, other))
        _, one, other = min(candidates, key=lambda candidate: candidate[0])
        groups = [group for group in groups if group not in (one, other)] + [one | other]
    groups = sorted(groups, key=min)
    return np.array([next(i for i, group in enumerate(groups) if part in group) for part in range(n_parts)])
