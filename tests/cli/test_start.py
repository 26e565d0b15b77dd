"""What the program does before it works: little, and with one sentence at Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading

import pytest

import anchorgraph
from anchorgraph.cli.app import run
from anchorgraph.cli.loading import loading
from waiting import PATIENCE

INTERRUPTED = "Interrupted; no incomplete files were left.\n"

HEAVY = ("numpy", "scipy", "sklearn", "pyarrow", "pandas", "skops", "jinja2", "dask")


CODE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
{prepare}
from anchorgraph.cli import main
try:
    main()
finally:
    {finish}
"""


def start(arguments, prepare="", finish="pass"):
    """The program in a process of its own, after a few lines and before another."""
    command = [sys.executable, "-c", CODE.format(prepare=prepare, finish=finish), *arguments.split()]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("", 0),
        ("--help", 0),
        ("--version", 0),
        *((f"{name} --help", 0) for name in ("cluster", "map", "predict", "methods", "demo", "reproduce", "bench")),
        ("clutser rows.csv", 2),
        ("cluster rows.csv --cluster 3", 2),
        ("cluster rows.csv -k many", 2),
        ("cluster none.csv -k 3", 1),
        ("embed none.csv", 1),
        ("map none.csv", 1),
        ("predict none.csv --model rows.csv --out labels.csv", 1),
        ("transform rows.csv --model none.skops --out labels.csv", 1),
    ],
)
def test_what_needs_no_numbers_imports_none(arguments, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    done = start(arguments, finish=f"print('imported:', *(name for name in {HEAVY} if name in sys.modules))")
    assert done.returncode == code
    assert done.stdout.splitlines()[-1].split() == ["imported:"]
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == (code > 0)


def test_a_path_is_looked_for_before_the_rest_is_read(tmp_path, monkeypatch, capsys):
    """Typer imports Pydantic for that."""
    monkeypatch.chdir(tmp_path)
    assert run(["cluster", "none.csv", "--seed", "many"]) == 1
    assert capsys.readouterr().err.startswith("none.csv does not exist")
    assert run(["cluster", "none.csv", "--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: anchorgraph cluster ")


def test_the_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"anchorgraph {anchorgraph.__version__}\n"


PRESS = """
import os, signal

class CtrlC:
    def find_spec(self, name, *rest):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, CtrlC())
"""
"""Ctrl-C when a module is about to be imported."""

with_signals = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


@with_signals
@pytest.mark.parametrize(
    "name", ["anchorgraph.cli.app", "typer", "anchorgraph.cli.options", "numpy", "scipy.linalg", "anchorgraph.cli.fit"]
)
def test_ctrl_c_while_it_starts_has_its_sentence(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    done = start("cluster rows.csv", PRESS.format(name=name))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", INTERRUPTED)


BLOCK = """
class Waiting:
    def find_spec(self, name, *rest):
        if name == "numpy":
            print("importing", flush=True)
            time.sleep({patience})

import time
sys.meta_path.insert(0, Waiting())
"""
"""An import that does not end."""


@with_signals
def test_ctrl_c_ends_an_import_that_waits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    code = CODE.format(prepare=BLOCK.format(patience=PATIENCE), finish="pass")
    command = [sys.executable, "-c", code, "cluster", "rows.csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "importing\n"
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=PATIENCE)
    assert (process.returncode, *told) == (130, "", INTERRUPTED)


AT_WORK = """
import os, signal
from anchorgraph.cli import catalogue

catalogue._describe = lambda method: os.kill(os.getpid(), signal.SIGINT)
"""


@with_signals
def test_ctrl_c_at_work_has_its_sentence():
    done = start("methods", AT_WORK)
    told = done.stderr.strip()  # some versions of Typer print a line end first
    assert (done.returncode, done.stdout, told) == (130, "", INTERRUPTED.strip())


@with_signals
def test_ctrl_c_between_and_after_commands_shows_no_traceback():
    told = "import os, signal\nfrom anchorgraph.cli import app\n"
    between = told + "app.run = lambda arguments: os.kill(os.getpid(), signal.SIGINT)"
    done = start("--version", between)
    assert (done.returncode, done.stderr) == (130, INTERRUPTED)
    after = """
import atexit, os, signal

class Last:
    def __del__(self, press=lambda kill=os.kill, me=os.getpid(): kill(me, 2)):
        press()

sys.modules["last"] = Last()
atexit.register(os.kill, os.getpid(), signal.SIGINT)
"""
    done = start("--version", after)  # the command is over
    version = f"anchorgraph {anchorgraph.__version__}\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, version, "")


@with_signals
def test_what_others_decided_on_ctrl_c_stays():
    """Shells start what runs in the background so."""
    ignored = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)"
    done = start("--version", ignored + PRESS.format(name="typer"))
    assert (done.returncode, done.stderr) == (0, "")


def test_other_threads_load_without_a_word_on_signals():
    told = []

    def work():
        with loading():
            told.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told == [signal.getsignal(signal.SIGINT)]


def test_without_typer_the_program_says_how_to_get_it():
    done = start("--help", "sys.modules['typer'] = None")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == 'The program requires typer: pip install "anchorgraph[cli]".\n'


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError("Unable to allocate 9 EiB"), "Not enough memory (Unable to allocate 9 EiB); use a method that"),
        (MemoryError(), "Not enough memory; use a method that"),
        (KeyError("odd"), "KeyError: 'odd' (set ANCHORGRAPH_TRACEBACK=1 for a traceback)"),
    ],
)
def test_what_goes_wrong_inside_gets_one_sentence(error, sentence, capsys, monkeypatch):
    def fails(name):
        raise error

    monkeypatch.setattr("anchorgraph.cli.catalogue._describe", fails)
    assert run(["methods"]) == 1
    told = capsys.readouterr()
    assert told.err.startswith(sentence)
    assert (told.out, told.err.count("\n")) == ("", 1)
