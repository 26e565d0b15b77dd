"""Reports: pages about a fitted method, or about published tables and our results, made from templates."""

from anchorgraph.report.page import check_page, write_page
from anchorgraph.report.results import check_results_page, describe_ours, format_number, write_results
from anchorgraph.report.summary import summarise

__all__ = [
    "check_page",
    "check_results_page",
    "describe_ours",
    "format_number",
    "summarise",
    "write_page",
    "write_results",
]
