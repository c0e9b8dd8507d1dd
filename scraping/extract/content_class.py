"""Classify pages that have no content of their own: block notices, walls, errors, empty pages.

All sites behind one service send the same notice, so as pages they would be near-duplicates of
each other, and of whatever else contains that text. A wall is a short page most of whose words are
those of walls, in any phrase: an article on captchas contains other words as well. A block notice
is one with the title of such notices.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from reducepp.scraping.extract.title_text import split_title
from reducepp.scraping.extract.vocabulary import compile_phrases, compile_stems
from reducepp.text.lexicons import function_words

MAX_WALL_CHARS = 1200
"""A page with more text than this has content beside its wall or its error message."""
MAX_SHELL_CHARS = 40
"""Text of an application that a browser has to build: a name, "Loading"."""
MAX_MESSAGE_CHARS = 400
"""The same where the words decide, except for consent walls: a message is a few sentences."""
MIN_SHARE, MIN_OWN_SHARE, MIN_SHARE_OF_ANY = 0.6, 0.52, 0.75
"""Shares of the words, function words aside: those of walls, where so many are of one kind, and
where they are not. Chosen on 190 pages that we wrote, walls and short texts about their subjects in
five languages; 2 of 3,400 passages of real pages (100 to 400 characters) would be walls."""
MIN_SHARE_OF_NOTICE = 0.7
"""The same below a title of block notices, of however few words."""
MIN_WALL_WORDS = 4
"""Fewer words say nothing."""
_NOTICE = compile_phrases("robot")
_NAMES = {"error": compile_phrases("error"), "login": compile_phrases("login")}
_STEMS = {kind: compile_stems(kind) for kind in ("error", "login", "consent", "robot")}
_SENTENCE = re.compile(r"(?<!\S)(?:\S++\s++){4}\S*[.!?…؟]")
_DOCUMENT = compile_phrases("documents")
_HOST = re.compile(r"(?<![\w-])\w[\w-]*+(?:\.\w[\w-]++)+")
_WORD = re.compile(r"[^\W\d_]{2,}")

_PAGE_PARAMETER = re.compile(
    r"[?&](?:p|q|s|\w{0,20}id|page|article|story|post|news|node|item|view|option)=", re.IGNORECASE
)
"""Parameters that name one of many pages below one path."""

CLASSES = ("home", "error", "login", "consent", "robot", "empty")
"""Classes of pages without content; "" is content."""


def classify_content(
    title: str,
    headings: Sequence[str],
    body: str,
    *,
    visible: str = "",
    url: str = "",
    is_home: bool = False,
) -> str:
    """One of `CLASSES`, or "" for a page with content.

    A body without a sentence may be what is left of a wall: then `visible` decides, the whole text.
    `is_home` says that the path is that of a home page; a parameter may still name an article.
    """
    names = _title_parts((title, *headings))
    for kind, pattern in _NAMES.items():
        if len(body) <= MAX_WALL_CHARS and any(map(pattern.fullmatch, names)):
            return kind
    text = body if _SENTENCE.search(body[:MAX_WALL_CHARS]) else visible or body
    is_document = any(map(_DOCUMENT.search, names))
    if not is_document and (wall := _classify_wall((*headings, *text.split("\n")))):
        return wall
    if is_home and not _PAGE_PARAMETER.search(url):
        return "home"
    return "empty" if len(body) <= MAX_SHELL_CHARS else ""


def _classify_wall(lines: Collection[str]) -> str:
    """The kind of wall of which a short text has most of its words, "" for none."""
    kind, share, own, words = _measure_wall(lines)
    if words < MIN_WALL_WORDS or (kind != "consent" and sum(map(len, lines)) > MAX_MESSAGE_CHARS):
        return ""
    return kind if share > (MIN_SHARE if own > MIN_OWN_SHARE else MIN_SHARE_OF_ANY) else ""


def _measure_wall(lines: Collection[str]) -> tuple[str, float, float, int]:
    """The likeliest kind of wall, the shares of words of any kind and of this, and how many words.

    Nothing for a long text.
    """
    if sum(map(len, lines)) > MAX_WALL_CHARS:
        return "", 0.0, 0.0, 0
    text = "\n".join(dict.fromkeys(map(_normalise, lines)))
    words = [w for w in _WORD.findall(_HOST.sub(" ", text)) if w not in _function_words()]
    kinds = [{kind for kind in _STEMS if _STEMS[kind].match(word)} for word in words]
    counts = {kind: sum(kind in of_word for of_word in kinds) for kind in _STEMS}
    kind, total = max(counts, key=counts.__getitem__), max(1, len(words))
    return kind, sum(map(bool, kinds)) / total, counts[kind] / total, len(words)


@cache
def _function_words() -> frozenset[str]:
    return frozenset(map(_normalise, function_words()))


def is_block_notice(title: str, headings: Sequence[str], body: str) -> bool:
    """Whether title or heading are those of a block notice, and most words those of walls."""
    is_named = any(map(_NOTICE.fullmatch, _title_parts((title, *headings))))
    lines = (title, *headings, *body.split("\n"))
    return is_named and _measure_wall(lines)[1] > MIN_SHARE_OF_NOTICE


def _title_parts(titles: Iterable[str]) -> list[str]:
    return [_normalise(part) for title in titles for part in split_title(title)]


def _normalise(text: str) -> str:
    """Lower case, plain apostrophes, no accents and no Arabic marks."""
    low = unicodedata.normalize("NFKD", text.strip().casefold().replace("…", "..."))
    return "".join(c for c in low if not unicodedata.combining(c)).replace("’", "'")
