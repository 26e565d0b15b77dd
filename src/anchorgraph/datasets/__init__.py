"""Real data by name."""

from anchorgraph.datasets.load import Dataset, DatasetUnavailableError, load

__all__ = ["Dataset", "DatasetUnavailableError", "load"]
