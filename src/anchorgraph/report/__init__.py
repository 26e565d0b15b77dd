"""A fitted method as a page: what is worth seeing of it as plain data, and the page made of that."""

from anchorgraph.report.page import write_page
from anchorgraph.report.stopwatch import Stopwatch
from anchorgraph.report.summary import summarise

__all__ = ["Stopwatch", "summarise", "write_page"]
