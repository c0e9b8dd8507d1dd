"""The report: its page in a real browser."""
