"""How alike two pages are, in words, and what to do about it.

The levels are those of Tao et al. (2013), 3.1. Exact and nearly exact copies are told by their
texts alone, as in the paper's cascade (5.5); the rest of the duplicates by how much of the two
texts is common: content words of posts, runs of three words of longer texts.
"""

from __future__ import annotations

from reducepp.data import Page
from reducepp.text.detect import detect_language
from reducepp.text.posts import read_post
from reducepp.text.tokens import words

LEVELS = ("exact", "nearly exact", "strong", "weak", "low overlap", "none")
"""From the same text to nothing in common."""

ACTIONS = {
    "exact": "remove",
    "nearly exact": "remove",
    "strong": "remove",
    "weak": "show as alternative",
    "low overlap": "show as alternative",
    "none": "keep",
}

STRONG = 0.8
"""Share of the shorter text, from which on the other only adds to it."""

LOW = 0.3
"""Share of all that is common, below which two duplicates have but a few words in common."""

SHORT = 50
"""Words up to which a text is compared by its words, and not by runs of three."""


def level_of(a: Page, b: Page, score: float, threshold: float) -> str:
    """The level of a pair from its texts and its score.

    `exact`: bodies equal but for white space. `nearly exact`: the same words in the same order,
    hashtags, mentions and addresses aside. Below the threshold `none`. Then `strong` where one
    text holds at least STRONG of the other, `low overlap` where less than LOW of both is common,
    `weak` between. Where a page has no body its title and snippet count as its text.
    """
    one, two = _text(a), _text(b)
    if one and one.split() == two.split():
        return "exact"
    if one and two and _core(one) == _core(two) != "":
        return "nearly exact"
    if score < threshold:
        return "none"
    held, common = _shares(_units(one, two, a.language), _units(two, one, b.language))
    if held >= STRONG:
        return "strong"
    return "low overlap" if common < LOW else "weak"


def level_of_dropped(a: Page, b: Page, score: float, threshold: float) -> str:
    """The level of a page that is not shown: at least `low overlap`, however it is linked."""
    level = level_of(a, b, score, threshold)
    return "low overlap" if level == "none" else level


def _text(page: Page) -> str:
    return page.body or " ".join((page.page_title, page.snippet)).strip()


def _core(text: str) -> str:
    return read_post(text, "").core


def _units(text: str, other: str, language: str) -> set[str]:
    """Content words where both are posts, else runs of three words."""
    found = words(text, digits=True)
    if min(len(found), len(words(other, digits=True))) > SHORT:
        return {" ".join(found[i : i + 3]) for i in range(len(found) - 2)}
    return set(read_post(text, language[:2].lower() or detect_language(text)).content)


def _shares(a: set[str], b: set[str]) -> tuple[float, float]:
    """Common units over those of the smaller set, and over those of both."""
    common = len(a & b)
    return common / max(min(len(a), len(b)), 1), common / max(len(a | b), 1)
