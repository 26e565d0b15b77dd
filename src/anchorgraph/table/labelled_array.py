"""Arrays of xarray, which are recognised without importing it."""

from __future__ import annotations

from typing import Any


def without_labels(source: Any) -> Any:
    """The array inside a two-dimensional ``DataArray``, which stays lazy if it is Dask's; any other source as it is."""
    kinds = [kind.__name__ for kind in type(source).__mro__ if kind.__module__.split(".")[0] == "xarray"]
    if not kinds:
        return source
    if "DataArray" not in kinds:
        raise TypeError(
            f"An xarray {kinds[0]} is not a table of numbers; pass a DataArray, such as dataset.to_dataarray('band') "
            "of a Dataset."
        )
    if source.ndim > 2:
        raise ValueError(_how_to_stack(source.dims))
    return source.data


def _how_to_stack(dims: tuple[Any, ...]) -> str:
    """What to do with more than two dimensions; that of the columns is called band, or is the last one."""
    band = "band" if "band" in dims else dims[-1]
    others = tuple(dim for dim in dims if dim != band)
    return (
        f"The DataArray has the dimensions {dims}; make one row of each pixel: "
        f"cube.stack(pixel={others}).transpose('pixel', {band!r})."
    )
