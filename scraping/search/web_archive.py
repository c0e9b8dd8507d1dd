"""Result pages that a web archive has kept: links as they were before it rewrote them."""

from __future__ import annotations

import re

MARKS = (
    "FILE ARCHIVED ON",
    "BEGIN WAYBACK TOOLBAR",
    "End Wayback Rewrite JS Include",
    "web-static.archive.org/_static/",
    "//archive.org/includes/analytics.js",
)
"""What the Wayback Machine leaves in pages it has changed."""
REWRITTEN = re.compile(
    r"""(?<=["'=])(?:https?:)?(?://web\.archive\.org)?/web/\d{4,14}(?:[a-z]{2}_)?/"""
    r"""(?=https?:|//)""",
    re.IGNORECASE,
)


def unarchive(text: str) -> str:
    """The page with its own addresses; any other page as it is."""
    if not any(mark in text for mark in MARKS):
        return text
    return REWRITTEN.sub("", text)
