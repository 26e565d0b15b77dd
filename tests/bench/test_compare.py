"""What is said of results beside printed numbers."""

import numpy as np
import pytest

from anchorgraph.bench import Records, compare, read_experiment
from anchorgraph.bench.verdict import TIME_LIMIT


@pytest.fixture
def found(mine, tmp_path):
    """An experiment and a function that fills its cells."""
    mine.write_text(mine.read_text().replace("runs = 2", "runs = 5"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")

    def add(number, choice, seed, **measures):
        trial = experiment.cells[number].trials[choice]
        records.add({"trial": trial.spec, "seed": seed, "found": {"seconds": 1.0} | measures})

    return experiment, records, add


def test_the_best_choice_is_shown_with_its_spread(found):
    experiment, records, add = found
    for seed, (low, high) in enumerate([(70, 80), (72, 84), (70, 82), (71, 81), (71, 83)]):
        add(0, 0, seed, accuracy=low)
        add(0, 1, seed, accuracy=high)
    cell = compare(experiment, records)["cells"][0]
    assert (cell["ours"], cell["runs"]) == (82.0, 5)
    assert cell["spread"] == pytest.approx(np.std([80, 84, 82, 81, 83], ddof=1))
    assert cell["error"] == pytest.approx(cell["spread"] / np.sqrt(5))
    assert (cell["choice"], cell["choices"], cell["all choices"]) == ({"n_neighbors": 5}, 2, 2)
    assert (cell["difference"], cell["verdict"], cell["mark"]) == (
        2.0,
        "differs (higher)",
        "digits: scikit-learn's",
    )


def test_a_lucky_choice_with_few_runs_does_not_count(mine, tmp_path):
    mine.write_text(mine.read_text().replace("runs = 2", "runs = 3"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    lucky, tried = experiment.cells[0].trials
    records.add({"trial": lucky.spec, "seed": 0, "found": {"accuracy": 99, "seconds": 1}})
    for seed, accuracy in enumerate((70, 80, 75)):
        records.add({"trial": tried.spec, "seed": seed, "found": {"accuracy": accuracy, "seconds": 1}})
    cell = compare(experiment, records)["cells"][0]
    assert (cell["ours"], cell["runs"], cell["choices"], cell["all choices"]) == (75, 3, 2, 2)
    for seed, ours in ((1, 75), (2, 99)):
        records.add({"trial": lucky.spec, "seed": seed, "found": {"accuracy": 99, "seconds": 1}})
        assert compare(experiment, records)["cells"][0]["ours"] == ours


def test_the_best_single_run_counts_where_a_paper_prints_it(mine, tmp_path):
    mine.write_text(mine.read_text().replace('method = "FSC", ', 'method = "FSC", best = "run", '))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    lucky, other = experiment.cells[0].trials
    for trial, seed, accuracy in ((lucky, 0, 81), (lucky, 1, 71), (other, 0, 79)):
        records.add({"trial": trial.spec, "seed": seed, "found": {"accuracy": accuracy, "seconds": 1}})
    cell = compare(experiment, records)["cells"][0]
    assert (cell["ours"], cell["mean"], cell["runs"], cell["verdict"]) == (81, 76, 2, "reproduced")


@pytest.mark.parametrize(
    ("accuracies", "verdict"),
    [
        ([76.1] * 5, "differs (higher)"),
        ([75.9] * 5, "reproduced"),
        ([74.1] * 5, "reproduced"),
        ([73.9] * 5, "not reproduced"),
        ([70, 78, 70, 78, 70], "reproduced"),  # two standard errors are four points
        ([70, 78] * 20, "reproduced"),
        ([71, 75] * 50, "not reproduced"),  # however wide they spread, their mean is known
        ([75, 75, 75, 75], "too few runs"),
    ],
)
def test_a_score_is_judged_by_standard_errors_and_a_point(found, accuracies, verdict):
    experiment, records, add = found
    for seed in range(min(5, len(accuracies))):
        add(1, 0, seed, accuracy=accuracies[seed::5])
    result = compare(experiment, records)
    assert result["cells"][1]["verdict"] == verdict
    assert result["sentence"] == f"1 of 4 cells were run; {verdict}: 1."


@pytest.mark.parametrize(("repeats", "verdict"), [(5, "reproduced"), (10, "differs (higher)")])
def test_the_printed_spread_counts_by_the_papers_runs(mine, tmp_path, repeats, verdict):
    """80.0 ± 1.5: two standard errors are 1.3 with five runs behind it, and less than a point with ten."""
    mine.write_text(f"repeats = {repeats}\n" + mine.read_text().replace("runs = 2", "runs = 5"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    for trial in experiment.cells[0].trials:
        for seed in range(5):
            records.add({"trial": trial.spec, "seed": seed, "found": {"accuracy": 81.2, "seconds": 1}})
    assert compare(experiment, records)["cells"][0]["verdict"] == verdict


def test_results_of_one_fit_are_no_independent_evidence(found):
    experiment, records, add = found
    for seed, accuracy in enumerate((70, 80, 70, 80, 72)):
        add(1, 0, seed, accuracy=[accuracy] * 100)
    cell = compare(experiment, records)["cells"][1]
    assert cell["error"] == pytest.approx(np.std([70, 80, 70, 80, 72], ddof=1) / np.sqrt(5))
    assert cell["runs"] == 500


def test_half_of_a_grid_is_enough_and_less_is_not(mine, tmp_path):
    text = mine.read_text().replace("runs = 2", "runs = 5")
    mine.write_text(text.replace("grid.n_neighbors = [3, 5]", "grid.n_neighbors = [3, 4, 5]"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    for number, verdict in enumerate(("too few runs", "reproduced")):
        for seed in range(5):
            spec = experiment.cells[0].trials[number].spec
            records.add({"trial": spec, "seed": seed, "found": {"accuracy": 80.0, "seconds": 1.0}})
        assert compare(experiment, records)["cells"][0]["verdict"] == verdict


def test_choices_that_fail_are_not_part_of_a_grid(mine, tmp_path):
    text = mine.read_text().replace("runs = 2", "runs = 5")
    mine.write_text(text.replace("grid.n_neighbors = [3, 5]", "grid.n_neighbors = [3, 4, 5]"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    works, *fail = experiment.cells[0].trials
    for trial in fail:
        stopped = {"why": "error", "sentence": "ValueError: no", "version": "0"}
        records.add({"trial": trial.spec, "seed": 0, "stopped": stopped})
    for seed in range(5):
        records.add({"trial": works.spec, "seed": seed, "found": {"accuracy": 80.0, "seconds": 1.0}})
    cell = compare(experiment, records)["cells"][0]
    assert (cell["choices"], cell["all choices"], cell["verdict"]) == (1, 1, "reproduced")


def test_what_would_take_too_long_says_so_instead(found):
    experiment, records, add = found
    add(1, 0, 0, accuracy=75.0, seconds=TIME_LIMIT / 4)
    cell = compare(experiment, records)["cells"][1]
    assert (cell["verdict"], cell["ours"]) == ("over the time limit", 75.0)


def test_a_point_is_not_close_to_a_small_number(mine, tmp_path):
    mine.write_text(mine.read_text().replace("75]", "0.58]").replace("runs = 2", "runs = 5"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    for seed in range(5):
        spec = experiment.cells[1].trials[0].spec
        records.add({"trial": spec, "seed": seed, "found": {"accuracy": 0.3, "seconds": 1}})
    assert compare(experiment, records)["cells"][1]["verdict"] == "not reproduced"


def test_cells_without_a_result_say_why(found):
    experiment, records, _ = found
    trial = experiment.cells[1].trials[0].spec
    records.add({"trial": trial, "seed": 0, "stopped": {"why": "time", "limit": 60}})
    assert compare(experiment, records)["cells"][1]["verdict"] == "over the time limit"
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
    assert result["sentence"] == "2 of 4 cells were run; of 1 pairs of methods in a row, 1 are in the printed order."


def test_scores_have_an_order_and_means_too(mine, tmp_path):
    text = (
        mine.read_text().replace("runs = 2", "runs = 5").replace('kind = "score"', 'kind = "score"\naverage = "Avg."')
    )
    mine.write_text(text.replace('"—"', "60"))
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    for cell, accuracy in zip(experiment, (80, 70, 60, 65), strict=True):
        for trial in cell.trials:
            for seed in range(5):
                records.add({"trial": trial.spec, "seed": seed, "found": {"accuracy": accuracy, "seconds": 1}})
    result = compare(experiment, records)
    assert "of 2 pairs of methods in a row, 1 are in the printed order" in result["sentence"]
    assert result["averages"] == [
        {"line": "Avg.", "method": "FSC", "ours": 70.0, "printed": 75.0, "n_lines": 2},
        {"line": "Avg.", "method": "ULGE", "ours": 67.5, "printed": 67.5, "n_lines": 2},
    ]


def test_a_difference_has_its_reason(mine, tmp_path):
    evidence = '\n[[evidence]]\ncolumns = ["ULGE"]\nsentence = "Tried twice."\n'
    mine.write_text(mine.read_text().replace("runs = 2", "runs = 5") + evidence)
    experiment, records = read_experiment(mine), Records(tmp_path / "records.jsonl")
    for cell in experiment.cells[:2]:
        for seed in range(5):
            records.add({"trial": cell.trials[0].spec, "seed": seed, "found": {"accuracy": 9.0, "seconds": 1}})
    assert [cell.get("evidence") for cell in compare(experiment, records)["cells"][:2]] == ["", "Tried twice."]
    mine.write_text(mine.read_text().replace('["ULGE"]', '["UGLE"]'))
    with pytest.raises(ValueError, match=r"\[\[evidence\]\] names 'UGLE', which is no row or column"):
        read_experiment(mine)


def test_quick_results_are_not_judged(mine, tmp_path):
    experiment, records = read_experiment(mine, quick=True), Records(tmp_path / "records.jsonl")
    records.add({"trial": experiment.cells[1].trials[0].spec, "seed": 0, "found": {"accuracy": [1.0, 2.0]}})
    result = compare(experiment, records)
    assert "verdict" not in result["cells"][1]
    assert "not comparable" in result["sentence"]
    assert np.isclose(result["cells"][1]["ours"], 1.5)
