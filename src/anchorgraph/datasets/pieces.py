"""Pieces that clusters are made of: blobs, boxes, rings, paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, Integers

Draw = Callable[[np.random.Generator, int], Floats]
Numbers = Sequence[float] | Floats


@dataclass(frozen=True)
class Piece:
    """``draw(rng, n)`` returns n random rows of the piece, which has ``rows`` unless it is asked for another number."""

    rows: int
    draw: Draw


def blob(rows: int, centre: Numbers, spread: float | Numbers, turn: float = 0) -> Piece:
    """Gaussian; with a standard deviation for each column, it can be turned by degrees."""

    def draw(rng: np.random.Generator, n: int) -> Floats:
        offsets = np.asarray(spread) * rng.standard_normal((n, len(centre)))
        return np.asarray(centre) + (offsets @ _turning(turn) if turn else offsets)

    return Piece(rows, draw)


def box(rows: int, low: Numbers, high: Numbers) -> Piece:
    """Uniform between two corners."""
    return Piece(rows, lambda rng, n: rng.uniform(low, high, (n, len(low))))


def ring(rows: int, centre: Numbers, inner: float, outer: float, start: float = 0, stop: float = 360) -> Piece:
    """Uniform between two radii, all around or between two angles in degrees."""

    def draw(rng: np.random.Generator, n: int) -> Floats:
        radius = np.sqrt(rng.uniform(inner**2, outer**2, n))  # equal areas get equal numbers of rows
        return np.asarray(centre) + radius[:, None] * _circle(np.radians(rng.uniform(start, stop, n)))

    return Piece(rows, draw)


def disc(rows: int, centre: Numbers, radius: float) -> Piece:
    """Uniform in a circle."""
    return ring(rows, centre, 0, radius)


def shell(rows: int, centre: Numbers, inner: float, outer: float) -> Piece:
    """Uniform between two radii in as many dimensions as the centre has."""

    def draw(rng: np.random.Generator, n: int) -> Floats:
        size = len(centre)
        directions = rng.standard_normal((n, size))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        radius: Floats = rng.uniform(inner**size, outer**size, (n, 1)) ** (1 / size)  # equal volumes, equal numbers
        return np.asarray(centre) + radius * directions

    return Piece(rows, draw)


def path(rows: int, corners: Any, spread: float) -> Piece:
    """Evenly along straight lines from corner to corner, with Gaussian deviations from them."""
    corners = np.asarray(corners, dtype=np.float64)
    walked = np.append(0, np.linalg.norm(np.diff(corners, axis=0), axis=1).cumsum())

    def draw(rng: np.random.Generator, n: int) -> Floats:
        at = rng.uniform(0, walked[-1], n)
        on = np.column_stack([np.interp(at, walked, column) for column in corners.T])
        return on + spread * rng.standard_normal(on.shape)

    return Piece(rows, draw)


def curve(rows: int, column_at: Callable[[Floats], Sequence[Floats]], low: float, high: float, spread: float) -> Piece:
    """Evenly along the curve whose columns are functions of a number between two limits."""
    return path(rows, np.column_stack(column_at(np.linspace(low, high, 500))), spread)


def arc(rows: int, centre: Numbers, radius: float, start: float, stop: float, spread: float) -> Piece:
    """Evenly along part of a circle, between two angles in degrees."""
    angles = np.radians(np.linspace(start, stop, 200))
    return path(rows, np.asarray(centre) + radius * _circle(angles), spread)


def spiral(rows: int, turns: float, start: float, spread: float, inner: float = 0.5, pitch: float = 1.0) -> Piece:
    """Evenly along an arm that goes out from ``inner`` by ``pitch`` each turn, beginning at an angle in degrees."""
    turned_by = np.linspace(0, turns, 500)
    radius = inner + pitch * turned_by
    return path(rows, radius[:, None] * _circle(np.radians(start) + 2 * np.pi * turned_by), spread)


def wave(rows: int, height: float, stop: float, spread: float) -> Piece:
    """Evenly along a sine that begins on the second axis at ``height``."""
    return curve(rows, lambda t: (t, height + np.sin(t)), 0, stop, spread)


def helix(rows: int, turns: float, start: float, spread: float) -> Piece:
    """Evenly along a screw of radius one that rises by 1.5 each turn, beginning at an angle in degrees."""
    first = np.radians(start) / (2 * np.pi)
    return curve(
        rows,
        lambda t: (np.cos(2 * np.pi * (t + first)), np.sin(2 * np.pi * (t + first)), 1.5 * t),
        0,
        turns,
        spread,
    )


def turned(piece: Piece, degrees: float) -> Piece:
    """A piece of the plane, turned about the origin."""
    return Piece(piece.rows, lambda rng, n: piece.draw(rng, n) @ _turning(degrees))


def raised(piece: Piece, low: float, high: float) -> Piece:
    """A piece with one more column, uniform between two limits: a line becomes a sheet."""
    return Piece(piece.rows, lambda rng, n: np.column_stack([piece.draw(rng, n), rng.uniform(low, high, n)]))


def join(*pieces: Piece) -> Piece:
    """Several pieces as one."""

    def draw(rng: np.random.Generator, n: int) -> Floats:
        sizes = shares(n, [piece.rows for piece in pieces])
        return np.concatenate([piece.draw(rng, size) for piece, size in zip(pieces, sizes, strict=True)])

    return Piece(sum(piece.rows for piece in pieces), draw)


def shares(n: int, weights: Sequence[int]) -> Integers:
    """Whole numbers in proportion to weights, each less than one off, that add up to n."""
    ends = np.append(0, np.cumsum(weights) * n / sum(weights)).round().astype(np.intp)
    return ends[1:] - ends[:-1]


def scattered(count: int, side: float) -> Floats:
    """Points of a square, irregular but not close to each other: the first of an evenly filling sequence."""
    plastic = 1.324717957244746  # the root of x³ = x + 1, which is to the plane what the golden ratio is to a line
    return side * ((0.5 + np.outer(np.arange(count), [1 / plastic, 1 / plastic**2])) % 1)


def _circle(angles: Floats) -> Floats:
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _turning(degrees: float) -> Floats:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, sin], [-sin, cos]])
