"""What all methods share."""

from __future__ import annotations

from sklearn.base import BaseEstimator

from anchorgraph.estimators.callbacks import CallbackSupportMixin, with_stages


class Method(CallbackSupportMixin, BaseEstimator):
    """Base of all estimators of the package: they take sparse rows, and tell callbacks how far their fit is."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "fit" in vars(cls):
            cls.fit = with_stages(cls.fit)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
