"""The published results: every verdict has its evidence, and the pages are what the records say."""

import gzip
from pathlib import Path

import pytest

from anchorgraph.bench import Records, compare, find_experiments, read_experiment
from anchorgraph.bench.verdict import HIGHER, NOT_REPRODUCED, TOO_FEW
from anchorgraph.report import write_results

RESULTS = Path(__file__).parents[2] / "docs" / "results"
ABSENT = {"cmu_pie", "covtype", "emnist_digits", "prostate_ms", "rcv1", "sensit"}
"""Data sets that are not at hand."""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "records.jsonl"
    path.write_bytes(gzip.decompress((RESULTS / "records.jsonl.gz").read_bytes()))
    records, missing = Records(path), dict.fromkeys(ABSENT, "not at hand")
    return [compare(read_experiment(file), records, missing) for file in find_experiments()]


def told(results, *verdicts):
    return [
        (result["key"], cell)
        for result in results
        for cell in result["cells"]
        if cell.get("verdict", cell.get("why")) in verdicts
    ]


def test_no_cell_with_data_at_hand_is_left_open(results):
    assert [(key, cell["row"], cell["column"]) for key, cell in told(results, TOO_FEW, "not run yet")] == []


def test_every_difference_has_its_evidence(results):
    bare = [
        (key, cell["row"], cell["column"])
        for key, cell in told(results, NOT_REPRODUCED, HIGHER)
        if not cell["evidence"]
    ]
    assert bare == []


@pytest.mark.parametrize("page", ["tables.md", "claims.md"])
def test_the_pages_are_made_from_the_records(results, page, tmp_path):
    command = "anchorgraph reproduce --show --records build/reproduced.jsonl --report docs/results/tables.md --quiet"
    write_results(results, tmp_path / "tables.md", title="Published tables and figures beside ours", command=command)
    made, published = ((folder / page).read_text().splitlines() for folder in (tmp_path, RESULTS))
    assert made == published
