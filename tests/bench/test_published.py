"""Every published table and figure, quickly; and where the data are, the numbers that were reproduced once."""

import json
import os

import pytest

from anchorgraph.bench import Limits, Records, compare, find_experiments, read_experiment, run_cell
from anchorgraph.cli.app import run
from anchorgraph.datasets.load import FOLDER_VARIABLE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FOLDER_VARIABLE not in os.environ, reason=f"{FOLDER_VARIABLE} names no folder with the data"),
]
NOWHERE = {"cmu_pie", "covtype", "emnist_digits", "prostate_ms", "rcv1", "sensit"}


@pytest.mark.parametrize("key", [path.stem for path in find_experiments()])
def test_every_cell_whose_data_are_here_runs_quickly(key, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["reproduce", key, "--quick", "--limit", "300", "--json", "--report", "page.html"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    for cell in result["cells"]:
        why = cell.get("why", "")
        assert (
            "ours" in cell
            or "picture" in cell
            or why.startswith("the paper")
            or why.removeprefix("no data: ") in NOWHERE
        )
    assert result["title"] in (tmp_path / "page.html").read_text()


def test_fsc_is_as_accurate_as_printed(tmp_path):
    (path,) = find_experiments(["fsc.2b"])
    experiment, records = read_experiment(path), Records(tmp_path / "records.jsonl")
    chosen = [
        number for number, cell in enumerate(experiment) if cell.column == "FSC" and cell.row in ("USPS", "MNIST")
    ]
    for number in chosen:
        assert run_cell(experiment.cells[number], records, Limits(runs=5)) == 5
    cells = compare(experiment, records)["cells"]
    assert [cells[number]["verdict"] for number in chosen] == ["differs (higher)", "differs (higher)"]
