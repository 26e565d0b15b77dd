"""Experiment files: how axes become cells, and that every published table and figure is there."""

import re

import numpy as np
import pytest

from anchorgraph.bench import find_experiments, read_experiment
from anchorgraph.bench.experiment import experiments_folder, merge
from anchorgraph.bench.forms import STEPS, Rows
from anchorgraph.bench.methods import make_method
from anchorgraph.bench.protocols import PROTOCOLS

PUBLISHED = {
    "ulge": ([4, 5, 6, 7, 8, 9, 10, 11, 12], [3, 4, 5, 6, 7]),
    "fsc": ([2, 3], [2]),
    "ongr": ([3, 4], [2, 3]),
    "flrl": ([2], [1, 2]),
    "csr": ([1, 2, 3, 4], [1, 2, 3, 4]),
}
ALL = find_experiments()
CHOICES = sorted((experiments_folder() / "choices").glob("*.toml"))


def test_every_table_and_figure_has_its_file():
    keys = {path.stem for path in ALL}
    for paper, (tables, figures) in PUBLISHED.items():
        assert {f"{paper}.{number}" for number in tables} <= keys
        for number in figures:
            assert any(re.fullmatch(rf"{paper}\.fig{number}[a-d]?", key) for key in keys)


@pytest.mark.parametrize("path", [*ALL, *CHOICES], ids=lambda path: path.stem)
def test_a_published_experiment_can_be_run(path):
    """Methods take the parameters of every choice, protocols their options, and steps of preparation exist."""
    experiment, rows = read_experiment(path), Rows(np.eye(20), np.arange(20) % 4)
    assert experiment.paper in PUBLISHED
    assert experiment.cells
    for cell in experiment:
        assert cell.runs >= 1
        for trial in cell.trials[:: 1 + len(cell.trials) // 4]:
            spec = trial.spec
            make_method(spec["method"], spec["params"], rows, 0)
            assert set(spec["options"]) <= set(PROTOCOLS[spec["protocol"]].__kwdefaults__ or {})
            assert {
                name for step in spec["data"].get("prepare", []) for name in ([step] if isinstance(step, str) else step)
            } <= set(STEPS)


@pytest.mark.parametrize("path", [path for path in ALL if "fig" not in path.stem], ids=lambda path: path.stem)
def test_a_published_table_has_its_numbers(path):
    cells = list(read_experiment(path))
    assert all(cell.printed.text for cell in cells)


def test_some_printed_numbers():
    """One of each table, read in the papers by eye."""
    expected = {
        ("ulge.4", "Covtype", "ULGE"): (126.4, None),
        ("ulge.5", "MNIST", "LE"): (68.4, 6.2),
        ("ulge.6", "SensIT", "BKHK"): (6.8, None),
        ("ulge.7", "MNIST 16384", "CSR"): (23.8, None),
        ("ulge.8", "2048", "50000 HK"): (16.5, None),
        ("ulge.9", "40000", "CSR"): (260.3, None),
        ("ulge.10", "49000", "HKULGE"): (22.7, None),
        ("ulge.11", "98528", "LPP"): (1399.5, None),
        ("ulge.12", "350000", "SR"): (6614.3, None),
        ("fsc.2", "MNIST", "FSC"): (67.1, None),
        ("fsc.3", "Protein", "LSC-K"): (267.4, None),
        ("ongr.3", "MINIST-extend", "ONGR-R"): (147.41, None),
        ("ongr.4", "Acc USPS", "ONGR-K"): (80.59, None),
        ("ongr.4", "NMI COIL-100", "LSC-K"): (82.96, 0.67),
        ("flrl.2", "FLRL", "German"): (69.23, 1.33),
        ("flrl.2", "ADA", "ProstateMS"): (85.65, 1.83),
        ("csr.1", "5", "Eigenmap"): (86.8, 9.5),
        ("csr.2", "10", "LPP"): (1054.8, None),
        ("csr.3", "3", "KSR"): (82.6, 17.1),
        ("csr.4", "Test Set", "10"): (74.8, None),
    }
    for (key, row, column), numbers in expected.items():
        (path,) = find_experiments([key])
        (cell,) = (cell for cell in read_experiment(path) if (cell.row, cell.column) == (row, column))
        assert (cell.printed.value, cell.printed.spread) == numbers, (key, row, column)


def test_names_are_files_papers_and_figures(tmp_path):
    assert [path.stem for path in find_experiments(["fsc.2", "fsc"])] == [
        "fsc.2",
        "fsc.2b",
        "fsc.3",
        "fsc.fig2a",
        "fsc.fig2b",
    ]
    assert [path.stem for path in find_experiments(["ongr.fig2"])] == ["ongr.fig2a", "ongr.fig2b", "ongr.fig2c"]
    assert [path.stem for path in ALL if path.stem.startswith("ulge")][:3] == ["ulge.4", "ulge.5", "ulge.6"]
    mine = tmp_path / "mine.toml"
    mine.touch()
    assert find_experiments([str(mine)]) == [mine]
    with pytest.raises(ValueError, match=r"'fsc\.9' is not an experiment; pass a .toml file or some of"):
        find_experiments(["fsc.9"])


def test_entries_of_axes_are_laid_over_what_all_cells_share(mine):
    experiment = read_experiment(mine)
    assert [(cell.row, cell.column) for cell in experiment] == [
        ("ten", "FSC"),
        ("ten", "ULGE"),
        ("three", "FSC"),
        ("three", "ULGE"),
    ]
    first = experiment.cells[0]
    assert first.trials[0].spec == {
        "data": {"load": "digits", "prepare": [{"divide": 16}]},
        "protocol": "clustering",
        "options": {},
        "method": "FSC",
        "params": {"n_anchors": 50, "n_neighbors": 3},
    }
    assert [trial.choice for trial in first.trials] == [{"n_neighbors": 3}, {"n_neighbors": 5}]
    assert (first.runs, first.show, first.printed.value, first.printed.spread) == (2, ("accuracy",), 80.0, 1.5)
    last = experiment.cells[-1]
    assert (last.wanted, last.printed.text) == (False, "—")
    assert last.trials[0].spec["data"]["classes"] == 3
    assert merge({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}) == {"a": {"b": 1, "c": 3}}


def test_quick_takes_one_run_of_a_sample_and_the_ends_of_a_grid(mine):
    experiment = read_experiment(mine, quick=True)
    assert {cell.runs for cell in experiment} == {1}
    assert all(trial.spec["data"]["sample"] == 1000 for cell in experiment for trial in cell.trials)
    (path,) = find_experiments(["flrl.2"])
    quick = read_experiment(path, quick=True)
    assert quick.rows == ("LDA", "SSDA", "FLRL")
    choices = [trial.choice for trial in quick.cells[-2].trials]
    assert choices == [
        {"n_components": 2, "anchors_per_class": 2, "n_neighbors": 1},
        {"n_components": 43, "anchors_per_class": 10, "n_neighbors": 9},
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "score"', 'kind = "scores"', "kind = 'scores' is not known; choose one of score"),
        (
            "runs = 2",
            "runs = 2\nrun = 3",
            "the entry 'run' of the cell ten, FSC is not known; choose from best, classes, data",
        ),
        ('show = "accuracy"', "", "the entry 'show' is missing"),
        ('three = [70, "—"]', "three = [70]", r"\[printed\] has 1 values in row 'three', but 2 columns"),
        ('three = [70, "—"]', "", r"the rows of the table and of \[printed\] differ \(three\)"),
        ('paper = "mine"', 'paper = "yours"', r"the file .*yours.toml is missing"),
        (
            'protocol = "clustering"',
            'protocol = "clusterin"',
            "protocol = 'clusterin' is not known; choose one of",
        ),
        ('method = "FSC"', 'method = "FC"', "method = 'FC' is not known; choose one of BKHK"),
        ('data = "digits"', 'data = "digit"', "data = 'digit' is not known; choose one of digits"),
        ('rows = ["classes"]', 'rows = "classes"', r"rows and columns must be lists of axes"),
        ("three = { classes = 3 }", "three = 3", "The axis 'classes' must be a table of tables"),
        ('paper = "mine"', "paper = ", r"mine\.1\.toml is not a valid TOML file: Invalid value"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(mine, old, new, message):
    text = mine.read_text()
    assert old in text
    mine.write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=message):
        read_experiment(mine)


def test_experiments_are_found_beside_the_sources():
    assert (experiments_folder() / "forms" / "ulge.toml").is_file()
