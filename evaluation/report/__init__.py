"""The per-query report: one HTML file to look at, and Markdown and JSON for machines."""

from evaluation.report.data import ReportOptions, report_data
from evaluation.report.machine import report_json, report_markdown
from evaluation.report.page import component_script, component_style, report_html

__all__ = [
    "ReportOptions",
    "component_script",
    "component_style",
    "report_data",
    "report_html",
    "report_json",
    "report_markdown",
]
