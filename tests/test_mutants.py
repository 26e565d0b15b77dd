"""The places that ``make mutants`` changes, one change of a small package, and how it ends."""

import importlib.util
import os
import threading
import time
from pathlib import Path

import pytest

import mutants
from mutants import Mutant, Trial, table, try_all, write_source
from mutations import Mutation, find_mutations
from reached import Reached, junit_name

pytestmark = pytest.mark.skipif(os.name == "nt", reason="groups of processes are ended as on Linux")

TOY = '''"""Adds 1 + 1."""

SIZE = 2 * 8


def mean(x: "Literal[0]", axis=-1) -> "tuple[1]":
    """x[0] + x[1]."""
    if x[0] < 0 and len(x) == 1:
        raise ValueError("below" + f"{x[0] + 1}")
    total, words = 0, ["a"] + ["b"] * 2
    for i in range(len(x)):
        total += x[i]
    return max(x[-1], total / (  # a comment + more
        len(x)
    ), x.sum(axis=0))
'''


def changes(source):
    """(line, old text, new text) of all mutations."""
    return [(one.line, one.old, one.new) for one in find_mutations(source)]


def test_signs_comparisons_extremes_and_indices_are_found():
    assert changes(TOY) == [
        (3, "*", "/"),
        (6, "-", ""),
        (8, "0", "1"),
        (8, "<", "<="),
        (8, "==", "!="),
        (11, "len(x)", "len(x) + 1"),
        (12, "+=", "-="),
        (13, "max", "min"),
        (13, "-", ""),
        (13, "-1", "0"),
        (13, "/", "*"),
        (15, "0", "1"),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a[1:, 2]", [("1", "2"), ("2", "3")]),
        ("a[: n - 1]", [("-", "+"), ("1", "2")]),
        ("a[f(0)]", []),
        ("np.argmin(a, axis=1)", [("argmin", "argmax"), ("1", "0")]),
        ("range(1, n, 2)", [("1", "2"), ("n", "n + 1")]),
        ("a <= b > c != d", [("<=", "<"), (">", ">="), ("!=", "==")]),
        ("(a) - (b)", [("-", "+")]),
        ("a ** b @ c // d % e", []),
        ("'é' and a * b", [("*", "/")]),
        ("x: TypeAlias = tuple[1]", []),
        ("x: int = -1", [("-", "")]),
        ("a *= 2", [("*=", "/=")]),
    ],
)
def test_lines(line, expected):
    assert [change[1:] for change in changes(line)] == expected


def test_every_change_is_another_program():
    made = [one.apply(TOY) for one in find_mutations(TOY)]
    for source in made:
        compile(source, "toy", "exec")
    assert len({*made, TOY}) == len(made) + 1
    (division,) = (one for one in find_mutations(TOY) if one.old == "/")
    assert division.changed_line(TOY) == "    return max(x[-1], total * (  # a comment + more\n"
    assert division.statement == (13, 15)
    assert find_mutations(TOY)[0].statement == (0, 0)  # it runs on import


def test_a_source_that_has_changed_is_an_error():
    with pytest.raises(ValueError, match=r"Line 1 has no '\+' in column 2; find its mutations again"):
        Mutation(1, 2, "+", "-", (0, 0)).apply("a - b\n")


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A checkout of one module with two tests, of which one notices its sign."""
    source, tests = tmp_path / "src" / "toy" / "room" / "sums.py", tmp_path / "test_sums.py"
    source.parent.mkdir(parents=True)
    source.write_text("def add(a, b):\n    while a < 0:\n        a += 1\n    return a + b\n")
    tests.write_text(
        "from toy.room.sums import add\n\n"
        "def test_zero():\n    assert add(1, 0) == 1\n\n"
        "def test_sum():\n    assert add(1, 2) == 3\n\n"
        "def test_negative():\n    assert add(-1, 0) == 0\n"
    )
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    return tmp_path


def find_outcome(checkout, old, tests, *, seconds=60.0, end=None):
    source = checkout / "src" / "toy" / "room" / "sums.py"
    (mutation,) = (one for one in find_mutations(source.read_text()) if one.old == old)
    mutant = Mutant(source.relative_to(checkout).as_posix(), mutation)
    reached = Reached(Path(), dict.fromkeys(tests, 0.1))
    reached._by_file[mutant.file] = {mutation.line: set(tests)}
    trial = Trial(reached, seconds, end or time.monotonic() + 600, threading.Event())
    before = source.read_text()
    (tried,) = try_all([mutant], [checkout], trial)
    assert source.read_text() == before
    return tried


def test_a_mutant_is_noticed_by_the_test_that_fails(toy):
    found = find_outcome(toy, "+", ["test_sums.py::test_zero", "test_sums.py::test_sum"])
    assert (found.room, found.outcome, found.detail) == ("room", "noticed", "test_sums.py::test_sum")
    assert found.shown().splitlines()[1:] == ["  - return a + b", "  + return a - b"]


def test_a_mutant_is_not_noticed_by_others(toy):
    assert find_outcome(toy, "+", ["test_sums.py::test_zero"]).detail == "1 tests pass"
    assert find_outcome(toy, "+", []).detail == "no test reaches it"
    left_out = find_outcome(toy, "<", ["test_sums.py::test_sum", "test_sums.py::test_zero"], seconds=0.1)
    assert (left_out.outcome, left_out.detail) == ("not noticed", "1 tests pass, 1 slower ones did not run")


def test_a_mutant_that_does_not_end_is_a_time_out(toy, monkeypatch):
    monkeypatch.setattr(mutants, "START_SECONDS", 3.0)
    assert find_outcome(toy, "+=", ["test_sums.py::test_negative"]).outcome == "time-out"


def test_nothing_comes_of_a_mutant_after_the_end(toy):
    assert find_outcome(toy, "+=", ["test_sums.py::test_negative"], end=time.monotonic() + 1).outcome == ""


def test_the_same_size_at_the_same_time_is_compiled_again(tmp_path):
    path = tmp_path / "module.py"
    compiled = Path(importlib.util.cache_from_source(path))
    compiled.parent.mkdir()
    compiled.touch()
    write_source(path, "a = 2")
    assert path.read_text() == "a = 2"
    assert not compiled.exists()


def test_the_table_counts_by_room():
    mutation = Mutation(1, 0, "+", "-", (1, 1))
    tried = [
        Mutant(f"src/anchorgraph/{room}/a.py", mutation, outcome)
        for room, outcome in [("graph", "noticed"), ("graph", "not noticed"), ("labels", "time-out"), ("labels", "")]
    ]
    lines = list(table(tried))
    assert lines[0] == "| room | tried | noticed | time-out | not noticed |"
    assert "| graph | 2 | 1 | 0 | 1 |" in lines
    assert lines[-1] == "| **all** | 3 | 1 | 1 | 1 |"


def test_results_are_read_as_they_were_written(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "RESULT", tmp_path / "mutants.json")
    tried = [Mutant("src/anchorgraph/graph/a.py", Mutation(1, 0, "+", "-", (1, 1)), "noticed", "tests/a.py::test")]
    mutants.write_result(tried, 3)
    assert mutants.read_result() == tried


def test_names_of_tests_in_reports():
    assert junit_name("tests/graph/test_a.py::test_b[x::y]") == ("tests.graph.test_a", "test_b[x::y]")
    assert junit_name("tests/test_a.py::TestB::test_c") == ("tests.test_a.TestB", "test_c")
