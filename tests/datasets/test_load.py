import numpy as np
import pytest
from scipy import sparse

from anchorgraph import datasets
from anchorgraph.datasets.load import FOLDER_ONLY


def test_the_folder_comes_first(tmp_path, monkeypatch):
    np.savez(tmp_path / "digits.npz", X=np.eye(3), y=np.arange(3), n_train=2)
    monkeypatch.setenv("ANCHORGRAPH_DATA", str(tmp_path))
    data = datasets.load("digits")
    np.testing.assert_array_equal(data.X, np.eye(3))
    assert (data.name, data.n_train) == ("digits", 2)


def test_sparse_files(tmp_path, monkeypatch):
    X = sparse.csr_array(np.eye(4))
    np.savez(tmp_path / "few.npz", data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=np.zeros(4))
    monkeypatch.setenv("ANCHORGRAPH_DATA", str(tmp_path))
    np.testing.assert_array_equal(datasets.load("few").X.toarray(), np.eye(4))
    assert datasets.load("few").n_train is None


def test_bundled_sets_need_no_folder(monkeypatch):
    monkeypatch.delenv("ANCHORGRAPH_DATA", raising=False)
    assert datasets.load("digits").X.shape == (1797, 64)


def test_what_is_nowhere_is_refused_with_the_reasons(monkeypatch, tmp_path):
    def offline(**_):
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", offline)
    monkeypatch.setenv("ANCHORGRAPH_DATA", str(tmp_path))
    with pytest.raises(datasets.DatasetUnavailableError, match=r"'atlantis' is neither in the folder .*no network"):
        datasets.load("atlantis")


def test_labels_from_openml_become_numbers(monkeypatch):
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda **_: (np.eye(3), np.array(["b", "a", "b"])))
    monkeypatch.delenv("ANCHORGRAPH_DATA", raising=False)
    assert datasets.load("somewhere").y.tolist() == [1, 0, 1]


def test_sets_that_cannot_be_downloaded_are_only_looked_for_in_the_folder(monkeypatch, tmp_path):
    """Another data set may have the same name on OpenML."""

    def asked(**_):
        raise AssertionError("OpenML was asked")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", asked)
    monkeypatch.setenv("ANCHORGRAPH_DATA", str(tmp_path))
    for name in FOLDER_ONLY:
        with pytest.raises(datasets.DatasetUnavailableError, match=rf"{name}\.npz in the folder .* \([\d,]+ × [\d,]+"):
            datasets.load(name)
    np.savez(tmp_path / "rcv1.npz", X=np.eye(3), y=np.arange(3))
    assert datasets.load("rcv1").X.shape == (3, 3)


def test_covtype_comes_from_its_own_source(monkeypatch, tmp_path):
    monkeypatch.setattr("sklearn.datasets.fetch_covtype", lambda **_: (np.eye(3), np.array([7, 1, 2])))
    monkeypatch.setenv("ANCHORGRAPH_DATA", str(tmp_path))
    assert datasets.load("covtype").y.tolist() == [2, 0, 1]

    def offline(**_):
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_covtype", offline)
    with pytest.raises(datasets.DatasetUnavailableError, match="could not be downloaded \\(no network\\)"):
        datasets.load("covtype")
