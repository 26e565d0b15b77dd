"""Mixin of all transformers."""

from __future__ import annotations

from typing import Any

from anchorgraph.estimators.bases.sklearn_bases import ClassNamePrefixFeaturesOutMixin, TransformerMixin


class Transformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """Mixin of transformers with numbered columns that return float32 for float32."""

    _n_features_out: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
