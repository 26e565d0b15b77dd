"""``anchorgraph demo``."""

from __future__ import annotations

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def demo(report: options.Report = None, quiet: options.Quiet = False, as_json: options.Json = False) -> None:
    """Compare all methods with k-means and scikit-learn's spectral clustering on scikit-learn's digits."""
    with loading():
        from anchorgraph.cli.all_methods import compare_all
    compare_all(report, quiet=quiet, as_json=as_json)
