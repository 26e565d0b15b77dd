"""Claims of papers, checked on made tables."""

from types import SimpleNamespace

import pytest

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
    (claim,) = read_claims([{"sentence": "so"} | entry], "a.toml")
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
    assert checked == {"printed": "best on 3 of 3", "ours": f"best on {n_best} of 3", "verdict": verdict}


def test_the_best_time_is_the_least():
    assert claimed({"best": "B"}, {"x": [9, 8]}, {"x": [9, 8]}, kind="time")["verdict"] == "holds"
    assert claimed({"best": "A"}, {"x": [9, 8]}, {"x": [8, 9]}, kind="time")["verdict"] == "does not hold"


def test_one_method_is_above_another():
    checked = claimed({"above": ["A", "B"]}, {"x": [9, 8], "y": [5, 7], "z": [6, 5]}, PRINTED)
    assert checked == {
        "printed": "above on 3 of 3, by +1.3 on average",
        "ours": "above on 2 of 3, by +0.0 on average",
        "verdict": "holds in part",
    }


def test_one_method_is_not_much_below_another():
    assert claimed({"within": ["B", "A", 2.0]}, {"x": [9, 7]}, {"x": [9, 8]})["verdict"] == "holds"
    assert claimed({"within": ["B", "A", 2.0]}, {"x": [9, 6.9]}, {"x": [9, 8]})["verdict"] == "does not hold"


def test_times_are_compared_as_ratios():
    checked = claimed({"faster": ["A", "B", 3.0]}, {"x": [1, 4], "y": [1, 2]}, {"x": [1, 5], "y": [1, 3]}, "time")
    assert checked["ours"] == "true on 1 of 2 (2 to 4 times)"
    assert checked["printed"] == "true on 2 of 2 (3 to 5 times)"


def test_curves_rise_fall_and_stay():
    curve, drawn = {"1": [5.0], "2": [6.0], "3": [8.0]}, {key: [None] for key in "123"}
    assert claimed({"rising": "A"}, curve, drawn) == {"printed": "drawn", "ours": "5 to 8", "verdict": "holds"}
    assert claimed({"falling": "A"}, curve, drawn)["verdict"] == "does not hold"
    assert claimed({"steady": ["A", 3.0]}, curve, drawn)["verdict"] == "holds"
    assert claimed({"steady": ["A", 2.0]}, curve, drawn)["verdict"] == "does not hold"
    assert claimed({"steady": ["A", 2.0, "1", "2"]}, curve, drawn)["ours"] == "varies by 1.0"
    assert claimed({"steady": ["A", 9.0]}, curve, curve)["printed"] == "varies by 3.0"


def test_what_was_not_run_is_not_tested():
    for entry in ({"best": "D"}, {"above": ["A", "D"]}, {"rising": "D"}, {"steady": ["D", 1.0]}, {"untested": "no"}):
        assert claimed(entry, PRINTED, PRINTED)["verdict"] == "cannot be tested here"


def test_a_claim_without_a_check_is_refused():
    with pytest.raises(ValueError, match="a claim needs a sentence and one of best, above"):
        read_claims([{"sentence": "so", "worst": "A"}], "a.toml")
