"""All commands under one name, and what happens when one goes wrong.

Commands import what they work with when they run, so that help, and a sentence on what was mistyped, come at once.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from anchorgraph import __version__
from anchorgraph.cli import bench, catalogue, cluster, demo, embed, predict, reproduce, transform
from anchorgraph.cli.paths import check_paths

STOPPED = 130
"""The exit code of programs that Ctrl-C ended."""


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"anchorgraph {__version__}")
        raise typer.Exit


def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Cluster and embed millions of rows through anchor graphs."""


app = typer.Typer(callback=program, add_completion=False, rich_markup_mode=None)
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
        found = _call(*(arguments or ["--help"]))
    except (typer.Abort, KeyboardInterrupt):
        found = STOPPED
    except (ValueError, TypeError, OSError, ImportError) as error:
        return _tell(str(error), 1)
    except MemoryError as error:
        why = f" ({error})" if str(error) else ""
        way_out = "use a method that reads any source block by block (see 'anchorgraph methods'), or fewer anchors"
        return _tell(f"Not enough memory{why}; {way_out}.", 1)
    except Exception as error:
        if hasattr(error, "exit_code") and hasattr(error, "format_message"):  # of the command line itself
            return _tell(error.format_message(), error.exit_code)
        if type(error).__module__.startswith("anchorgraph."):  # our own say what is wrong
            return _tell(str(error), 1)
        if os.environ.get("ANCHORGRAPH_TRACEBACK"):
            raise
        sentence = f"{type(error).__name__}: {error} (set ANCHORGRAPH_TRACEBACK=1 to see where)"
        return _tell(sentence, 1)
    if found == STOPPED:  # Typer catches Ctrl-C itself, in its own way in each version
        return _tell("Stopped; nothing was left half-written.", STOPPED)
    return found if isinstance(found, int) else 0


def _call(name: str, *arguments: str) -> Any:
    """Run a command by itself: around it, Typer would import Pydantic for options of the program that are not given."""
    group = typer.main.get_command(app)
    if name not in group.commands:
        return group([name, *arguments], prog_name="anchorgraph", standalone_mode=False)
    command = group.commands[name]
    check_paths(command, arguments)
    return command(arguments, prog_name=f"anchorgraph {name}", standalone_mode=False)


def _tell(sentence: str, code: int) -> int:
    print(" ".join(sentence.split()), file=sys.stderr)
    return code
