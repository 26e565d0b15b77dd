"""The output files of a command: checked before it starts, and replaced together at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import combinations
from pathlib import Path

from anchorgraph.cli.loading import delaying_ctrl_c
from anchorgraph.models import check_model_path
from anchorgraph.report import check_page
from anchorgraph.table import Target, together
from anchorgraph.table.location import locate
from anchorgraph.urls import shown


def check_output_files(
    read: dict[str, Path | str], *, out: Target | None = None, save: Path | None = None, report: Path | None = None
) -> list[str]:
    """Raise an error if an output file cannot be written, or would overwrite an input or another output.

    Parameters
    ----------
    read : dict
        Input paths by their names in error messages; URLs are not compared.
    out : Target, optional
    save, report : Path, optional

    Returns
    -------
    list of str
        Existing files that will be replaced.
    """
    if out is not None:
        out.check()
    if save is not None:
        check_model_path(save)
    if report is not None:
        check_page(report)
    written = {"--out": out.path if out is not None and isinstance(out.path, Path) else None, "--save": save}
    written["--report"] = report
    local = {name: Path(path) for name, path in read.items() if "://" not in str(path)}
    named = {**local, **{name: path for name, path in written.items() if path is not None}}
    for (one, first), (other, second) in combinations(named.items(), 2):
        if other in written and first.resolve() == second.resolve():
            raise ValueError(f"{other} {shown(second)} would overwrite {one}; choose another file.")
    outputs = [None if out is None else out.path, save, report]
    return [shown(path) for path in outputs if path is not None and locate(path).kind() == "file"]


@contextmanager
def replacing_together() -> Iterator[None]:
    """Replace the files that are written in this context at its end: all of them, also if Ctrl-C is pressed then."""
    with ExitStack() as delayed, together():
        yield
        delayed.enter_context(delaying_ctrl_c())
