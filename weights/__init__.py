"""Profiles: signals, their weights, and the score from which two pages are duplicates."""
