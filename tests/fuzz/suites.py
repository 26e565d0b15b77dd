"""The kinds of cases by name."""

from fuzz import estimators
from fuzz.run import Suite

SUITES = {"estimators": Suite(estimators.case, estimators.is_clear)}
