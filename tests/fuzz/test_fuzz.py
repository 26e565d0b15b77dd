"""A short run of every kind of case, and of the harness on cases whose outcome is known."""

import pytest

from fuzz import known, run
from fuzz.run import BAD, Outcome, Suite, run_cases
from fuzz.suites import SUITES

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
