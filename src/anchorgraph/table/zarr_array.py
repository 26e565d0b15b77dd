"""A Zarr array as a part of a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.parts import BrokenPartError, Part


def is_zarr(source: Any) -> bool:
    """Whether a source is a Zarr array, which is asked without importing Zarr."""
    return type(source).__module__.split(".")[0] == "zarr"


def is_zarr_path(source: Any) -> bool:
    """Whether a source is the path of a Zarr array."""
    return isinstance(source, str | Path) and Path(source).suffix == ".zarr"


def open_zarr(path: str | Path) -> Any:
    """The array at a path."""
    try:
        import zarr
    except ImportError as error:
        raise ImportError(f"{path} takes zarr to read; install anchorgraph[io].") from error
    try:
        return zarr.open_array(str(path), mode="r")
    except Exception as error:  # missing and broken ones have errors of their own in each version
        raise BrokenPartError(f"{path} is not a Zarr array ({error}).") from error


def zarr_part(array: Any) -> Part:
    """The rows of an array."""
    name = f"the Zarr array {getattr(array, 'store', '')}"
    return Part(name, array.shape, np.dtype(array.dtype), lambda: ZarrRows(array, name))


@dataclass(frozen=True)
class ZarrRows:
    """Rows of a Zarr array by slice or by number."""

    array: Any
    name: str

    def __getitem__(self, rows: Any) -> Any:
        try:
            return np.asarray(self.array[rows] if isinstance(rows, slice) else self.array.oindex[rows])
        except Exception as error:  # of whichever codec the chunk has
            raise BrokenPartError(f"{self.name} has a chunk that cannot be read ({error}).") from error
