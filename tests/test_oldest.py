import pytest

from oldest import oldest, requirements


def test_everything_that_the_package_takes_has_an_oldest_version():
    lines = list(oldest(requirements()))
    assert {line.partition("==")[0] for line in lines} > {"numpy", "scipy", "scikit-learn", "dask", "pyarrow", "pytest"}
    assert "dask==" in " ".join(lines)  # without its extras, which constraints must not have


@pytest.mark.parametrize("requirement", ["numpy", "numpy<3", "numpy>=2,<3", "numpy==2.0"])
def test_a_requirement_without_one_is_an_error(requirement):
    with pytest.raises(ValueError, match="has no lower bound; write it as name>=version"):
        list(oldest([requirement]))
