"""Text of pages made safe for a terminal and for Markdown."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Control characters but tab and line feed, and marks that change the direction of text."""


def escape_controls(text: str) -> str:
    """The text with every character that moves the cursor or turns the text as an escape."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def escape_markdown(text: str) -> str:
    """The text on one line of Markdown; nothing in it is markup."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", re.sub(r"\s", " ", text))
