"""Every shape as its clusters: apart, touching or overlapping, of unequal size and density, with noise between them.

The kinds are those of the suites FCPS, SIPU, Graves and WUT and of Chameleon; the coordinates are our own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anchorgraph.contracts import Floats
from anchorgraph.datasets.pieces import (
    Piece,
    arc,
    blob,
    box,
    curve,
    disc,
    helix,
    join,
    path,
    raised,
    ring,
    scattered,
    shell,
    spiral,
    turned,
    wave,
)


@dataclass(frozen=True)
class Shape:
    """Clusters, and a number of noise rows, which are uniform over the box around all clusters."""

    clusters: list[Piece]
    noise: int = 0


def _blobs(rows: int, centres: Floats, spread: float) -> list[Piece]:
    return [blob(rows, centre, spread) for centre in centres]


def _around(count: int, radius: float) -> Floats:
    angles = 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def _frame(rows: int, centre: tuple[float, float], half: float, spread: float) -> Piece:
    sides = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
    return path(rows, np.array(centre) + half * sides, spread)


RINGS: dict[str, Shape] = {
    "ring_and_blob": Shape([ring(400, (0, 0), 1.8, 2.2), blob(200, (0, 0), 0.3)]),
    "ring_and_blob_noise": Shape([ring(500, (0, 0), 1.8, 2.2), blob(300, (0, 0), 0.3)], noise=150),
    "nested_rings": Shape([arc(300, (0, 0), radius, 0, 360, 0.06) for radius in (0.5, 1.2, 1.9)]),
    "nested_rings_unequal_density": Shape(
        [arc(rows, (0, 0), radius, 0, 360, 0.08) for rows, radius in ((800, 1), (400, 2), (200, 3))]
    ),
    "nested_rings_noise": Shape([ring(500, (0, 0), radius, radius + 0.4) for radius in (0.5, 1.5, 2.5)], noise=200),
    "nested_discs_narrow_gaps": Shape(
        [disc(200, (0, 0), 1), ring(760, (0, 0), 1.4, 2.4), ring(1320, (0, 0), 2.8, 3.8)]
    ),
    "target": Shape(
        [
            disc(395, (0, 0), 0.6),
            ring(360, (0, 0), 1.5, 1.8),
            *(blob(5, (x, y), 0.1) for x in (-3, 3) for y in (-3, 3)),
        ]
    ),
    "olympic_rings": Shape(
        [arc(200, (x, y), 1, 0, 360, 0.03) for x, y in ((-2.4, 0), (0, 0), (2.4, 0), (-1.2, -1), (1.2, -1))]
    ),
    "rings_side_by_side": Shape([ring(300, (x, 0), 0.8, 1) for x in (-2.2, 0, 2.2)]),
    "broken_rings": Shape(
        [
            arc(rows, (0, 0), radius, start, start + 150, 0.06)
            for rows, radius in ((150, 1), (300, 2))
            for start in (0, 180)
        ]
    ),
}

CURVES: dict[str, Shape] = {
    "two_spirals": Shape([spiral(400, 1.75, start, 0.03) for start in (0, 180)]),
    "three_spirals": Shape([spiral(104, 1, start, 0.03, pitch=2) for start in (0, 120, 240)]),
    "two_spirals_blurred": Shape([spiral(600, 1.75, start, 0.11) for start in (0, 180)]),
    "two_spirals_noise": Shape([spiral(500, 1.75, start, 0.04) for start in (0, 180)], noise=100),
    "moons": Shape([arc(250, (0, 0), 1, 0, 180, 0.06), arc(250, (1, 0.5), 1, 180, 360, 0.06)]),
    "moons_touching": Shape([arc(400, (0, 0), 1, 0, 180, 0.15), arc(400, (1, 0.5), 1, 180, 360, 0.15)]),
    "moons_unequal_density": Shape([ring(97, (0, 0), 0.8, 1.2, 0, 180), ring(276, (1, 0.4), 0.85, 1.15, 180, 360)]),
    "moons_noise": Shape([arc(400, (0, 0), 1, 0, 180, 0.06), arc(400, (1, 0.5), 1, 180, 360, 0.06)], noise=120),
    "half_kernel": Shape([ring(500, (0, 0), 1, 1.5, -90, 90), ring(500, (0, 0), 2.5, 3, -90, 90)]),
    "moon_around_disc": Shape([disc(250, (0, 0), 1), ring(750, (0, 0), 1.4, 2.2, 20, 200)]),
    "parabolas": Shape(
        [
            curve(500, lambda t: (t, t**2), -1.5, 1.5, 0.12),
            curve(500, lambda t: (t + 1.2, 2.6 - t**2), -1.5, 1.5, 0.12),
        ]
    ),
    "waves": Shape([wave(300, height, 12, 0.1) for height in (0, 1, 2)]),
    "trajectories": Shape(
        [
            curve(400, lambda t: (t, 0.1 * t**2), -4, 4, 0.08),
            curve(400, lambda t: (t, 3 + np.sin(t)), -4, 4, 0.08),
            curve(400, lambda t: (t, 5.5 - 0.02 * t**3), -4, 4, 0.08),
            curve(400, lambda t: (t, -2 + np.tanh(2 * t)), -4, 4, 0.08),
        ]
    ),
    "smile": Shape(
        [
            arc(400, (0, 0), 2, 0, 360, 0.06),
            arc(200, (0, 0), 1.2, 210, 330, 0.05),
            blob(100, (-0.7, 0.7), 0.12),
            blob(100, (0.7, 0.7), 0.12),
        ]
    ),
    "smile_noise": Shape(
        [
            ring(600, (0, 0), 1.9, 2.3),
            ring(250, (0, 0), 1, 1.3, 210, 330),
            disc(120, (-0.7, 0.6), 0.25),
            path(80, [(0.45, 0.6), (0.95, 0.6)], 0.05),
        ],
        noise=150,
    ),
    "flame": Shape([blob(87, (0, 1.4), (0.45, 0.3)), ring(153, (0, 1.2), 1.2, 2.2, 190, 350)]),
    "open_ring_around_two_blobs": Shape(
        [arc(110, (0, 0), 2, -60, 240, 0.12), blob(95, (-0.85, 0), 0.38), blob(95, (0.85, 0), 0.38)]
    ),
}

LINES: dict[str, Shape] = {
    "stripes": Shape([box(400, (0, 2 * y), (10, 2 * y + 1)) for y in range(4)]),
    "stripes_slanted": Shape([turned(box(300, (0, 0.9 * y), (8, 0.9 * y + 0.5)), 35) for y in range(5)]),
    "stripes_touching": Shape([blob(400, (0, 0.9 * y), (3, 0.2)) for y in range(3)]),
    "stripes_noise": Shape([box(300, (0, 2 * y), (10, 2 * y + 0.6)) for y in range(4)], noise=240),
    "lines": Shape(
        [path(200, [(0, 0), (5, 1)], 0.05), path(200, [(0, 1), (5, 3)], 0.05), path(100, [(1, 4), (4, 4)], 0.05)]
    ),
    "line_and_blob": Shape([path(100, [(-3, -1.5), (3, -1.5)], 0.03), blob(150, (0, 0), 0.5)]),
    "crossing_lines": Shape([turned(path(250, [(-3, 0), (3, 0)], 0.06), turn) for turn in (0, 60, 120)]),
    "star": Shape([turned(path(150, [(0.5, 0), (3, 0)], 0.06), turn) for turn in range(0, 360, 72)]),
    "fuzzy_x": Shape([blob(500, (0, 0), (1.5, 0.2), turn) for turn in (45, 135)]),
    "cross": Shape(
        [join(box(500, (-3, -0.3), (3, 0.3)), box(500, (-0.3, -3), (0.3, 3)))]
        + [disc(200, (x, y), 0.8) for x in (-1.8, 1.8) for y in (-1.8, 1.8)]
    ),
    "letter_x_between_blobs": Shape(
        [
            join(*(turned(path(150, [(-2, 0), (2, 0)], 0.08), turn) for turn in (45, 135))),
            *_blobs(60, _around(4, 1.4), 0.2),
        ]
    ),
    "letter_z_around_blobs": Shape(
        [
            path(400, [(-2, 2), (2, 2), (-2, -2), (2, -2)], 0.1),
            blob(150, (-1.3, 0.5), 0.25),
            blob(150, (1.3, -0.5), 0.25),
        ]
    ),
    "zigzags": Shape([path(200, [(x, 2 * y + x % 2) for x in range(6)], 0.06) for y in range(3)]),
    "corners": Shape(
        [turned(join(box(150, (0.5, 0.5), (3, 1)), box(100, (0.5, 1), (1, 3))), turn) for turn in range(0, 360, 90)]
    ),
    "labyrinth": Shape(
        [
            path(700, [(0, 9), (0, 0), (9, 0), (9, 9), (2, 9)], 0.12),
            path(500, [(2, 8), (1, 8), (1, 1), (8, 1), (8, 8), (3, 8)], 0.12),
            path(300, [(2, 7), (2, 2), (7, 2), (7, 7)], 0.12),
            path(200, [(3, 7), (6, 7), (6, 3), (3, 3)], 0.12),
            path(100, [(3, 4), (3, 6), (5, 6), (5, 4)], 0.12),
        ]
    ),
    "windows": Shape(
        [_frame(600, (0, 0), 3, 0.06), _frame(300, (0, 0), 2.2, 0.06)]
        + [box(100, (x - 0.5, y - 0.5), (x + 0.5, y + 0.5)) for x in (-0.8, 0.8) for y in (-0.8, 0.8)]
    ),
    "bars_and_waves_noise": Shape(
        [
            box(450, (0, 0), (6, 0.7)),
            turned(box(300, (1.2, 0), (5, 0.6)), 90),
            curve(500, lambda t: (t + 1, 2 + 0.7 * np.sin(2 * t)), 0, 5, 0.12),
            ring(350, (3.5, 4.5), 0.7, 1.1),
            disc(250, (1, 4.5), 0.7),
            disc(60, (3.5, 4.5), 0.3),
        ],
        noise=250,
    ),
}

BLOBS: dict[str, Shape] = {
    "four_discs": Shape(
        [
            disc(rows, centre, r)
            for rows, centre, r in ((100, (0, 0), 1), (200, (4, 0), 1.5), (300, (0, 4.5), 1.8), (400, (5, 5), 2))
        ]
    ),
    "blobs_unequal_spread": Shape([blob(300, (0, 0), 0.4), blob(300, (4, 3), 1.0), blob(300, (-4, 4), 2.0)]),
    "blobs_stretched": Shape([blob(300, (0, 2.2 * number), (2, 0.35), 30) for number in range(3)]),
    "blobs_stretched_each_way": Shape(
        [blob(250, (2.6 * np.cos(turn), 2.6 * np.sin(turn)), (1.3, 0.25), 80 * turn) for turn in range(6)]
    ),
    "blobs_noise": Shape(_blobs(150, scattered(8, 10), 0.35), noise=240),
    "fifteen_blobs_apart": Shape(_blobs(100, scattered(15, 10), 0.2)),
    "fifteen_blobs_near": Shape(_blobs(100, scattered(15, 10), 0.3)),
    "fifteen_blobs_touching": Shape(_blobs(100, scattered(15, 10), 0.4)),
    "fifteen_blobs_overlapping": Shape(_blobs(100, scattered(15, 10), 0.5)),
    "twenty_blobs": Shape(_blobs(150, scattered(20, 10), 0.22)),
    "thirty_one_blobs": Shape(_blobs(60, scattered(31, 10), 0.2)),
    "blobs_around_blobs": Shape(_blobs(40, np.concatenate([_around(1, 0), _around(7, 1.4), _around(7, 4)]), 0.18)),
    "three_big_five_small": Shape(
        _blobs(1000, np.array([[0, 0], [3, 2], [1, 4]]), 0.3) + _blobs(100, np.array([12, 2]) + _around(5, 3), 0.5)
    ),
    "big_beside_small": Shape([blob(3600, (0, 0), 1), blob(400, (4, 0), 0.4)]),
    "dense_beside_sparse": Shape([blob(400, (0, 0), 0.15), blob(400, (4, 0), 1.5)]),
    "dense_inside_sparse": Shape([blob(300, (0, 0), 0.15), blob(300, (0.5, 0.5), 1.5)]),
    "splashes": Shape([join(blob(150, (x, 0), 0.3), blob(50, (x, 0), 1)) for x in (-1.5, 1.5)]),
    "two_overlapping": Shape([blob(1000, (0, 0), 0.8), blob(1000, (2, 2), (1.2, 0.8))]),
    "two_diamonds": Shape([turned(box(400, (x - 0.7, -x - 0.7), (x + 0.7, -x + 0.7)), 45) for x in (-0.72, 0.72)]),
    "wingnut": Shape(
        [
            turned(join(*(box(127, (0.15, 0), (0.15 + 2 / step, 3 / step)) for step in (1, 1.5, 2, 3))), turn)
            for turn in (0, 180)
        ]
    ),
    "dumbbell": Shape(
        [
            join(disc(300, (-2, 0), 1), box(25, (-1, -0.1), (0, 0.1))),
            join(disc(300, (2, 0), 1), box(25, (0, -0.1), (1, 0.1))),
        ]
    ),
    "tiles": Shape([box(60 + 40 * (x + y), (x, y), (x + 0.85, y + 0.85)) for x in range(3) for y in range(3)]),
    "l_bar_and_disc": Shape(
        [
            join(box(100, (0, 0), (0.6, 3.5)), box(100, (0.6, 0), (2.5, 0.6))),
            box(100, (1.2, 2.8), (4, 3.5)),
            disc(100, (3.5, 1.3), 0.6),
        ]
    ),
    "seven_discs_two_bridges": Shape(
        [
            disc(170, (0, 0), 1.5),
            ring(270, (8, 5), 0, 2, -20, 320),
            disc(130, (7.5, 0), 1.3),
            join(disc(100, (11, 0), 1.2), path(8, [(9, 0), (9.8, 0)], 0.1)),
            disc(45, (1.5, 4), 0.8),
            join(disc(35, (3.2, 5), 0.6), path(5, [(2.2, 4.5), (2.7, 4.7)], 0.05)),
            disc(34, (0, 6.5), 0.7),
        ]
    ),
    "six_kinds": Shape(
        [
            blob(50, (0, 0), 0.15),
            ring(92, (0, 0), 0.9, 1.3),
            blob(45, (0, 5), 0.3),
            blob(45, (1.6, 5), 0.4),
            blob(110, (6, 4), 0.3),
            box(57, (4.2, 2.5), (7.8, 6)),
        ]
    ),
}

SOLIDS: dict[str, Shape] = {
    "atom": Shape([shell(400, (0, 0, 0), 0, 0.8), shell(400, (0, 0, 0), 4.5, 5)]),
    "nested_spheres": Shape([shell(rows, (0, 0, 0), radius, radius + 0.2) for rows, radius in ((300, 1), (1000, 2.2))]),
    "chainlink": Shape(
        [
            curve(500, lambda t: (np.cos(t), np.sin(t), 0 * t), 0, 2 * np.pi, 0.08),
            curve(500, lambda t: (1 + np.cos(t), 0 * t, np.sin(t)), 0, 2 * np.pi, 0.08),
        ]
    ),
    "seven_balls": Shape(
        [shell(32, (0, 0, 0), 0, 0.4)] + [shell(30, 3 * sign * axis, 0, 1) for axis in np.eye(3) for sign in (-1, 1)]
    ),
    "four_balls_almost_touching": Shape(
        [shell(100, corner, 0, 1) for corner in 0.76 * np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])]
    ),
    "helices": Shape([helix(400, 2.5, start, 0.08) for start in (0, 180)]),
    "helix_around_rod": Shape([helix(600, 3, 0, 0.06), path(150, [(0, 0, 0), (0, 0, 4.5)], 0.1)]),
    "rolled_sheets": Shape([raised(spiral(800, 1.25, start, 0.04, pitch=1.4), 0, 3) for start in (0, 180)]),
    "planes": Shape([box(400, (0, 0, level), (4, 4, level + 0.15)) for level in (0, 0.8, 1.6)]),
    "planes_unequal_density": Shape(
        [box(rows, (0, 0, level), (4, 4, level + 0.1)) for rows, level in ((1200, 0), (400, 1), (200, 2))]
    ),
    "half_tubes": Shape(
        [raised(arc(400, (0, 0), 1, 0, 180, 0.06), 0, 2), raised(arc(400, (1, 0.4), 1, 180, 360, 0.06), 0, 2)]
    ),
    "balls_in_box_noise": Shape([blob(200, centre, 0.3) for centre in 2 * np.eye(3)], noise=150),
}

TABLE: dict[str, Shape] = RINGS | CURVES | LINES | BLOBS | SOLIDS
"""All shapes by name."""
