"""``anchorgraph reproduce`` as a user would type it."""

import json
import os
import signal
import subprocess
import tomllib
from pathlib import Path

import pytest

from anchorgraph.cli.app import run
from processes import is_there, python_process
from waiting import wait_until

TABLE = """
paper = "mine"
number = "Table 1"
title = "Digits"
kind = "score"
rows = ["data"]
columns = ["method"]

[cell]
protocol = "clustering"
show = "accuracy"
runs = 5

[data]
digits = { data = "digits" }
elsewhere = { data = "elsewhere" }

[method]
FSC = { method = "FSC", params.n_anchors = 50 }
LSC = { method = "LSC", params.n_anchors = 50 }

[printed]
digits = ["80.0 ± 1.5", 99.9]
elsewhere = [1.0, "—"]
"""


@pytest.fixture
def there(tmp_path, monkeypatch):
    def offline(**_):
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", offline)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "forms").mkdir()
    (tmp_path / "forms" / "mine.toml").write_text('[digits]\nload = "digits"\n[elsewhere]\nload = "elsewhere"\n')
    (tmp_path / "table.toml").write_text(TABLE)
    return tmp_path


def test_a_table_is_run_shown_resumed_and_reported(there, capsys):
    assert run(["reproduce", "table.toml", "--report", "page.html"]) == 0
    told = capsys.readouterr()
    assert "skipped: Data set 'elsewhere' is neither in" in told.err
    assert "table  digits · FSC: 5 runs in" in told.err
    assert "skipped: no data: elsewhere" in told.out
    assert "not reproduced" in told.out.split("LSC", 2)[1]
    page = (there / "page.html").read_text()
    assert "mine, Table 1: Digits" in page
    assert "anchorgraph" in page

    lines = (there / "reproduced.jsonl").read_text()
    assert run(["reproduce", "table.toml", "--json"]) == 0  # nothing is left to be run
    (result,) = json.loads(capsys.readouterr().out)
    assert (there / "reproduced.jsonl").read_text() == lines
    assert [cell.get("verdict") for cell in result["cells"]][1:] == ["not reproduced", None, None]
    assert result["cells"][0]["runs"] == 5

    assert run(["reproduce", "table.toml", "--show", "--report", "results.md", "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert "**Not reproduced**: digits · LSC" in (there / "results.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fsc.9"], "'fsc.9' is not an experiment; pass a .toml file or some of csr.1"),
        (["table.toml", "--report", "page.pdf"], "--report must name a .html or .md file in an existing folder"),
        (
            ["table.toml", "--records", "no/where.jsonl"],
            "--records must name a file in an existing folder; got no/where.jsonl",
        ),
        (["table.toml", "--records", "forms"], "forms is a folder; name a file for the results"),
    ],
)
def test_wrong_words_get_one_sentence_and_run_nothing(there, capsys, arguments, message):
    assert run(["reproduce", *arguments]) == 1
    told = capsys.readouterr()
    assert message in told.err
    assert "Traceback" not in told.err
    assert not (there / "reproduced.jsonl").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("send", "sent", "code"),
    [
        ("kill", "SIGINT", 130),
        ("killpg", "SIGINT", 130),  # as a terminal does, to the worker too
        ("kill", "SIGKILL", -9),
    ],
    ids=["interrupt", "ctrl-c", "kill"],
)
def test_an_end_keeps_what_was_found_and_leaves_no_process(there, send, sent, code):
    (there / "table.toml").write_text(
        TABLE.replace("runs = 5", "runs = 1000")
        .replace("elsewhere = {", "more = {")
        .replace("elsewhere = [", "more = [")
    )
    records = there / "reproduced.jsonl"
    program = "from anchorgraph.cli import main; main()"
    with (
        (there / "told").open("w") as told,
        python_process(program, "reproduce", "table.toml", stdout=subprocess.DEVNULL, stderr=told) as process,
    ):
        wait_until(lambda: records.exists() and records.read_text().count("\n") > 2, "three results")
        getattr(os, send)(process.pid, getattr(signal, sent))
        wait_until(lambda: process.poll() is not None, "the end of the program")
        wait_until(lambda: not is_there(process.pid), "the end of its worker")  # which ends itself, if it has to
    assert process.returncode == code
    assert "Traceback" not in (there / "told").read_text()
    whole = records.read_text().rpartition("\n")[0]
    assert all(json.loads(line)["found"] for line in whole.splitlines())


def test_what_has_no_result_at_all_is_an_error(there, capsys):
    text = TABLE.replace('digits = { data = "digits" }\n', "").replace('digits = ["80.0 ± 1.5", 99.9]\n', "")
    (there / "table.toml").write_text(text)
    assert run(["reproduce", "table.toml"]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == (
        "No cell has a result: no data: elsewhere; the paper has no number here (save elsewhere.npz in the folder that "
        "the environment variable ANCHORGRAPH_DATA names; docs/reproduce.md#data tells how to get them)."
    )
    assert run(["reproduce", "table.toml", "--show"]) == 0


def test_showing_asks_no_network(there, capsys, monkeypatch):
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda **_: pytest.fail("asked"))
    assert run(["reproduce", "table.toml", "--show"]) == 0
    assert "not run yet" in capsys.readouterr().out


def test_methods_are_compared_on_a_data_set(there, capsys):
    chosen = ["bench", "digits", "--methods", "fsc,ulge,flrl", "--runs", "1", "--prepare", "standardise"]
    assert run([*chosen, "--report", "page.html"]) == 0
    told = capsys.readouterr()
    assert told.err.count("1 run in") == 3  # measures share it
    assert "accuracy" in told.out
    assert "<h1>Methods on digits</h1>" in (there / "page.html").read_text()
    assert run([*chosen, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    found = {(cell["row"], cell["column"]): cell["ours"] for cell in result["cells"]}
    assert set(found) == {
        (name, measure) for name in ("FSC", "ULGE", "FLRL") for measure in ("accuracy", "nmi", "seconds")
    }
    assert found["FLRL", "accuracy"] > 85
    assert 50 < found["FSC", "nmi"] < 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["digitz"], "Data set 'digitz' is neither in"),
        (["digits", "--methods", "fc,bkhk"], "bkhk, fc cannot be compared here; choose some of csr"),
        (["digits", "--prepare", "whiten"], "prepare='whiten' is not known; choose one of dense"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_sentence(there, capsys, arguments, message):
    assert run(["bench", *arguments]) == 1
    told = capsys.readouterr()
    assert message in told.err
    assert told.out == ""
    assert not (there / "bench.jsonl").exists()


def test_the_page_on_data_has_every_file_that_published_tables_need():
    root = Path(__file__).parents[2]
    tables = [tomllib.loads(path.read_text()) for path in root.glob("experiments/forms/*.toml")]
    needed = {form["load"] for table in tables for form in table.values() if "load" in form}
    page = (root / "docs" / "reproduce.md").read_text().partition("## Data\n")[2].partition("\n## ")[0]
    assert len(needed) > 10
    assert not [name for name in needed if f"`{name}.npz`" not in page]
