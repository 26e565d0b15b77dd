"""Data that the tests share: small shapes with a known answer, and the traps."""

import os
import sys

import hypothesis
import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits, make_blobs

hypothesis.settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("repeatable")

os.environ["MPLBACKEND"] = "Agg"  # figures without a window


@pytest.fixture(autouse=True)
def _closed_figures():
    """After each test; pyplot keeps them, and warns of many."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def digits():
    return load_digits(return_X_y=True)[0]


@pytest.fixture(scope="session")
def blobs():
    """200 rows in 8 columns around 5 centres."""
    return make_blobs(200, 8, centers=5, random_state=0)[0]


@pytest.fixture(scope="session")
def islands():
    """Three far-away groups of 60 rows: an anchor graph in three parts."""
    rng = np.random.default_rng(0)
    return np.vstack([rng.standard_normal((60, 3)) + 1000 * shift for shift in np.eye(3)])


FORMS = {
    "float64": lambda X: np.asarray(X, dtype=np.float64),
    "float32": lambda X: np.asarray(X, dtype=np.float32),
    "fortran": np.asfortranarray,
    "csr_array": sparse.csr_array,
    "csr_matrix": sparse.csr_matrix,
}


@pytest.fixture(params=FORMS)
def form(request):
    """A way to store the same numbers."""
    return FORMS[request.param]


@pytest.fixture
def memmap(tmp_path):
    def write(X):
        path = tmp_path / "rows.npy"
        np.save(path, X)
        return np.load(path, mmap_mode="r")

    return write
