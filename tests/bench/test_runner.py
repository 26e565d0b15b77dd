"""Cells in processes of their own, limits, and what is left after an interruption."""

import io
import json
import os
import queue
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from anchorgraph import __version__
from anchorgraph.bench import Limits, Records, read_experiment, run_cell, worker
from anchorgraph.bench.runner import pending_runs
from waiting import PATIENCE, wait_until


@pytest.fixture
def records(tmp_path):
    return Records(tmp_path / "records.jsonl")


def test_a_cell_is_run_once_and_resumed(mine, records, tmp_path):
    cell = read_experiment(mine).cells[0]
    assert run_cell(cell, records, Limits(runs=1)) == 2  # two choices
    again = Records(tmp_path / "records.jsonl")
    assert pending_runs(cell, again, Limits(runs=1)) == []
    ((better, seed),) = pending_runs(cell, again, Limits())  # the better half is run again
    accuracies = [again.found(trial, 0)["accuracy"] for trial in cell.trials]
    assert (cell.trials.index(better), seed) == (np.argmax(accuracies), 1)
    assert len(pending_runs(cell, again, Limits(choices=1))) == 1
    found = again.found(cell.trials[0], 0)
    assert 50 < found["accuracy"] <= 100
    assert found["seconds"] > found["seconds before clusters"] > 0
    lines = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    assert [line["trial"]["method"] for line in lines] == ["FSC", "FSC"]


@pytest.mark.parametrize(("best", "schedule"), [("mean", [8, 4, 2, 1, 1]), ("run", [8, 1, 1, 1, 1])])
def test_the_better_half_of_a_grid_is_run_again(mine, records, best, schedule):
    grid = f'best = "{best}", grid.n_neighbors = [2, 3, 4, 5, 6, 7, 8, 9]'
    text = mine.read_text().replace("grid.n_neighbors = [3, 5]", grid).replace("runs = 2", "runs = 5")
    mine.write_text(text)
    cell, done = read_experiment(mine).cells[0], []
    while pending := pending_runs(cell, records, Limits()):
        done += [(trial.choice["n_neighbors"], seed) for trial, seed in pending]
        for trial, seed in pending:
            found = {"accuracy": 10.0 * trial.choice["n_neighbors"] + seed, "seconds": 1.0}
            records.add({"trial": trial.spec, "seed": seed, "found": found})
    assert [sum(seed == number for _, seed in done) for number in range(5)] == schedule
    assert {k for k, seed in done if seed == 4} == {9}


def test_a_run_over_the_time_limit_is_stopped_and_tried_again_under_a_higher_one(mine, records):
    cell = read_experiment(mine).cells[1]
    assert run_cell(cell, records, Limits(seconds=0.01)) == 1
    assert records.stop(cell.trials[0], 0) == {"why": "time", "limit": 0.01}
    assert pending_runs(cell, records, Limits(seconds=0.01)) == []
    assert len(pending_runs(cell, records, Limits(seconds=10))) == 2


def test_a_process_that_dies_leaves_a_reason(mine, records, monkeypatch):
    cell = read_experiment(mine).cells[1]
    monkeypatch.setattr("anchorgraph.bench.runner.COMMAND", [sys.executable, "-c", "raise SystemExit(1)"])
    assert run_cell(cell, records, Limits()) == 1
    assert records.stop(cell.trials[0], 0)["sentence"] == "The process ended: exit code 1"
    assert pending_runs(cell, records, Limits()) == []  # with this version


def time_is_up_when(monkeypatch, happened):
    """Let the time of a run be over when a thing has happened, and not before, however long that takes."""

    class Lines(queue.SimpleQueue):
        def get(self, timeout):
            wait_until(lambda: not self.empty() or happened(), "a line of the worker")
            return super().get(block=False)

    monkeypatch.setattr("anchorgraph.bench.runner.queue", SimpleNamespace(SimpleQueue=Lines, Empty=queue.Empty))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_a_process_that_a_method_left_running_is_not_waited_for(mine, records, monkeypatch, tmp_path):
    """It has the worker's standard output, whose end does not come before its own: that of the pipe it reads."""
    begun, over, pipe = tmp_path / "begun", tmp_path / "over", tmp_path / "pipe"
    os.mkfifo(pipe)
    child = (
        f"import pathlib, select; pipe = open({str(pipe)!r}); pathlib.Path({str(begun)!r}).touch(); "
        f"select.select([pipe], [], [], {PATIENCE}); pathlib.Path({str(over)!r}).touch()"
    )
    worker = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    monkeypatch.setattr("anchorgraph.bench.runner.COMMAND", [sys.executable, "-c", worker])
    time_is_up_when(monkeypatch, begun.exists)
    cell = read_experiment(mine).cells[1]
    with pipe.open("rb+", buffering=0):
        assert run_cell(cell, records, Limits(seconds=2)) == 1
        assert not over.exists()
    assert records.stop(cell.trials[0], 0) == {"why": "time", "limit": 2}


def worked(monkeypatch, capsys, run, runs, enough=100):
    monkeypatch.setattr(worker, "_run", run)
    monkeypatch.setattr(worker, "_limit_memory", lambda limit: None)
    monkeypatch.setattr(worker.warnings, "simplefilter", lambda action: None)
    monkeypatch.setattr(worker, "_end_with_parent", lambda: None)
    monkeypatch.setattr(
        "sys.stdin", io.StringIO(json.dumps({"runs": runs, "memory": 7, "enough": enough, "shared": None}))
    )
    worker.main()
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_trial_that_fails_is_not_tried_with_other_seeds(monkeypatch, capsys):
    def run(trial, seed, forms, folder):
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
    assert lines[3]["found"]["accuracy"] == 1


def test_no_run_is_begun_after_enough_seconds(monkeypatch, capsys):
    lines = worked(monkeypatch, capsys, lambda *_: {}, [("good", seed) for seed in range(5)], enough=-1)
    assert [line["seed"] for line in lines] == [0]


@pytest.mark.skipif(sys.platform != "linux", reason="this system has no such limits of memory")
def test_the_memory_of_a_process_is_limited(mine, records):
    cell = read_experiment(mine).cells[1]
    run_cell(cell, records, Limits(memory=2**20))
    assert records.found(cell.trials[0], 0) is None
    assert records.stop(cell.trials[0], 0) is not None


def test_a_line_that_was_cut_off_is_dropped(tmp_path, mine):
    path, cell = tmp_path / "records.jsonl", read_experiment(mine).cells[1]
    records = Records(path)
    records.add({"trial": cell.trials[0].spec, "seed": 0, "found": {"accuracy": 1.0}})
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:40])
    again = Records(path)
    assert again.found(cell.trials[0], 0) == {"accuracy": 1.0}
    assert path.read_bytes() == whole + whole[:40]  # reading changes nothing
    again.add({"trial": cell.trials[0].spec, "seed": 0, "found": {"accuracy": 1.0}})
    assert path.read_bytes() == whole + whole
    assert Records(path).found(cell.trials[0], 0) == {"accuracy": 1.0}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"my notes, without an end", "contains no records; name another file"),
        (b"my notes\nand more", "line 1 is not a valid record; name another file"),
        (b'{"trial": {}, "seed": 0, "stopped": "x"}\n', "line 1 is not a valid record"),
    ],
)
def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path, content, message):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        Records(path)
    assert path.read_bytes() == content
    with pytest.raises(ValueError, match="is a folder; name a file"):
        Records(tmp_path)


def test_a_stop_is_booked_on_the_run_that_was_stopped(mine, records, monkeypatch, tmp_path):
    """One choice fails at once, the other hangs with its second seed: each gets its own reason, and is tried once."""
    fake = tmp_path / "worker.py"
    fake.write_text(
        """
import json, sys, time
work, failed = json.loads(sys.stdin.readline()), []
for trial, seed in work["runs"]:
    if trial in failed:
        continue
    if trial["params"]["n_neighbors"] == 3:
        failed.append(trial)
        outcome = {"stopped": {"why": "error", "sentence": "no", "version": VERSION}}
    else:
        if seed == 1:
            time.sleep(3600)
        outcome = {"found": {"accuracy": 1.0}}
    print(json.dumps({"trial": trial, "seed": seed, **outcome}), flush=True)
""".replace("VERSION", repr(__version__))
    )
    monkeypatch.setattr("anchorgraph.bench.runner.COMMAND", [sys.executable, str(fake)])
    cell = read_experiment(mine).cells[0]
    failing, hanging = cell.trials
    time_is_up_when(monkeypatch, lambda: records.stop(failing, 0) and records.found(hanging, 0))
    assert run_cell(cell, records, Limits(seconds=2)) == 3
    assert records.stop(failing, 0)["why"] == "error"
    assert records.stop(failing, 1) is None
    assert records.found(hanging, 0) == {"accuracy": 1.0}
    assert records.stop(hanging, 1) == {"why": "time", "limit": 2}
