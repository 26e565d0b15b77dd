"""Templates of pages, and the one way to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def template(name: str) -> Any:
    """A template of this folder; what is put into HTML is escaped."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError("A report takes jinja2; install anchorgraph[report].") from error
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader,
        autoescape=name.endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)
