"""``anchorgraph demo``."""

from __future__ import annotations

from typing import Annotated

import typer

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def demo(
    report: options.Report = None,
    opens: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the report in a browser, if there is a screen.")
    ] = True,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Cluster and map scikit-learn's digits, then compare all methods with k-means and spectral clustering on them."""
    with loading():
        from anchorgraph.cli.all_methods import compare_all
    compare_all(report, opens=opens, quiet=quiet, as_json=as_json)
