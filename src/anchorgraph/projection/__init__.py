"""Linear maps of rows: by regression on a target, or by a trade-off of scatter matrices."""

from anchorgraph.projection.linear import project, restore
from anchorgraph.projection.locality import locality_preserving
from anchorgraph.projection.orthogonal import orthogonalised
from anchorgraph.projection.regression import ridge, ridge_solution

__all__ = ["locality_preserving", "orthogonalised", "project", "restore", "ridge", "ridge_solution"]
