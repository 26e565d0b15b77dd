"""Pages: what is worth seeing of a fitted method, or of published tables beside ours, put in templates."""

from anchorgraph.report.page import check_page, write_page
from anchorgraph.report.results import check_results_page, number, write_results
from anchorgraph.report.summary import summarise

__all__ = ["check_page", "check_results_page", "number", "summarise", "write_page", "write_results"]
