"""A page's running text and what two pages share of it: slow and obvious, for the checks."""

import html
import re

from reducepp.demo import DemoPage

UNSEEN = re.compile(r"<(script|style|noscript|title)\b.*?</\1\s*>|<!--.*?-->", re.S | re.I)
INLINE = re.compile(r"</?(?:a|b|i|em|strong|sup|span|small|font)\b[^>]*>", re.I)
LINE = re.compile(r"(?:<br\s*/?>\s*)+|<[^>]*>", re.I)
WORD = re.compile(r"\w+")
SHINGLE = 5
RUNNING = 12
"""A piece of text with fewer words is taken for a menu, a heading or a button."""


def decode(page: DemoPage) -> str:
    """The text in the character set that the server names, utf-8 where it names none."""
    named = re.search(r"charset=([\w-]+)", page.content_type)
    return page.html.decode(named[1] if named else "utf-8", errors="replace")


def visible_text(page: DemoPage) -> str:
    """All text between tags, without scripts and styles."""
    return html.unescape(re.sub(r"<[^>]*>", " ", UNSEEN.sub(" ", decode(page))))


def running_words(page: DemoPage) -> list[list[str]]:
    """The words of every paragraph-like piece of text."""
    pieces = LINE.split(INLINE.sub("", UNSEEN.sub(" ", decode(page))))
    words = [WORD.findall(html.unescape(piece).lower()) for piece in pieces if piece]
    return [found for found in words if len(found) >= RUNNING]


def shingles(page: DemoPage) -> set[tuple[str, ...]]:
    """Every five words in a row of the page's running text."""
    return {
        tuple(words[i : i + SHINGLE])
        for words in running_words(page)
        for i in range(len(words) - SHINGLE + 1)
    }


def shared_of_longer(a: set[tuple[str, ...]], b: set[tuple[str, ...]]) -> float:
    """Share of the longer text that the other has too, in [0, 1]; 0 where both are empty."""
    return len(a & b) / max(len(a), len(b), 1)
