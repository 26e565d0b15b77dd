"""Fitted models in files: arrays and plain data, of which reading runs nothing."""

from anchorgraph.models.file import check_model_path, load, save

__all__ = ["check_model_path", "load", "save"]
