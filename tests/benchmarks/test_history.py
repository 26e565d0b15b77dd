"""The record of speed, and what is said of two commits in it."""

import dataclasses
import json
import re

import pytest
from compare_speed import WORDS, NothingToCompareError, compare, judge
from history import Entry, Machine, append, entries, this_machine

HERE = Machine(blas=("SkylakeX",), cpu=("X86_V2", "X86_V4"), threads=2)
THERE = dataclasses.replace(HERE, blas=("Haswell",))
OLD, NEW = "a" * 40, "b" * 40


def entry(commit, ratios, machine=HERE, clean=True, quality=None):
    return Entry(commit, clean, "2026-11-17T12:00:00+00:00", machine, 0.5, {"FSC": ratios}, quality or {})


def test_entries_are_read_as_they_were_appended(tmp_path):
    path = tmp_path / "results" / "history.jsonl"
    assert entries(path) == []
    kept = [entry(OLD, [1.5, 1.25]), entry(NEW, [2.0], THERE, False, {"NMI": [70.0, 71.5]})]
    for one in kept:
        append(one, path)
    assert entries(path) == kept
    assert [json.loads(line)["commit"] for line in path.read_text().splitlines()] == [OLD, NEW]


def test_a_machine_is_named_by_its_kernels():
    machine = this_machine()
    assert machine.threads >= 1
    assert all(name in str(machine) for name in (*machine.blas, *machine.cpu))
    assert machine == this_machine()


@pytest.mark.parametrize(
    ("now", "word"),
    [
        ([1.3, 1.4, 1.5], "slower"),
        ([0.7, 0.8, 0.9], "faster"),
        ([1.1, 1.3, 1.4], "slower"),  # the spreads touch, but neither median is within the other's
        ([0.9, 1.3, 1.4], "same"),  # then's median is among the runs of now
        ([1.1, 1.2, 1.9], "same"),  # now's median is among the runs of then
        ([1.0, 1.1, 1.2], "same"),
    ],
)
def test_a_change_counts_if_it_exceeds_the_spread(now, word):
    assert judge([1.0, 1.05, 1.2], now, WORDS["ratios"]) == word


def test_quality_is_not_called_slow():
    assert judge([70.0, 71.0], [60.0, 61.0], WORDS["quality"]) == "lower"


def test_the_table_has_each_figure_then_and_now():
    history = [
        entry(OLD, [1.0, 1.1], quality={"NMI": [70.0]}),
        entry(OLD, [1.2]),
        entry(NEW, [9.0], THERE),
        entry(NEW, [1.6], quality={"NMI": [70.0]}),
    ]
    lines = list(compare(history, OLD))
    assert OLD[:10] in lines[0]
    assert NEW[:10] in lines[0]
    speed, score = lines[-2:]
    assert re.split(r"\s+", speed) == ["FSC", "1.100", "1.000–1.200", "1.600", "1.600–1.600", "+45.5", "%", "slower"]
    assert score.endswith("same")


def test_changed_files_are_not_the_commit():
    with pytest.raises(NothingToCompareError, match=f"no entry for {OLD[:10]} of a clean tree; .* it has {NEW[:10]}"):
        list(compare([entry(OLD, [1.0], clean=False), entry(NEW, [1.0])], OLD))
    lines = list(compare([entry(OLD, [1.0]), entry(OLD, [3.0], clean=False), entry(OLD, [2.0], clean=False)], OLD))
    assert "with changed files" in lines[0]
    assert "2.000–2.000" in lines[-1]


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ([], "has no entries"),
        ([entry(NEW, [1.0])], f"no entry for {OLD[:10]}; .* it has {NEW[:10]}"),
        ([entry(OLD, [1.0], THERE), entry(NEW, [1.0])], r"another machine \(Haswell kernels.*than.*\(SkylakeX"),
        ([entry(OLD, [1.0])], "last entry is of aaaaaaaaaa itself"),
    ],
)
def test_what_is_missing_is_said(history, message):
    with pytest.raises(NothingToCompareError, match=message):
        list(compare(history, OLD))
