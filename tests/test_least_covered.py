import json

import pytest

from least_covered import main, summary


def report(**percentages):
    """Of files that have a hundred lines and no more branches than those that run."""
    files = {name: {"summary": {"percent_covered": own}} for name, own in percentages.items()}
    covered = sum(percentages.values())
    total = {"num_statements": 100 * len(files), "covered_lines": covered, "num_branches": 4, "covered_branches": 3}
    return {"files": files, "totals": total | {"percent_covered": covered / len(files)}}


def test_files_below_the_limit_are_listed_the_least_first():
    assert list(summary(report(a=94.9, b=100.0, c=20.0, d=95.0))) == [
        " 20.0 %  c",
        " 94.9 %  a",
        "2 of 4 files are below 95 %.",
        "Coverage: 77.5 % of lines, 75.0 % of branches, 77.5 % of both.",
    ]


@pytest.mark.parametrize(("percentage", "code"), [(95.0, 0), (94.9, 1)])
def test_less_is_an_error(percentage, code, tmp_path):
    (tmp_path / "report.json").write_text(json.dumps(report(a=percentage)))
    assert main(tmp_path / "report.json") == code
