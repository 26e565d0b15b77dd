"""Checks of the output files of a command before it starts."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from anchorgraph.models import check_model_path
from anchorgraph.report import check_page
from anchorgraph.table import Target


def check_output_files(
    read: dict[str, Path | str], *, out: Target | None = None, save: Path | None = None, report: Path | None = None
) -> None:
    """Raise an error if an output file cannot be written, or would overwrite an input or another output.

    Parameters
    ----------
    read : dict
        Input paths by their names in error messages; URLs are not compared.
    out : Target, optional
    save, report : Path, optional
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
            raise ValueError(f"{other} {second} would overwrite {one}; choose another file.")
