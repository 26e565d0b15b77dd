"""All commands under one name, and what happens when one goes wrong."""

from __future__ import annotations

import os

import typer
from rich.console import Console

from anchorgraph.cli import bench, catalogue, cluster, demo, embed, predict, reproduce, transform
from anchorgraph.datasets import DatasetUnavailableError

STOPPED = 130
"""The exit code of programs that Ctrl-C ended."""

app = typer.Typer(
    name="anchorgraph",
    help="Cluster and embed millions of rows through anchor graphs.",
    add_completion=False,
    rich_markup_mode=None,
)
app.command("cluster")(cluster.cluster)
app.command("embed")(embed.embed)
app.command("predict")(predict.predict)
app.command("transform")(transform.transform)
app.command("methods")(catalogue.methods)
app.command("datasets")(catalogue.datasets)
app.command("demo")(demo.demo)
app.command("reproduce")(reproduce.reproduce)
app.command("bench")(bench.bench)


def run(arguments: list[str]) -> int:
    """The exit code: 0 for done, 1 for what could not be done, 2 for a wrong command line, 130 for Ctrl-C."""
    try:
        found = app(arguments or ["--help"], standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        found = STOPPED
    except (ValueError, TypeError, OSError, ImportError, DatasetUnavailableError) as error:
        return _tell(str(error), 1)
    except Exception as error:
        if hasattr(error, "exit_code") and hasattr(error, "format_message"):  # of the command line itself
            return _tell(error.format_message(), error.exit_code)
        if os.environ.get("ANCHORGRAPH_TRACEBACK"):
            raise
        sentence = f"{type(error).__name__}: {error} (set ANCHORGRAPH_TRACEBACK=1 to see where)"
        return _tell(sentence, 1)
    if found == STOPPED:  # Typer catches Ctrl-C itself, in its own way in each version
        return _tell("Stopped; nothing was left half-written.", STOPPED)
    return found if isinstance(found, int) else 0


def _tell(sentence: str, code: int) -> int:
    Console(stderr=True, highlight=False, markup=False).print(" ".join(sentence.split()), soft_wrap=True)
    return code
