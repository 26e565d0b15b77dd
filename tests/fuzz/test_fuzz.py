"""A short run of every kind of case, and of the harness on cases whose outcome is known."""

import json
import re

import pytest

from fuzz import known, run
from fuzz.estimators import SUBJECTS
from fuzz.files import GROUPS
from fuzz.run import BAD, Outcome, Suite, run_cases
from fuzz.suites import SUITES
from fuzz.table import counted, write_tables

N_CASES = 200


@pytest.mark.parametrize("name", SUITES)
def test_no_outcome_is_bad(name):
    outcomes = list(run_cases(SUITES[name], range(N_CASES)))
    assert sorted(outcome.seed for outcome in outcomes) == list(range(N_CASES))
    assert not [outcome for outcome in outcomes if outcome.kind in BAD]
    assert {outcome.kind for outcome in outcomes} == {"done", "refused"}


@pytest.mark.parametrize("name", SUITES)
def test_a_seed_names_its_case(name):
    for seed in range(20):
        assert SUITES[name].case(seed)[0] == SUITES[name].case(seed)[0]


def test_cases_cover_all_subjects_and_traits():
    names = [SUITES["estimators"].case(seed)[0] for seed in range(1500)]
    assert {name.split(",")[0] for name in names} == {*SUBJECTS}
    traits = {"cosine", "mask", "partial_fit", "precomputed", "sizes", "weights"}
    assert {trait for trait in traits if any(re.search(f"; .*{trait}", name) for name in names)} == traits
    assert {SUITES["files"].case(seed)[0].split(",")[0] for seed in range(300)} == {*GROUPS}


def test_tables_are_written_from_what_a_run_found(tmp_path):
    outcomes = [
        Outcome(7, "fsc, blobs, csr; cosine, sizes ((1, 9)), weights (whole with zeros)", "done"),
        Outcome(8, "fsc, line, csr; cosine", "refused"),
        Outcome(9, "bkhk, line, list", "hang", "over 60 s"),
    ]
    told = {"suite": "estimators", "seed": 7, "cases": 3, "commit": "abc", "seconds": 0.5, "processes": 2}
    (tmp_path / "run.json").write_text(json.dumps({**told, **counted(outcomes)}))
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- fuzz: begin -->\nold\n<!-- fuzz: end -->\nafter\n")
    write_tables([tmp_path / "run.json"], page)
    written = page.read_text()
    assert re.fullmatch(r"before\n.*after\n", written, re.DOTALL)
    assert "old" not in written
    for line in (
        "3 cases of estimators, seeds 7 to 9, at commit abc: 0 minutes, 2 workers, 6 cases a second.",
        "| fsc | 1 | 1 | 0 | 0 | 0 | 0 |",
        "| **all** | 1 | 1 | 0 | 0 | 0 | 1 |",
        "| of these, cosine | 1 | 1 | 0 | 0 | 0 | 0 |",
        "| of these, sizes | 1 | 0 | 0 | 0 | 0 | 0 |",
        "| of these, weights | 1 | 0 | 0 | 0 | 0 | 0 |",
        "- 9 (bkhk, line, list): hang, over 60 s",
    ):
        assert line in written.split("\n")
    write_tables([tmp_path / "run.json"], page)
    assert page.read_text() == written


def test_the_harness_tells_outcomes_apart_and_goes_on_after_a_crash():
    outcomes = list(run_cases(Suite(known.case, known.is_clear), range(15), n_processes=1))
    assert [outcome.kind for outcome in outcomes] == [*known.KNOWN] * 3
    assert [outcome.seed for outcome in outcomes] == list(range(15))


def test_the_harness_ends_a_case_that_does_not_end(monkeypatch):
    monkeypatch.setattr(run, "SECONDS", 0.5)
    outcomes = list(run_cases(Suite(known.endless_case, known.is_clear), [7], n_processes=1))
    assert outcomes == [Outcome(7, "sleep", "hang", "over 0.5 s")]


def test_the_harness_limits_memory():
    (outcome,) = run_cases(Suite(known.greedy_case, known.is_clear), [0], n_processes=1)
    assert outcome.kind == "unclear error"
    assert "MemoryError" in outcome.detail


def test_warnings_of_numpy_are_unclear():
    (outcome,) = run_cases(Suite(known.warning_case, known.is_clear), [0], n_processes=1)
    assert outcome.kind == "unclear error"
