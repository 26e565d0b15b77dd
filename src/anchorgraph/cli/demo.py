"""``anchorgraph demo``."""

from __future__ import annotations

from anchorgraph.cli import options
from anchorgraph.cli.loading import loading


def demo(report: options.Report = None, quiet: options.Quiet = False, as_json: options.Json = False) -> None:
    """Cluster scikit-learn's digits with every method, beside k-means and scikit-learn's spectral clustering."""
    with loading():
        from anchorgraph.cli.all_methods import compare_all
    compare_all(report, quiet=quiet, as_json=as_json)
