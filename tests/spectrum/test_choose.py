import numpy as np
import pytest

from anchorgraph.contracts import Spectrum
from anchorgraph.spectrum import clear_gap, eigengaps, leading, relative_eigengaps, with_trivial


def test_gaps_by_hand():
    """Two groups have one non-trivial eigenvalue near one; missing eigenvalues are zero."""
    values = np.sqrt([0.9, 0.3, 0.2])
    np.testing.assert_allclose(eigengaps(values, range(1, 6)), [0.1, 0.6, 0.1, 0.2, 0])
    expected = np.log([0.701 / 0.101, 0.801 / 0.701, 1.001 / 0.801, 1])
    np.testing.assert_allclose(relative_eigengaps(values, range(2, 6)), expected, atol=1e-12)
    np.testing.assert_allclose(eigengaps(values, [3]), [0.1])


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        ([0.25, 0.5, 0.25], 1),
        ([0.25, 0.49, 0.25], None),
        ([0.2], 0),
        ([0, 0], None),
        ([0.5, 0], 0),
        ([0.2, 0.2], None),
    ],
)
def test_a_gap_is_clear_if_it_is_twice_as_large_as_any_other(gaps, expected):
    assert clear_gap(np.array(gaps)) == expected


def test_the_trivial_component_is_constant_over_rows_of_z():
    spectrum = with_trivial(Spectrum(np.array([0.5]), np.array([[1.0], [2.0]]), 1), 25)
    np.testing.assert_allclose(np.array([[0.3, 0.7]]) @ spectrum.anchor_map, [[0.2, 1.7]])
    np.testing.assert_array_equal(spectrum.singular_values, [1, 0.5])
    np.testing.assert_array_equal(leading(spectrum, 1).singular_values, [1])
