"""Columns of Arrow data: numbers, and vectors of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Column:
    """A column of Arrow data.

    Attributes
    ----------
    name : str
    kind : pyarrow.DataType
        That of its storage, if it is an extension type.
    is_nullable : bool
        Whether values may be missing.
    is_partition : bool
        Whether its values are names of folders, as in ``year=2024``: then it is a feature only if it is chosen by name.
    """

    name: str
    kind: Any
    is_nullable: bool = True
    is_partition: bool = False

    @property
    def element(self) -> Any:
        """The type of the elements of its vectors, or None if it holds no vectors of numbers."""
        from pyarrow import types

        is_list = types.is_list(self.kind) or types.is_large_list(self.kind) or types.is_fixed_size_list(self.kind)
        if not is_list:
            return None
        element = self.kind.value_type
        return element if types.is_floating(element) or types.is_integer(element) else None

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """The type that its numbers are read as, or None if it does not hold numbers."""
        from pyarrow import types

        if self.element is not None:
            return np.result_type(self.element.to_pandas_dtype(), np.float32)
        if types.is_decimal(self.kind):
            return np.dtype(np.float64)
        if not any(is_kind(self.kind) for is_kind in (types.is_floating, types.is_integer, types.is_boolean)):
            return None
        stored = np.dtype(self.kind.to_pandas_dtype())
        return np.result_type(stored, np.float32) if self.is_nullable else stored


def stored_kind(kind: Any) -> Any:
    """The type that values are stored as: of an extension type, such as a tensor of Ray, that of its storage."""
    import pyarrow as pa

    return kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind


@dataclass(frozen=True)
class Chosen:
    """A column that is read.

    Attributes
    ----------
    name : str
    width : int or None
        Length of its vectors; None for a column of numbers.
    elements : tuple of int or None
        Elements of the vectors that are read; None for all.
    """

    name: str
    width: int | None = None
    elements: tuple[int, ...] | None = None

    @property
    def n_cols(self) -> int:
        """Number of columns that it stands for."""
        return len(self.elements) if self.elements is not None else 1 if self.width is None else self.width

    @property
    def names(self) -> list[str]:
        """Names of these columns."""
        if self.width is None:
            return [self.name]
        return [f"{self.name}_{i}" for i in (range(self.width) if self.elements is None else self.elements)]
