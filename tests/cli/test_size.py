"""``-k`` and ``-p``: given, left out, or found from the data."""

import json

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from anchorgraph import Communities
from anchorgraph.catalogue import CATALOGUE
from anchorgraph.cli.app import run

CLUSTERERS = [key for key, method in CATALOGUE.items() if method.card.task == "clustering"]


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, 3, centers=[[0, 0, 0], [20, 0, 0], [0, 20, 0]], random_state=0)[0]


@pytest.fixture
def rows(blobs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("rows.npy", blobs)
    return blobs


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            "cluster rows.npy",
            "-k was not given: Communities found 3 clusters; pass -k for another number.",
        ),
        (
            "cluster rows.npy --method fsc",
            "-k was not given: used n_clusters=8, the default of FSC; -k auto estimates the number from the data.",
        ),
        (
            "cluster rows.npy --method ongr",
            "-k was not given: used n_clusters=8, the default of ONGR; -k auto with --method fsc, communities "
            "or lsc estimates the number from the data.",
        ),
        (
            "cluster rows.npy --method bkhk",
            "-k was not given: used n_clusters=32, which BKHK derives from the number of rows.",
        ),
        ("embed rows.npy", "-p was not given: used n_components=2, the default of ULGE."),
        (
            "embed rows.npy --method anchor_graph",
            "-p was not given: used n_anchors=32, which AnchorGraph derives from the number of rows.",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:The anchor graph falls into", "ignore:Only . of n_clusters=8")
def test_what_was_taken_is_said(arguments, sentence, rows, capsys):
    assert run(arguments.split()) == 0
    assert capsys.readouterr().err == sentence + "\n"
    assert run([*arguments.split(), "--json"]) == 0
    told = capsys.readouterr()
    assert (json.loads(told.out)["note"], told.err) == (sentence, "")
    assert run([*arguments.split(), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("options", ["-k 3", "-k auto", "--set n_clusters=3", "--set n_clusters=None"])
def test_nothing_is_said_of_what_was_given(options, rows, capsys):
    assert run(["cluster", "rows.npy", *options.split(), "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "note" not in json.loads(told.out)
    assert json.loads(told.out)["clusters"] == 3


def test_the_number_of_clusters_is_found(rows):
    assert run(["cluster", "rows.npy", "-k", "auto", "--out", "labels.npy", "--quiet"]) == 0
    expected = Communities(random_state=0).fit(rows)
    assert expected.n_clusters_ == 3
    np.testing.assert_array_equal(np.load("labels.npy"), expected.labels_)


@pytest.mark.parametrize("key", [*CLUSTERERS, "bkhk"])
def test_methods_that_cannot_find_it_are_refused(key, rows, capsys):
    """And those that are not refused can."""
    code = run(["cluster", "rows.npy", "-k", "auto", "--method", key])
    told = capsys.readouterr().err
    if CATALOGUE[key].card.finds_clusters:
        assert (code, told) == (0, "")
        return
    name = CATALOGUE[key].__name__
    assert code == 1
    assert told == (
        f"-k auto: {name} cannot estimate the number of clusters; pass a number, or use --method fsc, communities or "
        "lsc.\n"
    )
    if key != "bkhk":
        with pytest.raises(ValueError, match="n_clusters"):
            CATALOGUE[key](n_clusters=None).fit(rows)


def test_the_dimensions_of_an_anchor_graph_are_its_anchors(rows, capsys):
    assert run(["embed", "rows.npy", "-p", "10", "--method", "anchor_graph", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["dimensions"] == 10


@pytest.mark.parametrize("number", ["many", "3.5", "Auto", ""])
def test_a_size_that_is_none(number, rows, capsys):
    assert run(["cluster", "rows.npy", "-k", number]) == 2
    told = capsys.readouterr().err
    assert told == f"Invalid value for '--clusters' / '-k': {number!r} is neither an integer nor 'auto'.\n"
