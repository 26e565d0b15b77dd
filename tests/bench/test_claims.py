"""Claims of papers, checked on made tables."""

from types import SimpleNamespace

import pytest

from anchorgraph.bench import find_experiments, read_experiment
from anchorgraph.bench.claims import check_claims, read_claims


def claimed(entry, ours, printed, kind="score", methods="columns"):
    """One claim on a table: ours and the printed numbers by line, in the order of the columns A, B, C."""
    cells = [
        {"row": line, "column": column, "ours": value, "printed": also}
        for line in ours
        for column, value, also in zip("ABC", ours[line], printed[line], strict=False)
    ]
    if methods == "rows":
        cells = [cell | {"row": cell["column"], "column": cell["row"]} for cell in cells]
    (claim,) = read_claims([{"sentence": "so"} | entry], "ABC", "a.toml")
    (checked,) = check_claims(cells, SimpleNamespace(kind=kind, methods=methods, claims=(claim,)))
    assert checked.pop("sentence") == "so"
    return checked


PRINTED = {"x": [9.0, 8.0], "y": [7.0, 5.0], "z": [6.0, 5.0]}


@pytest.mark.parametrize("methods", ["columns", "rows"])
@pytest.mark.parametrize(
    ("ours", "n_best", "verdict"),
    [
        ({"x": [9, 8], "y": [7, 5], "z": [5, 5]}, 3, "holds"),
        ({"x": [9, 8], "y": [7, 5], "z": [4, 5]}, 2, "holds in part"),
        ({"x": [9, 8], "y": [4, 5], "z": [4, 5]}, 1, "does not hold"),
    ],
)
def test_the_best_is_counted_beside_the_printed(methods, ours, n_best, verdict):
    checked = claimed({"best": "A"}, ours, PRINTED, methods=methods)
    assert checked == {"printed": "true on 3 of 3", "ours": f"true on {n_best} of these 3", "verdict": verdict}


def test_a_claim_is_checked_where_it_is_printed():
    printed = {"x": [9.0, 8.0], "y": [4.0, 5.0]}
    assert claimed({"above": ["A", "B"]}, {"x": [7, 8], "y": [6, 5]}, printed)["verdict"] == "does not hold"
    assert claimed({"best": "A"}, {"x": [9, 8], "y": [4, 5]}, printed)["verdict"] == "holds"
    never = claimed({"best": "A"}, {"x": [9, 8]}, {"x": [7.0, 8.0]})
    assert never["verdict"] == "cannot be tested here"


def test_the_second_best_is_among_the_best_two():
    ours, printed = {"x": [8, 9, 7]}, {"x": [9.0, 8.0, 7.0]}
    assert claimed({"best": "A"}, ours, printed)["verdict"] == "does not hold"
    assert claimed({"best": ["A", 2]}, ours, printed)["verdict"] == "holds"


def test_the_best_time_is_the_least():
    assert claimed({"best": "B"}, {"x": [9, 8]}, {"x": [9, 8]}, kind="time")["verdict"] == "holds"
    assert claimed({"best": "A"}, {"x": [9, 8]}, {"x": [8, 9]}, kind="time")["verdict"] == "does not hold"


def test_one_method_is_above_another():
    ours = {"x": [9, 8], "y": [5, 7], "z": [6, 5]}
    checked = claimed({"above": ["A", "B"]}, ours, PRINTED)
    assert checked == {
        "printed": "true on 3 of 3, by +1.3 on average",
        "ours": "true on 2 of these 3, by +0.0 on average",
        "verdict": "holds in part",
    }
    assert claimed({"above": ["A", "B", "y"]}, ours, PRINTED)["verdict"] == "does not hold"
    assert claimed({"mean_above": ["A", "B"]}, ours, PRINTED)["verdict"] == "does not hold"
    assert claimed({"mean_above": ["A", "B"]}, PRINTED, PRINTED)["verdict"] == "holds"


def test_one_method_is_not_much_below_another():
    assert claimed({"within": ["B", "A", 2.0]}, {"x": [9, 7]}, {"x": [9, 8]})["verdict"] == "holds"
    assert claimed({"within": ["B", "A", 2.0]}, {"x": [9, 6.9]}, {"x": [9, 8]})["verdict"] == "does not hold"


def test_times_are_compared_as_ratios():
    checked = claimed({"faster": ["A", "B"]}, {"x": [1, 4], "y": [2, 1]}, {"x": [1, 5], "y": [1, 3]}, "time")
    assert checked["ours"] == "true on 1 of these 2 (0.5 to 4 times as fast)"
    assert checked["printed"] == "true on 2 of 2 (3 to 5 times as fast)"
    assert claimed({"faster": ["A", "B"]}, {"x": [0.0, 4]}, {"x": [1, 5]}, "time")["verdict"] == "holds"


def test_curves_rise_fall_and_stay():
    curve, drawn = {"1": [5.0], "2": [9.0], "3": [8.0]}, {key: [None] for key in "123"}
    assert claimed({"rising": "A"}, curve, drawn) == {"printed": "drawn", "ours": "5 to 8", "verdict": "holds"}
    assert claimed({"falling": "A"}, curve, drawn)["verdict"] == "does not hold"
    assert claimed({"steady": ["A", 4.0]}, curve, drawn)["verdict"] == "holds"
    assert claimed({"steady": ["A", 2.0]}, curve, drawn)["verdict"] == "does not hold"
    assert claimed({"steady": ["A", 2.0, "2", "3"]}, curve, drawn)["ours"] == "varies by 1.0"
    assert claimed({"steady": ["A", 9.0]}, curve, curve)["printed"] == "varies by 4.0"
    assert claimed({"highest": ["A", "2"]}, curve, drawn)["verdict"] == "holds"
    assert claimed({"highest": ["A", "1"]}, curve, drawn)["ours"] == "highest at 2"


def test_what_has_too_few_runs_does_not_count():
    few = {"row": "x", "column": "A", "ours": 9.0, "printed": 9.0, "verdict": "too few runs"}
    other = {"row": "x", "column": "B", "ours": 8.0, "printed": 8.0, "verdict": "reproduced"}
    claims = read_claims([{"sentence": "so", "above": ["A", "B"]}, {"sentence": "so", "rising": "A"}], "AB", "a.toml")
    for checked in check_claims([few, other], SimpleNamespace(kind="score", methods="columns", claims=claims)):
        assert checked["verdict"] == "cannot be tested here"


def test_a_claim_without_a_check_is_refused():
    with pytest.raises(ValueError, match="a claim needs a sentence and one of best, above"):
        read_claims([{"sentence": "so", "worst": "A"}], "A", "a.toml")
    with pytest.raises(ValueError, match=r"\[\[claims\]\] names 'B', which is no row or column"):
        read_claims([{"sentence": "so", "above": ["A", "B"]}], "A", "a.toml")


@pytest.mark.parametrize("path", find_experiments(), ids=lambda path: path.stem)
def test_every_claim_is_true_of_the_printed_numbers(path):
    """If ours were the printed ones, every claim of a table would hold."""
    experiment = read_experiment(path)
    cells = [
        {"row": cell.row, "column": cell.column, "ours": cell.printed.value, "printed": cell.printed.value}
        for cell in experiment
        if cell.printed.value is not None
    ]
    for claim in check_claims(cells, experiment) if cells else ():
        assert claim["verdict"] == "holds", claim["sentence"]
