"""Where a page can be written to."""

from __future__ import annotations

from pathlib import Path


def check_place(path: Path, said: str, suffixes: tuple[str, ...]) -> None:
    """Refuse a path that no page can be written to.

    Parameters
    ----------
    path : Path
    said : str
        The argument as the user gave it.
    suffixes : tuple of str
    """
    if path.suffix not in suffixes or path.is_dir() or not path.parent.is_dir():
        kind = " or ".join(suffixes)
        raise ValueError(f"{said} is no place for a page; name a {kind} file in a folder that exists.")
