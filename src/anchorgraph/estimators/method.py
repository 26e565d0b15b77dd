"""What all methods share."""

from __future__ import annotations

from numbers import Integral
from typing import ClassVar

from sklearn.base import BaseEstimator

from anchorgraph.estimators.callbacks import CallbackSupportMixin, with_stages
from anchorgraph.estimators.fields import Field, Plain


class Method(CallbackSupportMixin, BaseEstimator):
    """Base of all estimators of the package: they take sparse rows, and tell callbacks how far their fit is.

    ``saved`` declares what a class adds to the fitted attributes that go into a model file, ``saved_parameters`` which
    of its parameters may be more than plain data.
    """

    saved: ClassVar[dict[str, Field]] = {}
    saved_parameters: ClassVar[dict[str, Plain]] = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "fit" in vars(cls):
            cls.fit = with_stages(cls.fit)

    def _parameters_to_save(self):
        """The parameters as they go into a model file: neither ``n_jobs``, which is a machine's, nor a generator."""
        parameters = self.get_params(deep=False)
        del parameters["n_jobs"]
        if not isinstance(parameters.get("random_state"), Integral):
            parameters |= {"random_state": None} if "random_state" in parameters else {}
        return parameters

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
