"""Classify pages that have no content of their own: block notices, walls, errors, empty pages.

All sites behind one service send the same notice, so as pages they would be near-duplicates of
each other, and of whatever else contains that text. A wall is a short page most of whose words are
those of walls, in any phrase: an article on captchas contains other words as well. Fewer have to be
where the title consists of them, or the markup contains what walls are made with. A block notice is
one with the title of such notices.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from urllib.parse import urlsplit

from reducepp.scraping.extract.title_text import fold, split_title
from reducepp.scraping.extract.vocabulary import compile_marks, compile_phrases, read_vocabulary
from reducepp.text.lexicons import function_words
from reducepp.text.tokenise import normalise

MAX_WALL_CHARS = 1200
"""A page with more text than this has content beside its wall or its error message."""
MAX_SHELL_CHARS = 40
"""Text of an application that a browser has to build: a name, "Loading". A sign of a script without
spaces counts three times (`normalise` puts it between spaces): two of them are about a word."""
MAX_MESSAGE_CHARS = 400
"""The same where the words alone decide, except for consent walls: a message is a few sentences."""
MIN_SHARE, MIN_OWN_SHARE, MIN_SHARE_OF_ANY = 0.6, 0.52, 0.75
"""Shares of the distinct words, function words aside: those of walls, where so many are of one
kind, and where they are not. `python -m benchmarks walls` prints how many passages of real pages,
results and posts (100 to 400 characters) would be walls: 19 of 19,794, about half of them parts of
cookie notices and paywalls."""
SHARE_OF_TITLE, SHARE_OF_MARKUP = 0.12, 0.15
"""How much lower these shares may be where the title, or the markup, is that of a wall. Chosen with
the words on one half of 120 pages that we wrote in five languages."""
MIN_SENTENCE_WORDS, MIN_SENTENCE_SHARE = 5, 0.3
"""A sentence of so many words, with a lower share, is content that stands beside a notice."""
MIN_SHARE_OF_NOTICE = 0.7
"""The same below a title of block notices, of however few words."""
MIN_WALL_WORDS, MIN_CONFIRMED_WORDS = 4, 3
"""Fewer words say nothing; the second where title or markup confirm them."""
_KINDS = ("error", "login", "consent", "robot")
_AFFIXES = tuple(
    and_ + article
    for and_ in ("", "و", "ف")
    for article in ("", "بال", "كال", "لل", "ال", "ب", "ل")
)
"""Arabic conjunctions, prepositions and articles that stand before a word."""
_SENTENCE = re.compile(r"(?<!\S)(?:\S++\s++){4}\S*[.!?…؟]")
_SENTENCE_BORDER = re.compile(r"\n+|(?<=[.!?؟])\s+")
_HOST = re.compile(r"(?<![\w-])\w[\w-]*+(?:\.\w[\w-]++)+")
_WORD = re.compile(r"[^\W\d_]{2,}|\b[45]\d\d\b")
"""Words, and status codes of servers."""
_COMBINING = re.compile("[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]+")
"""Accents and Arabic marks."""

_ACCOUNT_FIELD = re.compile(r"<input\b[^<>]{0,300}(?:pass|mail|user|login)", re.IGNORECASE)
_PAGE_PARAMETER = re.compile(
    r"[?&](?:p|q|s|\w{0,20}id|page|article|story|post|news|node|item|view|option)=", re.IGNORECASE
)
"""Parameters that name one of many pages below one path."""

CLASSES = ("home", "error", "login", "consent", "robot", "empty")
"""Classes of pages without content; "" is content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What a page's class is inferred from; only title and body are always known."""

    title: str
    body: str
    headings: Sequence[str] = ()
    visible: str = ""
    """All text outside of links, for a body that is only what is left of a wall."""
    site_title: str = ""
    markup: str = ""

    @property
    def names(self) -> list[str]:
        """The parts of title and headings."""
        return _title_parts((self.title, *self.headings))

    @property
    def lines(self) -> list[str]:
        """The lines of the body, or of the whole text where the body has no sentence."""
        is_text = _SENTENCE.search(self.body[:MAX_WALL_CHARS])
        text = self.body if is_text else self.visible or self.body
        return [*self.headings, *text.split("\n")]


def classify_content(text: PageText, *, url: str = "", is_home: bool = False) -> str:
    """One of `CLASSES`, or "" for a page with content.

    `is_home` says that the path is that of a home page; a parameter may still name an article.
    """
    if wall := classify_wall(text):
        return wall
    if _asks_to_log_in(text, url):
        return "login"
    if is_home and not _PAGE_PARAMETER.search(url):
        return "home"
    size = len(text.body) if len(text.body) > MAX_SHELL_CHARS else len(normalise(text.body))
    return "empty" if size <= MAX_SHELL_CHARS else ""


def classify_text(title: str, body: str) -> str:
    """The class of a page of which nothing but title and text is known; "" for content.

    Whether it is a home page or an empty one is not known.
    """
    if is_block_notice(title, (), body):
        return "robot"
    return classify_wall(PageText(title=title, body=body)) if body else ""


def classify_wall(text: PageText) -> str:
    """The kind of wall or error that a page is, by its title, else by its words; "" for none."""
    for kind in ("error", "login") if len(text.body) <= MAX_WALL_CHARS else ():
        if any(map(compile_phrases(kind).fullmatch, text.names)):
            return kind
    kind = _classify_words(text)
    return "" if kind and any(map(compile_phrases("documents").search, text.names)) else kind


def _classify_words(text: PageText) -> str:
    """The kind of wall of which a short text has most of its words, "" for none."""
    lines = text.lines
    length = sum(map(len, lines))
    if length > MAX_WALL_CHARS:
        return ""
    site = {word for word in _words(text.site_title) if not _kinds(word)}
    kind, share, own, words = _measure_wall(lines, site)
    titles = (_words(title) - site for title in (text.title, *text.headings))
    is_titled = any(title and all(kind in _kinds(w) for w in title) for title in titles)
    least = MIN_SHARE if own > MIN_OWN_SHARE else MIN_SHARE_OF_ANY
    least -= SHARE_OF_TITLE * is_titled
    if share <= least - SHARE_OF_MARKUP or words < MIN_CONFIRMED_WORDS:
        return ""
    is_sure = share > least and words >= (MIN_CONFIRMED_WORDS if is_titled else MIN_WALL_WORDS)
    is_message = length <= MAX_MESSAGE_CHARS or kind == "consent"
    is_wall = (is_sure and is_message) or compile_marks().search(text.markup)
    return kind if is_wall and not _has_content(lines, site) else ""


def _asks_to_log_in(text: PageText, url: str) -> bool:
    """Whether a short page with a form has the address of a login, in whatever language it is."""
    if len(text.body) > MAX_WALL_CHARS or not url:
        return False
    parts = urlsplit(url)
    names = set(map(fold, re.split("[/.?&=]", f"{parts.netloc}{parts.path}?{parts.query}")))
    is_named = not names.isdisjoint(read_vocabulary("walls")["address"]["login"].split())
    return is_named and bool(_ACCOUNT_FIELD.search(text.markup))


def _has_content(lines: Collection[str], ignored: Collection[str]) -> bool:
    """Whether one of the sentences has hardly a word of walls."""
    for sentence in _SENTENCE_BORDER.split("\n".join(lines)):
        words = _words(sentence).difference(ignored)
        share = sum(bool(_kinds(word)) for word in words) / max(1, len(words))
        if len(words) >= MIN_SENTENCE_WORDS and share < MIN_SENTENCE_SHARE:
            return True
    return False


def _measure_wall(
    lines: Collection[str], ignored: Collection[str] = ()
) -> tuple[str, float, float, int]:
    """The likeliest kind of wall, the shares of words of any kind and of this, and how many words.

    Each word counts once: a text that repeats one word is about it.
    """
    words = _words("\n".join(lines)).difference(ignored)
    kinds = [_kinds(word) for word in words]
    counts = Counter(chain.from_iterable(kinds))
    kind, total = max(_KINDS, key=counts.__getitem__), max(1, len(words))
    return kind, sum(map(bool, kinds)) / total, counts[kind] / total, len(words)


def _words(text: str) -> set[str]:
    """The distinct words of a text without function words and names of hosts."""
    return set(_WORD.findall(_HOST.sub(" ", _normalise(text)))) - _neutral_words()


@lru_cache(maxsize=20_000)
def _kinds(word: str) -> frozenset[str]:
    """The kinds of walls that a word is one of."""
    if word.isdigit():
        return frozenset(("error",))
    stems, longest = _kinds_by_stem()
    affixes = ("",) if word.isascii() else _AFFIXES
    bare = [word[len(affix) :] for affix in affixes if word.startswith(affix)]
    starts = {f"{rest}$"[:end] for rest in bare for end in range(1, 2 + min(len(rest), longest))}
    return frozenset().union(*(stems[start] for start in starts & stems.keys()))


@cache
def _kinds_by_stem() -> tuple[dict[str, set[str]], int]:
    """Beginning of a word in walls.toml, or a whole word and "$", to kinds of walls; the longest's
    length."""
    stems: dict[str, set[str]] = {}
    for kind in _KINDS:
        for stem in " ".join(read_vocabulary("walls")[kind].values()).split():
            stems.setdefault(stem, set()).add(kind)
    return stems, max(map(len, stems))


@cache
def _neutral_words() -> frozenset[str]:
    words = " ".join(read_vocabulary("walls")["neutral"].values()).split()
    return frozenset(map(_normalise, (*function_words(), *words)))


def is_block_notice(title: str, headings: Sequence[str], body: str) -> bool:
    """Whether title or heading are those of a block notice, and most words those of walls."""
    lines = (title, *headings, *body.split("\n"))
    if sum(map(len, lines)) > MAX_WALL_CHARS:
        return False
    is_named = any(map(compile_phrases("robot").fullmatch, _title_parts((title, *headings))))
    return is_named and _measure_wall(lines)[1] > MIN_SHARE_OF_NOTICE


def _title_parts(titles: Iterable[str]) -> list[str]:
    return [_normalise(part) for title in titles for part in split_title(title)]


def _normalise(text: str) -> str:
    """Lower case, plain apostrophes, no accents and no Arabic marks."""
    low = text.strip().casefold()
    if low.isascii():
        return low
    plain = unicodedata.normalize("NFKD", low.replace("…", "...").replace("’", "'"))
    return _COMBINING.sub("", plain)
