"""Every snippet of the documentation runs, Python and the program's commands in the order of a page."""

import gzip
import re
import shlex
import tomllib
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer
from sklearn.datasets import load_digits

from anchorgraph.cli.app import app, run

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@dataclass(frozen=True)
class Snippet:
    """A fenced block."""

    page: Path
    line: int
    language: str
    text: str


def snippets(*languages):
    """Those in one of these languages, or all."""
    fenced = re.compile(r"^```(.*)\n((?s:.*?))^```$", flags=re.MULTILINE)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in fenced.finditer(text):
            if not languages or found[1] in languages:
                yield Snippet(page, text[: found.start(2)].count("\n"), found[1], found[2])


def by_page(*languages):
    """A test for each page that has some."""
    found = [(page, list(own)) for page, own in groupby(snippets(*languages), key=lambda snippet: snippet.page)]
    return pytest.mark.parametrize(
        ("page", "found"), found, ids=[page.relative_to(ROOT).as_posix() for page, _ in found]
    )


def digits_in_files():
    """Digits with ids and classes, and more of them."""
    data = load_digits(as_frame=True)
    frame = data.data.assign(digit=data.target)
    frame.insert(0, "id", [f"r{i}" for i in range(len(frame))])
    frame[:1500].to_csv("digits.csv", index=False)
    frame[1500:].to_csv("new.csv", index=False)


def cells_in_files():
    """Cells with ids."""
    frame = load_digits(as_frame=True).data
    frame.insert(0, "cell", [f"c{i}" for i in range(len(frame))])
    frame[:1500].to_parquet("cells.parquet")
    frame[1500:].to_parquet("more.parquet")


def large_files():
    """One of each kind, small."""
    import zarr

    X = load_digits().data.astype(np.float32)
    np.save("embeddings.npy", X)
    for folder in ("folder/of/shards", "cells", "logs"):
        Path(folder).mkdir(parents=True)
    for number, rows in enumerate(np.array_split(X, 3)):
        np.save(f"folder/of/shards/{number}.npy", rows)
        some = pd.DataFrame(rows[:, 10:16], columns=["CD3", "CD4", "CD8", "CD19", "CD45", "CD56"])
        some.to_parquet(f"cells/{number}.parquet")
        some.assign(label=np.arange(len(some)) % 7).to_parquet(f"logs/{number}.parquet")
    zarr.save_array("rows.zarr", X)


def data_as_people_have_them():
    """Digits as embeddings, cells, visits and CSV files."""
    import h5py
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow.feather import write_feather
    from scipy import sparse
    from scipy.io import mmwrite

    X = load_digits().data
    vectors, year = pa.array(X.tolist(), pa.list_(pa.float32())), np.arange(len(X)) % 30 + 1990
    articles = pa.table({"title": ["t"] * len(X), "emb": vectors, "year": year.astype(float)})
    pq.write_table(articles, "articles.parquet")
    pq.write_table(articles[:100], "more-articles.parquet")
    write_feather(articles, "articles.feather")
    pq.write_table(pa.table({"title_emb": vectors, "text_emb": vectors}), "two-models.parquet")
    noise = np.random.default_rng(0).normal(size=(len(X), 5))
    cells = pd.DataFrame(noise, columns=["CD3", "CD4", "CD8", "CD19", "CD45"]).assign(type=load_digits().target)
    cells.to_parquet("typed-cells.parquet")
    cells.assign(cell="c").to_parquet("cells.parquet")
    visits = pa.table({"x": noise[:, 0], "y": noise[:, 1], "year": year})
    pq.write_to_dataset(visits, "visits", partition_cols=["year"])
    pd.DataFrame(X / 4).to_csv("european.csv", index=False, sep=";", decimal=",")
    pd.DataFrame(X).to_csv("old.csv", index=False, header=False, sep=":")
    np.save("rows.npy", X)
    sparse.save_npz("sparse.npz", sparse.csr_array(X))
    with h5py.File("cells.h5ad", "w") as file:
        file["X"], file["obsm/X_pca"] = X, noise
    mmwrite("matrix.mtx", sparse.coo_array(X.T))
    Path("matrix.mtx.gz").write_bytes(gzip.compress(Path("matrix.mtx").read_bytes()))
    cells.drop(columns="type").assign(count=np.arange(len(X)) % 3).to_parquet("weighted-cells.parquet")
    cells.drop(columns="type").mask(noise > 3).to_csv("gaps.csv", index=False)


def folders_of_the_sources():
    """Of those that a clone has."""
    for folder in ("build", "docs/results"):
        Path(folder).mkdir(parents=True)


PREPARATIONS = {
    "README.md": cells_in_files,
    "docs/bring_your_data.md": data_as_people_have_them,
    "docs/program.md": digits_in_files,
    "docs/reports.md": digits_in_files,
    "docs/scale.md": large_files,
    "docs/results/index.md": folders_of_the_sources,
    "docs/results/tables.md": folders_of_the_sources,
}
"""What a page takes for granted."""


@pytest.fixture
def there(page, tmp_path, monkeypatch):
    """A folder with the files that a page speaks of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ANCHORGRAPH_DATA", raising=False)
    PREPARATIONS.get(page.relative_to(ROOT).as_posix(), lambda: None)()
    return tmp_path


def test_every_snippet_is_of_a_kind_that_is_tested():
    kinds = {"python", "console", "", "toml"}
    directives = {"{toctree}", "{eval-rst}", "{include}", "{literalinclude}"}
    assert not [snippet for snippet in snippets() if snippet.language.partition(" ")[0] not in kinds | directives]
    assert kinds == {snippet.language for snippet in snippets()} & kinds
    assert set(PREPARATIONS) <= {page.relative_to(ROOT).as_posix() for page in PAGES}


@dataclass(frozen=True)
class Command:
    """A command line, and what a page shows below it; None, where it shows commands alone."""

    words: list[str]
    shown: list[str] | None


def commands(text):
    """Those of a block: its lines that begin with $ and what follows them, or all of its lines."""
    if not text.startswith("$ "):
        return [Command(shlex.split(line, comments=True), None) for line in text.splitlines()]
    parts = (part.splitlines() for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:])
    return [Command(shlex.split(line, comments=True), shown) for line, *shown in parts]


def head(number, path):
    print(*Path(path).read_text().splitlines()[: -int(number)], sep="\n")
    return 0


SHORTER = {"bench": ["--methods", "fsc", "--runs", "1"], "reproduce": ["--show"]}
"""Options for commands that run for minutes or hours, and show other numbers then."""


def lasting(line):
    """The words of a line that stay the same: not its numbers, nor what is left out."""
    return {word for word in line.split() if not re.search(r"\d|…", word)}


def run_python(snippet, names):
    shifted = "\n" * snippet.line + snippet.text  # a traceback names the line of the page
    exec(compile(shifted, str(snippet.page), "exec"), names)


def run_commands(snippet, capsys):
    for command in commands(snippet.text):
        program, *arguments = command.words
        if program not in ("anchorgraph", "head"):
            continue  # pip, make and the shell's own
        if arguments[0] in SHORTER:
            assert run([*arguments, *SHORTER[arguments[0]]]) == 0
            continue
        capsys.readouterr()
        code = head(*arguments) if program == "head" else run(arguments)
        told = "".join(capsys.readouterr()).splitlines()
        assert code == 0 or told == command.shown  # a sentence for a mistake, to the letter
        for line in command.shown or ():
            assert any(lasting(line) <= set(own.split()) for own in told), (line, told)
        assert command.shown != [] or told == []


@by_page("python", "console", "")
def test_snippets(page, found, there, capsys):
    names = {}
    for snippet in found:
        if snippet.language == "python":
            run_python(snippet, names)
        else:
            run_commands(snippet, capsys)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_in_sentences(page):
    program = typer.main.get_command(app)
    for text in re.findall(r"`anchorgraph\s+([^`]+)`", page.read_text(encoding="utf-8")):
        name, *arguments = shlex.split(text)
        if name.startswith("-"):
            assert run([name]) == 0
        else:
            program.commands[name].make_context(name, arguments)


@by_page("toml")
def test_toml(page, found):
    for snippet in found:
        assert tomllib.loads(snippet.text)


def test_make_has_what_is_named():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"(?:^|`)make ([\w-]+)", page.read_text(), re.MULTILINE)}
    assert named
    assert named <= targets
