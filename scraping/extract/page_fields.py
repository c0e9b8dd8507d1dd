"""What every format's pages have in common: text on one line, language, headings and links."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urljoin

from reducepp.text.language_detection import detect_language
from reducepp.text.urls import canonical_url
from reducepp.types import Page

MAX_SUBTITLES, MAX_LINKS = 200, 2_000
"""99 of 100 of the 538 labelled HTML pages have at most 114 headings; the most links are 804."""
MAX_ADDRESS_CHARS = 8_000
"""Servers reject longer addresses, and joining them to a base is slow."""
MIN_CHARS_FOR_DETECTION = 60
"""Below it detection errs more often than the declared language (cases of short pages)."""
MIN_CHARS_IN_OTHER_SCRIPT = 4 * MIN_CHARS_FOR_DETECTION
"""The same where the declared language has a script of its own: a few Latin words on such a page
are its template."""
_OTHER_SCRIPTS = frozenset(("ar", "fa", "ur", "he", "ru", "uk", "el", "zh", "ja", "ko", "th", "hi"))
_NO_WEB_ADDRESS = ("#", "javascript:", "mailto:", "tel:", "data:", "whatsapp:", "sms:")

_ESCAPE = re.compile("\x1b(?:\\[[0-?]{0,30}[ -/]{0,5}[@-~]|[@-Z\\\\-_])?|\x9b[0-?]{0,30}[@-~]?")
"""Escape sequences of terminals."""
_UNPRINTABLE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
"""Control characters, those that change the direction of what follows, and invisible ones."""
_JOINT = "\u200b"
_NO_WORD_BORDER = re.compile(
    "(?<![\u0e00-\u109f\u1780-\u17ff])\u200b(?![\u0e00-\u109f\u1780-\u17ff])"
)
"""A zero-width space but for scripts in which it separates words (Thai, Burmese, Khmer)."""
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""Soft hyphens and joints of words: no part of a title."""
_LINES = ("page_title", "site_title", "author", "fetched_title", "rendered_title")
_TEXTS = ("body", "visible", "fetched_body", "rendered_body", "snippet")


def collapse_spaces(text: str) -> str:
    """Text on one line with single spaces, without soft hyphens and other invisible joints."""
    return " ".join((text if text.isascii() else text.translate(_INVISIBLE)).split())


def resolve_language(text: str, declared: str = "") -> str:
    """Language of the text; the declared one where the text is too short for detection."""
    stated = declared if len(declared) == 2 else ""
    least = MIN_CHARS_IN_OTHER_SCRIPT if stated in _OTHER_SCRIPTS else MIN_CHARS_FOR_DETECTION
    if stated and len(text) < least:
        return stated
    return detect_language(text, stated) or stated


def resolve_base(url: str, base: str) -> str:
    """The address that relative links start from: the page's own, changed by a web `<base>`."""
    try:
        found = urljoin(url, base) if len(base) <= MAX_ADDRESS_CHARS else url
    except ValueError:
        return url
    return found if found.startswith(("http:", "https:")) else url


def canonical_links(addresses: Iterable[str], base: str) -> tuple[str, ...]:
    """Canonical web addresses of the links, each once, in order; at most `MAX_LINKS`.

    Control characters are percent-encoded, as browsers request them.
    """
    found: dict[str, None] = {}
    for href in dict.fromkeys(addresses):
        if not href.strip() or len(href) > MAX_ADDRESS_CHARS or href.startswith(_NO_WEB_ADDRESS):
            continue
        if address := canonical_url(href, base):
            found.setdefault(_UNPRINTABLE.sub(lambda part: quote(part[0]), address))
        if len(found) >= MAX_LINKS:
            break
    return tuple(found)


def remove_controls(page: Page) -> Page:
    """The page without characters that steer a terminal or change the direction of what follows.

    Titles, headings and author are one line each, as they are printed beside other text.
    """
    fields: dict[str, Any] = {name: _on_one_line(getattr(page, name)) for name in _LINES}
    fields |= {name: _printable(getattr(page, name)) for name in _TEXTS}
    fields["subtitles"] = tuple(filter(None, map(_on_one_line, page.subtitles)))
    return replace(page, **fields)


def _printable(text: str) -> str:
    if _JOINT in text:
        lines = (line for line in text.split("\n") if not line or line.strip(f"{_JOINT} "))
        text = _NO_WORD_BORDER.sub("", "\n".join(lines))
    if not _UNPRINTABLE.search(text):
        return text
    return _UNPRINTABLE.sub("", _ESCAPE.sub("", text.replace("\t", " ")))


def _on_one_line(text: str) -> str:
    return collapse_spaces(_printable(text))
