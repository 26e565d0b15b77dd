"""Linear projections of rows, from the regression of a target or from scatter matrices."""

from anchorgraph.projection.adaptive_anchors import SCALES, learn_with_anchors
from anchorgraph.projection.class_graphs import learn_with_pairs
from anchorgraph.projection.linear import project, restore
from anchorgraph.projection.local_discriminant import local_discriminant, split_by_class
from anchorgraph.projection.locality import locality_preserving
from anchorgraph.projection.margin import largest_margin
from anchorgraph.projection.orthogonal import orthogonalised
from anchorgraph.projection.principal import along_and_beyond_axes, along_axes, principal_axes
from anchorgraph.projection.regression import (
    approximate_mean,
    check_summable,
    follows_from_sums,
    regression_step,
    ridge,
    ridge_of_sums,
    ridge_solution,
)
from anchorgraph.projection.smaller_space import check_rank
from anchorgraph.projection.space import row_centred
from anchorgraph.projection.subclasses import least_within

__all__ = [
    "SCALES",
    "along_and_beyond_axes",
    "along_axes",
    "approximate_mean",
    "check_rank",
    "check_summable",
    "follows_from_sums",
    "largest_margin",
    "learn_with_anchors",
    "learn_with_pairs",
    "least_within",
    "local_discriminant",
    "locality_preserving",
    "orthogonalised",
    "principal_axes",
    "project",
    "regression_step",
    "restore",
    "ridge",
    "ridge_of_sums",
    "ridge_solution",
    "row_centred",
    "split_by_class",
]
