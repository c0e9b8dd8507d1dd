"""How alike two pages are, in words, and what to do about it."""

from __future__ import annotations

from reducepp.data import Page
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


def level_of(a: Page, b: Page, score: float, threshold: float) -> str:
    """The level of a pair from its texts and its score.

    `exact`: bodies equal but for white space. `nearly exact`: the same words in the same order.
    The rest by score: `strong` in the upper half between the threshold and 1, `weak` from the
    threshold on, `low overlap` from half of it on.
    """
    if a.body and a.body.split() == b.body.split():
        return "exact"
    if a.body and words(a.body) == words(b.body) != []:
        return "nearly exact"
    if score >= (1 + threshold) / 2:
        return "strong"
    if score >= threshold:
        return "weak"
    return "low overlap" if score >= threshold / 2 else "none"
