"""Scores to clusters: linkage, the page shown of each, and levels of duplicates."""
