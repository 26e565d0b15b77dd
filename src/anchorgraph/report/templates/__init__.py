"""Templates of pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def template(name: str) -> Any:
    """Load a template of this folder; values in HTML are escaped."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError('Writing a report requires jinja2: pip install "anchorgraph[report]".') from error
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader,
        autoescape=name.endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)
