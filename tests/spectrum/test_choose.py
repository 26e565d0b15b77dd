import numpy as np
import pytest

from anchorgraph.contracts import Spectrum
from anchorgraph.spectrum import eigengap, leading, with_trivial


@pytest.mark.parametrize(
    ("squares", "expected"),
    [([0.99, 0.98, 0.3, 0.2], 3), ([0.9, 0.2, 0.1], 2), ([0.9, 0.8, 0.7, 0.1], 4), ([0.5], 2), ([1, 1, 0], 3)],
)
def test_the_number_of_clusters_lies_before_the_largest_gap(squares, expected):
    """Two groups have one non-trivial eigenvalue near one."""
    assert eigengap(np.sqrt(squares)) == expected


def test_the_trivial_component_is_constant_over_rows_of_z():
    spectrum = with_trivial(Spectrum(np.array([0.5]), np.array([[1.0], [2.0]]), 1), 25)
    np.testing.assert_allclose(np.array([[0.3, 0.7]]) @ spectrum.anchor_map, [[0.2, 1.7]])
    np.testing.assert_array_equal(spectrum.singular_values, [1, 0.5])
    np.testing.assert_array_equal(leading(spectrum, 1).singular_values, [1])
