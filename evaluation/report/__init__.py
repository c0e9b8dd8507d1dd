"""The per-query report: one HTML file to look at, and Markdown and JSON for machines."""

from reducepp.evaluation.report.large_sets import report_floor
from reducepp.evaluation.report.report_data import ReportOptions, report_data
from reducepp.evaluation.report.report_formats import (
    component_script,
    component_style,
    report_html,
    report_json,
    report_markdown,
)

__all__ = [
    "ReportOptions",
    "component_script",
    "component_style",
    "report_data",
    "report_floor",
    "report_html",
    "report_json",
    "report_markdown",
]
