"""Tests with other packages themselves: ``make test-ecosystem`` installs them, elsewhere they are skipped."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """What other packages warn of is not for us; warnings of this package stay errors."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore"))
            item.add_marker(pytest.mark.filterwarnings("error:::anchorgraph"))
