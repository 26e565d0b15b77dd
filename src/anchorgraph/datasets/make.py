"""Data that are made rather than loaded, on disk because of their size."""

from __future__ import annotations

from pathlib import Path

import numpy as np

BLOCK_ROWS = 2**18
"""Rows that are made at once."""


def make_mixture(
    n_rows: int, n_cols: int, n_clusters: int, folder: str | Path, *, seed: int = 0, spread: float = 1.0
) -> tuple[Path, Path]:
    """Write rows around the centres of Gaussian clusters of equal chance to a ``.npy`` file, and their clusters.

    Parameters
    ----------
    n_rows, n_cols, n_clusters : int
    folder : path
        Gets ``rows.npy``, float32, and ``clusters.npy``.
    seed : int
        The rows do not depend on how many follow them.
    spread : float
        Standard deviation of the centres' coordinates; that of rows around them is one.

    Returns
    -------
    rows, clusters : Path
    """
    folder = Path(folder)
    centres = spread * np.random.default_rng(seed).standard_normal((n_clusters, n_cols), dtype=np.float32)
    rows = np.lib.format.open_memmap(folder / "rows.npy", "w+", np.float32, (n_rows, n_cols))
    clusters = np.lib.format.open_memmap(folder / "clusters.npy", "w+", np.uint8, (n_rows,))
    for number, start in enumerate(range(0, n_rows, BLOCK_ROWS)):
        rng, size = np.random.default_rng([seed, number]), min(BLOCK_ROWS, n_rows - start)
        own = rng.integers(n_clusters, size=BLOCK_ROWS, dtype=np.uint8)[:size]
        noise = rng.standard_normal((BLOCK_ROWS, n_cols), dtype=np.float32)[:size]
        rows[start : start + size] = centres[own] + noise
        clusters[start : start + size] = own
    rows.flush()
    clusters.flush()
    return folder / "rows.npy", folder / "clusters.npy"


def extend_images(images: np.ndarray, labels: np.ndarray, folder: str | Path) -> tuple[Path, Path]:
    """Write images, and those shifted by a pixel in each of eight directions, to a ``.npy`` file, and their labels.

    Of MNIST this is the MNIST-extend of ongr. Pixels that are shifted in are zero.

    Parameters
    ----------
    images : (n, s·s) array
        Square ones.
    labels : (n,) array
    folder : path
        Gets ``rows.npy`` with 9 n rows, in the type of the images, and ``labels.npy``.

    Returns
    -------
    rows, labels : Path
    """
    folder = Path(folder)
    n, side = len(images), int(np.sqrt(images.shape[1]))
    if side * side != images.shape[1]:
        raise ValueError(f"images has {images.shape[1]} columns, which make no square; pass square images.")
    rows = np.lib.format.open_memmap(folder / "rows.npy", "w+", images.dtype, (9 * n, side * side))
    shifts = [(0, 0)] + [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
    padded = np.pad(images.reshape(n, side, side), ((0, 0), (1, 1), (1, 1)))
    for number, (down, right) in enumerate(shifts):
        moved = padded[:, 1 - down : 1 - down + side, 1 - right : 1 - right + side]
        rows[number * n : (number + 1) * n] = moved.reshape(n, -1)
    rows.flush()
    np.save(folder / "labels.npy", np.tile(labels, 9))
    return folder / "rows.npy", folder / "labels.npy"
