"""The program with all commands, and its handling of errors.

Commands import large packages when they run, so that help and errors about the command line appear at once.
"""

from __future__ import annotations

import os
import shlex
import sys
import traceback
from typing import Annotated, Any

import typer

from anchorgraph import __version__
from anchorgraph.cli import bench, catalogue, cluster, demo, embed, map_rows, predict, reproduce, transform
from anchorgraph.cli.loading import INTERRUPTED, SENTENCE
from anchorgraph.cli.paths import check_paths
from anchorgraph.urls import shown, without_secrets


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


app: typer.Typer = typer.Typer(callback=program, add_completion=False, rich_markup_mode=None)
app.command("cluster")(cluster.cluster)
app.command("embed")(embed.embed)
app.command("map")(map_rows.map_rows)
app.command("predict")(predict.predict)
app.command("transform")(transform.transform)
app.command("methods")(catalogue.methods)
app.command("datasets")(catalogue.datasets)
app.command("demo")(demo.demo)
app.command("reproduce")(reproduce.reproduce)
app.command("bench")(bench.bench)


def run(arguments: list[str]) -> int:
    """Run a command; the exit code is 0 for success, 1 for an error, 2 for a wrong command line, 130 for Ctrl-C."""
    try:
        code = _call(*(arguments or ["--help"]))
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except (ValueError, TypeError, OSError, ImportError) as error:
        return _print_error(arguments, _in_options(str(error), arguments[0]), 1)
    except MemoryError as error:
        detail = f" ({error})" if str(error) else ""
        remedy = "use a method that reads any source block by block (see 'anchorgraph methods'), or fewer anchors"
        return _print_error(arguments, f"Not enough memory{detail}; {remedy}.", 1)
    except Exception as error:
        if hasattr(error, "exit_code") and hasattr(error, "format_message"):  # about the command line
            return _print_error(arguments, error.format_message(), error.exit_code)
        if type(error).__module__.startswith("anchorgraph."):  # its message is complete
            return _print_error(arguments, _in_options(str(error), arguments[0]), 1)
        if os.environ.get("ANCHORGRAPH_TRACEBACK"):
            print(without_secrets(traceback.format_exc(), *arguments), file=sys.stderr)
            return 1
        return _print_error(
            arguments, f"{type(error).__name__}: {error} (set ANCHORGRAPH_TRACEBACK=1 for a traceback)", 1
        )
    if code == INTERRUPTED:  # Typer catches Ctrl-C itself, in a way that depends on its version
        return _print_error(arguments, SENTENCE, INTERRUPTED)
    return code if isinstance(code, int) else 0


def _call(name: str, *arguments: str) -> Any:
    """Run a command directly: through the group, Typer would import Pydantic even for options that are not given."""
    group = typer.main.get_command(app)
    if name not in group.commands:
        return group([name, *arguments], prog_name="anchorgraph", standalone_mode=False)
    command = group.commands[name]
    check_paths(command, arguments)
    line = shlex.join(["anchorgraph", name, *map(shown, arguments)])  # a report shows it
    return command(arguments, prog_name=f"anchorgraph {name}", standalone_mode=False, obj=line)


def _in_options(message: str, command: str) -> str:
    """An error of the library in terms of the options of a command; a saved model has its own."""
    masking = "--missing mask" if command in ("cluster", "embed", "map") else "a model fitted with --missing mask"
    return message.replace("missing='mask'", masking).replace("metric='cosine'", "--metric cosine")


def _print_error(arguments: list[str], message: str, code: int) -> int:
    print(" ".join(without_secrets(message, *arguments).split()), file=sys.stderr)
    return code


def show_warning(message: Warning | str, *where: Any, **more: Any) -> None:
    """Print a warning as errors are printed, without the place in the code."""
    _print_error(sys.argv[1:], str(message), 0)
