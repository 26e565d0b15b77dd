"""Cells in processes of their own, limits, and what is left after an interruption."""

import io
import json
import sys

import pytest

from anchorgraph.bench import Limits, Records, read_experiment, run_cell, worker
from anchorgraph.bench.runner import remaining


@pytest.fixture
def records(tmp_path):
    return Records(tmp_path / "records.jsonl")


def test_a_cell_is_run_once_and_resumed(mine, records, tmp_path):
    cell = read_experiment(mine).cells[0]
    assert run_cell(cell, records, Limits(runs=1)) == 2  # two choices
    again = Records(tmp_path / "records.jsonl")
    assert remaining(cell, again, Limits(runs=1)) == []
    left = remaining(cell, again, Limits())
    assert {seed for _, seed in left} == {1}
    assert len(left) == 2
    found = again.found(cell.trials[0], 0)
    assert 50 < found["accuracy"] <= 100
    assert found["seconds"] > found["seconds before clusters"] > 0
    lines = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    assert [line["trial"]["method"] for line in lines] == ["FSC", "FSC"]


def test_a_run_over_the_time_limit_is_stopped_and_tried_again_under_a_higher_one(mine, records):
    cell = read_experiment(mine).cells[1]
    assert run_cell(cell, records, Limits(seconds=0.01)) == 1
    assert records.stop(cell.trials[0], 0) == {"why": "time", "limit": 0.01}
    assert remaining(cell, records, Limits(seconds=0.01)) == []
    assert len(remaining(cell, records, Limits(seconds=10))) == 2


def test_a_process_that_dies_leaves_a_reason(mine, records, monkeypatch):
    cell = read_experiment(mine).cells[1]
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert run_cell(cell, records, Limits()) == 1
    assert records.stop(cell.trials[0], 0)["sentence"] == "The process ended: exit code 1"
    assert remaining(cell, records, Limits()) == []  # with this version


def worked(monkeypatch, capsys, run, runs, enough=100):
    monkeypatch.setattr(worker, "_run", run)
    monkeypatch.setattr(worker, "_limit_memory", lambda limit: None)
    monkeypatch.setattr(worker.warnings, "simplefilter", lambda action: None)
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"runs": runs, "memory": 7, "enough": enough})))
    worker.main()
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_trial_that_fails_is_not_tried_with_other_seeds(monkeypatch, capsys):
    def run(trial, seed, forms):
        if trial == "greedy":
            raise MemoryError
        if trial == "wrong":
            raise ValueError("n_anchors=0 is\nno number")
        return {"accuracy": seed}

    runs = [("greedy", 0), ("wrong", 0), ("good", 0), ("greedy", 1), ("wrong", 1), ("good", 1)]
    lines = worked(monkeypatch, capsys, run, runs)
    assert [(line["trial"], line["seed"]) for line in lines] == [("greedy", 0), ("wrong", 0), ("good", 0), ("good", 1)]
    assert lines[0]["stopped"] == {"why": "memory", "limit": 7}
    assert lines[1]["stopped"]["sentence"] == "ValueError: n_anchors=0 is no number"
    assert lines[3]["found"] == {"accuracy": 1}


def test_no_run_is_begun_after_enough_seconds(monkeypatch, capsys):
    lines = worked(monkeypatch, capsys, lambda *_: {}, [("good", seed) for seed in range(5)], enough=-1)
    assert [line["seed"] for line in lines] == [0]


def test_the_memory_of_a_process_is_limited(mine, records):
    pytest.importorskip("resource", reason="this system has no limits of memory")
    cell = read_experiment(mine).cells[1]
    run_cell(cell, records, Limits(memory=2**20))
    assert records.found(cell.trials[0], 0) is None
    assert records.stop(cell.trials[0], 0) is not None


def test_a_line_that_was_cut_off_is_dropped_and_a_strange_one_refused(tmp_path, mine):
    path, cell = tmp_path / "records.jsonl", read_experiment(mine).cells[1]
    records = Records(path)
    records.add({"trial": cell.trials[0].spec, "seed": 0, "found": {"accuracy": 1.0}})
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:40])
    again = Records(path)
    assert again.found(cell.trials[0], 0) == {"accuracy": 1.0}
    assert path.read_bytes() == whole
    path.write_bytes(b"accuracy\n" + whole)
    with pytest.raises(ValueError, match="line 1 is no record; move the file away"):
        Records(path)
    assert path.read_bytes() == b"accuracy\n" + whole
