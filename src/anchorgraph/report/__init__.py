"""Reports: pages about a fitted model, or about published tables and our results, made from templates."""

from anchorgraph.report.fitted import report
from anchorgraph.report.images import check_image
from anchorgraph.report.page import Report, check_page
from anchorgraph.report.results import check_results_page, describe_ours, format_number, write_results

__all__ = [
    "Report",
    "check_image",
    "check_page",
    "check_results_page",
    "describe_ours",
    "format_number",
    "report",
    "write_results",
]
