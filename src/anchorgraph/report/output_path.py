"""Check of the path of a report."""

from __future__ import annotations

from pathlib import Path

from anchorgraph.table import check_path
from anchorgraph.urls import shown


def check_output_path(path: Path, argument: str, suffixes: tuple[str, ...]) -> None:
    """Raise an error if no report can be written to a path.

    Parameters
    ----------
    path : Path
    argument : str
        Name of the argument or option, for the error message.
    suffixes : tuple of str
        Accepted suffixes.
    """
    check_path(path)
    if path.suffix not in suffixes or path.is_dir() or not path.parent.is_dir():
        raise ValueError(
            f"{argument} must name a {' or '.join(suffixes)} file in an existing folder; got {shown(path)}."
        )
