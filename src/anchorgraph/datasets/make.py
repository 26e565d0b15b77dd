"""Synthetic data sets, written to disk because of their size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK_ROWS = 2**18
"""Number of rows that are generated at once."""


def make_mixture(
    n_rows: int, n_cols: int, n_clusters: int, folder: str | Path, *, seed: int = 0, spread: float = 1.0
) -> tuple[Path, Path]:
    """Write a mixture of Gaussian clusters with equal probabilities to ``.npy`` files.

    Parameters
    ----------
    n_rows, n_cols, n_clusters : int
        Numbers of rows, columns and clusters.
    folder : str or Path
        An existing folder, in which ``rows.npy`` (float32) and ``clusters.npy`` are written.
    seed : int, default=0
        Seed of the random number generator. With the same seed, the first rows are the same for any ``n_rows``.
    spread : float, default=1.0
        Standard deviation of the cluster centres along each column; that of the rows around their centre is one.

    Returns
    -------
    rows, clusters : Path
        The files.
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


def extend_images(images: NDArray[Any], labels: NDArray[Any], folder: str | Path) -> tuple[Path, Path]:
    """Write images, and copies shifted by one pixel in each of eight directions, to ``.npy`` files.

    For MNIST this is the data set MNIST-extend of ongr. Pixels that are shifted in from outside are zero.

    Parameters
    ----------
    images : ndarray of shape (n, s * s)
        Square images, one per row.
    labels : ndarray of shape (n,)
        The class of each image.
    folder : str or Path
        An existing folder, in which ``rows.npy``, with 9 n rows and the dtype of ``images``, and ``labels.npy`` are
        written.

    Returns
    -------
    rows, labels : Path
        The files.
    """
    folder = Path(folder)
    n, side = len(images), int(np.sqrt(images.shape[1]))
    if side * side != images.shape[1]:
        raise ValueError(f"images must have a square number of columns; got {images.shape[1]}.")
    rows = np.lib.format.open_memmap(folder / "rows.npy", "w+", images.dtype, (9 * n, side * side))
    shifts = [(0, 0)] + [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
    padded = np.pad(images.reshape(n, side, side), ((0, 0), (1, 1), (1, 1)))
    for number, (down, right) in enumerate(shifts):
        moved = padded[:, 1 - down : 1 - down + side, 1 - right : 1 - right + side]
        rows[number * n : (number + 1) * n] = moved.reshape(n, -1)
    rows.flush()
    np.save(folder / "labels.npy", np.tile(labels, 9))
    return folder / "rows.npy", folder / "labels.npy"
