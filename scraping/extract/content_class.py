"""Classify pages that have no content of their own: block notices, walls, errors, empty pages.

All sites behind one service send the same notice, so as pages they would be near-duplicates of
each other, and of whatever else contains that text. A page is a notice when its title and its few
sentences are phrases of notices, and hardly anything else: an article on captchas contains other
sentences as well.
"""

import re
import unicodedata
from collections.abc import Iterable

from reducepp.scraping.extract.blocks import Block
from reducepp.scraping.extract.title_text import split_title
from reducepp.scraping.extract.vocabulary import compile_phrases

MAX_BODY_CHARS = 2000
"""A page with a longer body is no notice: notices are a few sentences."""
MAX_UNLINKED_CHARS = 4000
"""A page that displays more than this outside links is no notice."""
MIN_SHARE_OF_NOTICE = 0.75
"""Share of the words that must belong to phrases of notices."""
MAX_SENTENCE_WORDS = 40
MAX_WALL_CHARS = 1200
"""A page with more text than this has content beside its wall or its error message."""
MAX_SHELL_CHARS = 40
"""Text of an application that a browser has to build: a name, "Loading"."""
MIN_CONSENT_SHARE = 0.5
"""Share of the words in sentences about consent from which a short page is a consent wall."""
_SENTENCE_END = re.compile(r"(?<=[.!?…؟])\s+|\n+")
_NOTICE = compile_phrases("block_notice")
_DETAILS = compile_phrases("block_notice_details")
_ERROR, _LOGIN, _CONSENT = (compile_phrases(key) for key in ("error", "login", "consent"))

_PAGE_PARAMETER = re.compile(
    r"[?&](?:p|q|s|\w{0,20}id|page|article|story|post|news|node|item|view|option)=", re.IGNORECASE
)
"""Parameters that name one of many pages below one path."""

CLASSES = ("home", "error", "login", "consent", "empty")
"""Classes of pages without content; "" is content."""


def classify_content(
    title: str, headings: Iterable[str], body: str, *, url: str = "", is_home: bool = False
) -> str:
    """One of `CLASSES`, or "" for a page with content.

    `is_home` says that the path is that of a home page; a parameter may still name an article.
    """
    if len(body) <= MAX_WALL_CHARS:
        names = [_normalise(part) for text in (title, *headings) for part in split_title(text)]
        if any(map(_ERROR.fullmatch, names)):
            return "error"
        if any(map(_LOGIN.fullmatch, names)):
            return "login"
        if _is_consent_wall(title, body):
            return "consent"
    if is_home and not _PAGE_PARAMETER.search(url):
        return "home"
    return "empty" if len(body) <= MAX_SHELL_CHARS else ""


def _is_consent_wall(title: str, body: str) -> bool:
    """Whether most of a short text asks for consent to cookies and data processing."""
    sentences = [_normalise(s) for s in (title, *_SENTENCE_END.split(body))]
    about = sum(len(s.split()) for s in sentences if _CONSENT.search(s))
    return about > MIN_CONSENT_SHARE * sum(len(s.split()) for s in sentences)


def is_block_notice(title: str, body: str, blocks: Iterable[Block]) -> bool:
    """Whether title and body are a block notice, and the page displays not much more."""
    if len(body) > MAX_BODY_CHARS:
        return False
    if sum(b.length - b.link_length for b in blocks) > MAX_UNLINKED_CHARS:
        return False
    other_words = (1 - MIN_SHARE_OF_NOTICE) * len(f"{title} {body}".split())
    is_notice = False
    for sentence in map(_normalise, (title, *_SENTENCE_END.split(body))):
        words = len(sentence.split())
        if not any(map(str.isalpha, sentence)) or (words == 1 and "." in sentence.strip(".…")):
            continue
        matches = words <= MAX_SENTENCE_WORDS and bool(_NOTICE.search(sentence))
        is_notice = is_notice or matches
        if not matches and not (words <= MAX_SENTENCE_WORDS and _DETAILS.search(sentence)):
            other_words -= words
        if other_words < 0:
            return False
    return is_notice


def _normalise(text: str) -> str:
    """Lower case, plain apostrophes, no accents and no Arabic marks."""
    low = unicodedata.normalize("NFKD", text.strip().casefold().replace("…", "..."))
    return "".join(c for c in low if not unicodedata.combining(c)).replace("’", "'")
