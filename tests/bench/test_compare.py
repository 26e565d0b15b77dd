"""What is said of results beside printed numbers."""

import numpy as np
import pytest

from anchorgraph.bench import Records, compare, read_experiment


@pytest.fixture
def found(mine, tmp_path):
    """An experiment and a function that fills its cells."""
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")

    def add(number, choice, seed, **measures):
        trial = experiment.cells[number].trials[choice]
        records.add({"trial": trial.spec, "seed": seed, "found": measures})

    return experiment, records, add


def test_the_best_choice_is_shown_with_its_spread(found):
    experiment, records, add = found
    for seed, (low, high) in enumerate([(70, 80), (72, 84)]):
        add(0, 0, seed, accuracy=low)
        add(0, 1, seed, accuracy=high)
    cell = compare(experiment, records)["cells"][0]
    assert (cell["ours"], cell["spread"], cell["runs"]) == (82.0, 2.0, 2)
    assert (cell["choice"], cell["choices"], cell["all choices"]) == ({"n_neighbors": 5}, 2, 2)
    assert (cell["difference"], cell["verdict"], cell["mark"]) == (2.0, "reproduced", "digits: scikit-learn's")


def test_a_lucky_choice_with_few_runs_does_not_count(mine, tmp_path):
    mine.write_text(mine.read_text().replace("runs = 2", "runs = 3"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    lucky, tried = experiment.cells[0].trials
    records.add({"trial": lucky.spec, "seed": 0, "found": {"accuracy": 99}})
    for seed, accuracy in enumerate((70, 80, 75)):
        records.add({"trial": tried.spec, "seed": seed, "found": {"accuracy": accuracy}})
    cell = compare(experiment, records)["cells"][0]
    assert (cell["ours"], cell["runs"], cell["choices"], cell["all choices"]) == (75, 3, 1, 2)
    records.add({"trial": lucky.spec, "seed": 1, "found": {"accuracy": 99}})
    cell = compare(experiment, records)["cells"][0]
    assert (cell["ours"], cell["runs"], cell["choices"]) == (99, 2, 2)


@pytest.mark.parametrize(
    ("accuracies", "verdict"),
    [
        ([76.1], "higher"),
        ([75.9], "reproduced"),
        ([74.1], "reproduced"),
        ([73.9], "not reproduced"),
        ([70, 78], "reproduced"),
    ],
)
def test_a_score_is_judged_by_the_spreads_and_a_point(found, accuracies, verdict):
    experiment, records, add = found
    add(1, 0, 0, accuracy=accuracies)
    result = compare(experiment, records)
    assert result["cells"][1]["verdict"] == verdict
    assert result["sentence"] == f"1 of 4 cells were run; 1 {verdict}."


def test_a_point_is_not_close_to_a_small_number(mine, tmp_path):
    mine.write_text(mine.read_text().replace("75]", "0.58]"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    records.add({"trial": experiment.cells[1].trials[0].spec, "seed": 0, "found": {"accuracy": 0.3}})
    cell = compare(experiment, records)["cells"][1]
    assert (cell["verdict"], cell["spread"]) == ("not reproduced", None)


def test_cells_without_a_result_say_why(found):
    experiment, records, _ = found
    trial = experiment.cells[1].trials[0].spec
    records.add({"trial": trial, "seed": 0, "stopped": {"why": "time", "limit": 60}})
    assert [cell["why"] for cell in compare(experiment, records)["cells"]] == [
        "not run yet",
        "over 60 s",
        "not run yet",
        "the paper has no number here",
    ]
    records.add({"trial": trial, "seed": 0, "stopped": {"why": "memory", "limit": 2**31}})
    assert compare(experiment, records)["cells"][1]["why"] == "over 2 GiB"
    records.add({"trial": trial, "seed": 0, "stopped": {"why": "error", "sentence": "ValueError: no", "version": "0"}})
    assert compare(experiment, records)["cells"][1]["why"] == "ValueError: no"
    missing = compare(experiment, records, {"digits": "nowhere"})["cells"]
    assert [cell["why"] for cell in missing][:3] == ["no data: digits"] * 3


def test_times_are_compared_by_their_order(mine, tmp_path):
    text = (
        mine.read_text()
        .replace('"score"', '"time"')
        .replace('"accuracy"', '["seconds of graph", "seconds of spectrum"]')
    )
    mine.write_text(text)
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    fast = {"seconds of graph": 1.0, "seconds of spectrum": 2.0, "accuracy": 60.0}
    slow = {"seconds of graph": 9.0, "accuracy": 70.0}
    for trial, measures in zip(experiment.cells[0].trials, (fast, slow), strict=True):
        records.add({"trial": trial.spec, "seed": 0, "found": measures})
    records.add({"trial": experiment.cells[1].trials[0].spec, "seed": 0, "found": fast})
    result = compare(experiment, records)
    assert [cell.get("ours") for cell in result["cells"]] == [9.0, 3.0, None, None]  # at the most accurate choice
    assert result["cells"][0]["verdict"] == ""
    assert result["sentence"] == "2 of 4 cells were run; of 1 pairs in a row, 1 are in the printed order."


def test_quick_results_are_not_judged(mine, tmp_path):
    experiment, records = read_experiment(mine, quick=True), Records(tmp_path / "records.jsonl")
    records.add({"trial": experiment.cells[1].trials[0].spec, "seed": 0, "found": {"accuracy": [1.0, 2.0]}})
    result = compare(experiment, records)
    assert "verdict" not in result["cells"][1]
    assert "not comparable" in result["sentence"]
    assert np.isclose(result["cells"][1]["ours"], 1.5)
