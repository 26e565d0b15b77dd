"""What all transformers share."""

from __future__ import annotations

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin


class Transformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """Mixin of transformers with numbered columns, float32 for float32."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
