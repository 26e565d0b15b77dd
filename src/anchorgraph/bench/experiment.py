"""A published table or figure, read from a file.

A file names its axes; every combination of their entries is a cell. The entries of a cell are merged over the settings
that all cells share, and define what it runs::

    paper = "fsc"
    number = "Table 2"
    title = "Accuracy of clusterings (%)"
    kind = "score"
    rows = ["data"]
    columns = ["method"]

    [cell]
    protocol = "clustering"
    show = "accuracy"
    runs = 10

    [data]
    USPS = { data = "USPS" }

    [method]
    FSC = { method = "FSC", params.n_anchors = 1024 }

    [printed]
    USPS = [61.1]
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anchorgraph.bench.claims import Claim, read_claims
from anchorgraph.bench.evidence import Evidence, read_evidence
from anchorgraph.bench.methods import METHODS
from anchorgraph.bench.printed import Printed, read_printed
from anchorgraph.bench.protocols import PROTOCOLS
from anchorgraph.bench.trial import Trial, canonical
from anchorgraph.urls import shown

FIELDS = {"data", "first", "classes", "protocol", "options", "method", "params", "grid", "runs", "show", "best"}
KINDS = ("score", "time", "curves", "picture")
BESTS = ("mean", "run")
QUICK_ROWS = 1_000
QUICK_CHOICES = 2


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its trials, of which the best is chosen, and the measures to show."""

    row: str
    column: str
    trials: tuple[Trial, ...]
    runs: int
    show: tuple[str, ...]
    printed: Printed
    form: str = ""
    mark: str = ""
    best: str = "mean"
    """Of a grid: whether the best mean of a choice counts, or the best first run, as some papers print."""
    judged_by: tuple[str, ...] = ("accuracy",)
    """Measures by which the best choice of a grid is found."""
    among: str = ""
    """Of several axes of columns or rows, those before the axis of methods."""

    @property
    def data(self) -> str | None:
        """Name of the data set, or None for generated data."""
        name: str | None = self.trials[0].spec["data"].get("load")
        return name

    @property
    def wanted(self) -> bool:
        """Whether the cell is to be run: the paper has a result for it."""
        return self.printed.wanted


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper."""

    key: str
    paper: str
    number: str
    title: str
    kind: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = field(default=())
    x: str = ""
    quick: bool = False
    repeats: int | None = None
    """Number of runs behind a printed number."""
    methods: str = "columns"
    """Whether the methods that the paper compares are the "columns", the "rows", or "none" of them."""
    average: str = ""
    """Name of the line of means that the paper prints; empty without one."""
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[Claim, ...] = ()

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)


def experiments_folder() -> Path:
    """The folder of the published tables: in the installed package, or next to its sources."""
    package = Path(__file__).parents[1]
    inside = package / "experiments"
    return inside if inside.is_dir() else package.parents[1] / "experiments"


def find_experiments(names: list[str] | None = None) -> list[Path]:
    """Files of experiments, given names such as ``fsc.2``, papers, figures or paths; by default all.

    Parameters
    ----------
    names : list of str, optional

    Returns
    -------
    list of Path
    """
    known = {path.stem: path for path in sorted(experiments_folder().glob("*.toml"), key=_sort_key)}
    found: dict[Path, None] = {}
    for name in names or list(known):
        if name in known:
            chosen = [known[name]]
        elif Path(name).suffix == ".toml" and Path(name).is_file():
            chosen = [Path(name)]
        else:  # a paper, or a figure whose panels are separate files
            chosen = [path for key, path in known.items() if name in (key.split(".")[0], key.rstrip("abcd"))]
        if not chosen:
            raise ValueError(f"{shown(name)!r} is not an experiment; pass a .toml file or some of {', '.join(known)}.")
        found |= dict.fromkeys(chosen)
    return list(found)


def _sort_key(path: Path) -> tuple[str, bool, int, str]:
    paper, _, number = path.stem.partition(".")
    return paper, number.startswith("fig"), int("".join(filter(str.isdigit, number)) or 0), number


def read_experiment(path: Path, *, quick: bool = False) -> Experiment:
    """Read an experiment from a file.

    Parameters
    ----------
    path : Path
    quick : bool
        Whether to reduce the experiment to the first, the middle and the last row of the table, one run, at most
        :data:`QUICK_ROWS` rows of data and :data:`QUICK_CHOICES` choices of a grid.

    Returns
    -------
    Experiment
    """
    content = read_toml(path)
    try:
        return _experiment(path, content, quick)
    except KeyError as error:
        raise ValueError(f"{path}: the entry {error} is missing.") from error


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a valid TOML file: {error}.") from error


def _experiment(path: Path, content: dict[str, Any], quick: bool) -> Experiment:
    if content["kind"] not in KINDS:
        raise ValueError(f"{path}: kind = {content['kind']!r} is not known; choose one of {', '.join(KINDS)}.")
    forms = _forms(path, content["paper"])
    if not isinstance(content["rows"], list) or not isinstance(content["columns"], list):
        raise ValueError(f"{path}: rows and columns must be lists of axes, such as rows = ['data'].")
    rows, columns = _axis(content, content["rows"]), _axis(content, content["columns"])
    printed = read_printed(content.get("printed", {}), list(rows), list(columns), path)
    chosen = {name: rows[name] for name in _first_middle_last(list(rows))} if quick else rows
    methods = content.get("methods", "columns")
    groups = _groups(content, content["rows" if methods == "rows" else "columns"])
    cells = []
    for (row, of_row), (column, of_column) in itertools.product(chosen.items(), columns.items()):
        spec = merge(content["cell"], of_row, of_column)
        _check_entries(path, f"{row}, {column}", spec, forms)
        cells.append(
            _read_cell(
                spec,
                forms[spec["data"]],
                row=row,
                column=column,
                kind=content["kind"],
                printed=printed[row, column],
                among=groups[row if methods == "rows" else column],
                quick=quick,
            )
        )
    return Experiment(
        key=path.stem,
        paper=content["paper"],
        number=content["number"],
        title=content["title"],
        kind=content["kind"],
        rows=tuple(chosen),
        columns=tuple(columns),
        cells=tuple(cells),
        notes=tuple(content.get("notes", ())),
        x=content.get("x", ""),
        quick=quick,
        repeats=content.get("repeats"),
        methods=methods,
        average=content.get("average", ""),
        evidence=read_evidence(content.get("evidence", ()), list(rows), list(columns), path),
        claims=read_claims(content.get("claims", ()), {*rows, *columns}, path),
    )


def _check_entries(path: Path, cell: str, spec: dict[str, Any], forms: dict[str, Any]) -> None:
    """Raise an error if an entry of a cell is not known, or names an unknown protocol, method or data set."""
    if unknown := set(spec) - FIELDS:
        raise ValueError(
            f"{path}: the entry {min(unknown)!r} of the cell {cell} is not known; choose from "
            f"{', '.join(sorted(FIELDS))}."
        )
    choices = {"protocol": PROTOCOLS, "method": METHODS, "data": forms, "best": BESTS}
    for name, known in choices.items():
        if name in spec and spec[name] not in known:
            raise ValueError(f"{path}: {name} = {spec[name]!r} is not known; choose one of {', '.join(known)}.")


def _read_cell(
    spec: dict[str, Any],
    form: dict[str, Any],
    *,
    row: str,
    column: str,
    kind: str,
    printed: Printed,
    among: str,
    quick: bool,
) -> Cell:
    """A cell from its merged entries and the form of its data."""
    show = tuple(spec["show"]) if isinstance(spec["show"], list) else (spec["show"],)
    return Cell(
        row=row,
        column=column,
        trials=tuple(_trials(spec, form, quick)),
        runs=1 if quick else spec.get("runs", 1),
        show=show,
        printed=printed,
        form=spec["data"],
        mark=form.get("mark", ""),
        best=spec.get("best", "mean"),
        judged_by=("accuracy",) if kind == "time" else show,
        among=among,
    )


def _forms(path: Path, paper: str) -> dict[str, Any]:
    """How a paper prepares its data: from the folder ``forms`` next to the experiment or the published ones."""
    candidates = [folder / "forms" / f"{paper}.toml" for folder in (path.parent, experiments_folder())]
    for candidate in candidates:
        if candidate.is_file():
            return read_toml(candidate)
    raise ValueError(f"{path}: the file {candidates[0]} is missing, which describes how the data are prepared.")


def _axis(content: dict[str, Any], names: list[str]) -> dict[str, dict[str, Any]]:
    """The entries of an axis, or all combinations of the entries of several axes."""
    for name in names:
        if not isinstance(content[name], dict) or not all(isinstance(entry, dict) for entry in content[name].values()):
            raise ValueError(
                f"The axis {name!r} must be a table of tables, such as [{name}] with USPS = {{ data = 'USPS' }}."
            )
    combined: dict[str, dict[str, Any]] = {}
    for entries in itertools.product(*(content[name].items() for name in names)):
        label = " ".join(name for name, _ in entries)
        combined[label] = merge(*(entry for _, entry in entries))
    return combined


def _groups(content: dict[str, Any], names: list[str]) -> dict[str, str]:
    """Of each combined label of some axes, the part before the last axis."""
    combinations = itertools.product(*(content[name] for name in names))
    return {" ".join(labels): " ".join(labels[:-1]) for labels in combinations}


def merge(*parts: dict[str, Any]) -> dict[str, Any]:
    """Merge dictionaries recursively; later values replace earlier ones."""
    result: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            both = isinstance(value, dict) and isinstance(result.get(name), dict)
            result[name] = merge(result[name], value) if both else value
    return result


def _first_middle_last(names: list[str]) -> list[str]:
    return list(dict.fromkeys([names[0], names[len(names) // 2], names[-1]]))


def _alternatives(entry: tuple[str, list[Any]]) -> list[dict[str, Any]]:
    """The values of one parameter, or of several parameters together if the name contains commas."""
    names, values = entry[0].split(", "), entry[1]
    return [dict(zip(names, value if len(names) > 1 else [value], strict=True)) for value in values]


def _trials(spec: dict[str, Any], form: dict[str, Any], quick: bool) -> Iterator[Trial]:
    """One trial for each choice of the grid."""
    choices = [merge(*parts) for parts in itertools.product(*map(_alternatives, spec.get("grid", {}).items()))]
    if quick:
        choices = choices[:: max(1, len(choices) - 1)][:QUICK_CHOICES]
    data: dict[str, Any] = {name: form[name] for name in ("load", "make", "prepare") if name in form}
    data |= {name: spec[name] for name in ("first", "classes") if name in spec}
    if quick:
        data["sample"] = QUICK_ROWS
    fixed = {"data": data, "protocol": spec["protocol"], "options": spec.get("options", {}), "method": spec["method"]}
    for choice in choices:
        yield Trial(canonical(fixed | {"params": spec.get("params", {}) | choice}), choice)
