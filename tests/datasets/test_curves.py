import numpy as np
import pytest

from anchorgraph.datasets import make_curves


def test_curves_are_in_the_first_two_columns():
    X, y = make_curves("circles", n_rows=50, n_noise=3, spread=0.0, random_state=0)
    assert X.shape == (150, 5)
    np.testing.assert_allclose(np.linalg.norm(X[:, :2], axis=1), np.repeat([0.4, 1.0, 1.6], 50))
    assert abs(X[:, 2:]).max() <= 1
    np.testing.assert_array_equal(np.bincount(y), [50, 50, 50])
    with pytest.raises(ValueError, match="shape must be one of 'moons', 'circles', 'spirals'; got 'stars'"):
        make_curves("stars")
