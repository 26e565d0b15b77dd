import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from anchorgraph.metrics import clustering_accuracy, nmi, purity


def test_renaming_the_clusters_changes_nothing():
    y = np.random.default_rng(0).integers(0, 5, 100)
    renamed = np.array(list("cadbe"))[y]
    for score in (clustering_accuracy, purity, nmi):
        assert score(y, renamed) == pytest.approx(1)


def test_one_cluster_stands_for_one_class():
    """Six rows of class 0 in two clusters: purity counts both, accuracy the larger one."""
    y_true = [0, 0, 0, 0, 0, 0, 1, 1]
    y_pred = [0, 0, 0, 0, 1, 1, 2, 2]
    assert clustering_accuracy(y_true, y_pred) == pytest.approx(6 / 8)
    assert purity(y_true, y_pred) == 1


def test_the_best_map_is_not_the_greedy_one():
    """Cluster 0 holds 5 of class 0 and 4 of class 1, cluster 1 holds 4 of class 0: taking 5 first leaves nothing."""
    y_true = [0] * 5 + [1] * 4 + [0] * 4
    y_pred = [0] * 9 + [1] * 4
    assert clustering_accuracy(y_true, y_pred) == pytest.approx(8 / 13)


def test_more_classes_than_clusters():
    assert clustering_accuracy([0, 1, 2, 3], [0, 0, 0, 0]) == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("average", "theirs"), [("max", "max"), ("min", "min"), ("sqrt", "geometric"), ("mean", "arithmetic")]
)
def test_nmi_is_scikit_learns(average, theirs):
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 3, 50), rng.integers(0, 5, 50)
    assert nmi(y_true, y_pred, average) == normalized_mutual_info_score(y_true, y_pred, average_method=theirs)


def test_an_unknown_average():
    with pytest.raises(ValueError, match=r"average must be one of 'max', .*; got 'median'"):
        nmi([0, 1], [0, 1], average="median")
