"""The kinds of cases by name."""

from fuzz import estimators, files, models
from fuzz.run import Suite

SUITES = {
    "estimators": Suite(estimators.case, estimators.is_clear),
    "files": Suite(files.case, files.is_clear),
    "models": Suite(models.case, models.is_clear),
}
