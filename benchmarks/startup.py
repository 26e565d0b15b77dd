"""How long the program takes to say something, beside the import of what draws its command line.

Run by ``make bench``, or ``python benchmarks/startup.py``.
"""

import subprocess
import sys
import tempfile
import time

from record import Row, run_sections

RUNS = 5
PEER = ["-c", "import typer, rich"]
PROGRAM = ["-c", "from anchorgraph.cli import main; main()"]
COMMANDS = {
    "anchorgraph --version": 0,
    "anchorgraph --help": 0,
    "anchorgraph cluster --help": 0,
    "anchorgraph cluster rows.csv --no-such-option": 2,
    "anchorgraph cluster mistyped.csv": 1,
    "anchorgraph predict mistyped.csv --model m --out l.csv": 1,
}
"""With their exit codes."""


def seconds(arguments, code=0):
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True)
        assert done.returncode == code, done.stderr
        return time.perf_counter() - start


def startup():
    """Best of alternating runs, after one that nobody times."""
    peer, ours = [], {command: [] for command in COMMANDS}
    for _ in range(RUNS + 1):
        peer.append(seconds(PEER))
        for command, code in COMMANDS.items():
            ours[command].append(seconds([*PROGRAM, *command.split()[1:]], code))
    shortest = min(peer[1:])
    yield Row('python -c "import typer, rich"', shortest, "s", "", RUNS)
    for command, times in ours.items():
        yield Row(command, min(times[1:]) / shortest, "times", "<= 3", RUNS, f"{min(times[1:]):.3f} s")


SECTIONS = {"startup": startup}

if __name__ == "__main__":
    run_sections("startup", SECTIONS, sys.argv[1:])
