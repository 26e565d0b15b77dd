"""Fitted models in files of arrays and plain data; reading a file runs no code from it."""

from anchorgraph.models.file import check_model_path, load, save

__all__ = ["check_model_path", "load", "save"]
