"""The per-query report: one HTML file to look at, and Markdown and JSON for machines."""
