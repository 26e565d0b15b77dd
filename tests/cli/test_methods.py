"""``anchorgraph methods fsc``: the parameters that ``--set`` takes."""

import json

import pytest

from anchorgraph.catalogue import CATALOGUE
from anchorgraph.cli.app import run
from anchorgraph.cli.parameters import Parameter, parameters_of


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_method_has_its_parameters_and_defaults(key, capsys):
    assert run(["methods", key, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    card = CATALOGUE[key].card
    assert (told["key"], told["title"], told["paper"]) == (key, card.title, card.paper)
    defaults = {parameter["parameter"]: parameter["default"] for parameter in told["parameters"]}
    assert defaults == CATALOGUE[key]().get_params()
    assert all(parameter["values"] for parameter in told["parameters"])
    assert "`" not in str(told)


@pytest.mark.parametrize("name", ["fsc", "FSC", "Fsc"])
def test_a_table_of_one_method(name, capsys):
    assert run(["methods", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines if line.startswith(("title", "task"))] == [
        "clustering",
        "Fast Spectral Clustering",
    ]
    (shown,) = (line for line in lines if line.startswith("rounding"))
    assert shown.split()[:2] == ["rounding", "'kmeans'"]
    assert "How rows of F become clusters" in shown


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ffsc", "'ffsc' is not a method; did you mean fsc"),
        ("nystrom", "'nystrom' is not a method; did you mean nystrom_sc?"),
        ("xyz", "'xyz' is not a method; 'anchorgraph methods' lists them all."),
    ],
)
def test_an_unknown_method_is_told_near_names(name, sentence, capsys):
    assert run(["methods", name]) == 1
    told = capsys.readouterr()
    assert told.err.startswith(sentence)
    assert (told.out, told.err.count("\n")) == ("", 1)


class Documented:
    """A class.

    Parameters
    ----------
    size : int, default=3
        How many, e.g. of ``rows``. More follows.
    kind : {"a", "b"}, default="a"
        One of two things,
        see :class:`Other`; no more.
    seed : int or None, default=None

    Attributes
    ----------
    found_ : int
        Not a parameter.
    """

    def __init__(self, size=3, *, kind="a", seed=None):
        pass


def test_the_first_sentence_of_each_entry():
    assert parameters_of(Documented) == [
        Parameter("size", 3, "int", "How many, e.g. of rows."),
        Parameter("kind", "a", '{"a", "b"}', "One of two things, see Other; no more."),
        Parameter("seed", None, "int or None", ""),
    ]
