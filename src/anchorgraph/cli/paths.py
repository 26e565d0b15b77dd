"""Files that a command reads: looked for before anything that takes long to import is."""

from __future__ import annotations

from pathlib import Path


def check_input(path: Path) -> None:
    """Refuse a path of rows that leads nowhere."""
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; pass the path of a file or of a folder of files.")


def check_model(path: Path) -> None:
    """Refuse a path of a model that leads nowhere."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist; pass a model that 'anchorgraph cluster --save' wrote.")
