import numpy as np
import pytest

from anchorgraph.datasets import extend_images, make, make_mixture


def test_a_mixture_is_the_same_however_long(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "BLOCK_ROWS", 100)
    (tmp_path / "more").mkdir()
    few, their_clusters = (np.load(path) for path in make_mixture(150, 4, 3, tmp_path))
    more, clusters = (np.load(path) for path in make_mixture(400, 4, 3, tmp_path / "more"))
    np.testing.assert_array_equal(few, more[:150])
    np.testing.assert_array_equal(their_clusters, clusters[:150])
    assert few.dtype == np.float32
    within = np.mean([more[clusters == c].std(axis=0).mean() for c in range(3)])
    assert within == pytest.approx(1, abs=0.1)


def test_images_are_shifted_in_every_direction(tmp_path):
    image = np.zeros((3, 3), dtype=np.uint8)
    image[1, 1] = 7
    corner = np.zeros((3, 3), dtype=np.uint8)
    corner[0, 0] = 5
    rows, labels = extend_images(np.array([image.ravel(), corner.ravel()]), np.array([4, 9]), tmp_path)
    rows = np.load(rows)
    assert rows.dtype == np.uint8
    assert rows.shape == (18, 9)
    np.testing.assert_array_equal(np.load(labels), [4, 9] * 9)
    assert sorted(row.argmax() for row in rows[::2]) == list(range(9))
    assert sorted(row.sum() for row in rows[1::2]) == [0] * 5 + [5] * 4  # out of the picture in five directions


def test_images_must_be_square(tmp_path):
    with pytest.raises(ValueError, match="images must have a square number of columns; got 5"):
        extend_images(np.zeros((2, 5)), np.zeros(2), tmp_path)
