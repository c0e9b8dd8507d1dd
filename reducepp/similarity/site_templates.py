"""The text that a page is compared by: main text or visible text, without its site's template."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from reducepp.text.tokenise import words
from reducepp.text.urls import site_name
from reducepp.types import Page

MIN_TITLES_OF_TEMPLATE_LINE = 3
"""A line under this many different titles of one site belongs to the site, not to a page."""

MIN_TITLES_OF_MENU_LINE = 2
"""The same for a line that looks like a menu's."""

MAX_MENU_LINE_CHARS = 60
"""Longest line of a menu."""

MIN_REMAINING_CHARS = 200
"""Characters that must be left for a text to be compared without its template."""

MIN_VISIBLE_WORDS = 25
"""Words all visible text must have to count where no main text was found: less is a shell."""

_SENTENCE_END = re.compile(r"[.!?…:;؟۔。！？»”\"')\]]$")


def comparable_texts(pages: Sequence[Page]) -> tuple[str, ...]:
    """The text each page is compared by, in order.

    That is the main text, or all visible text where there is little of it, without the lines that
    stand on at least three pages of the same site under different titles; two are enough for
    short lines that end no sentence, since those are menus. Copies of one page share a title or
    come in twos, so the sentences they share stay. Sites count as one under several country
    domains. A page without main text that shows next to nothing ("Loading...") goes by its title.
    """
    texts = [_shown_text(page) for page in pages]
    sites = [site_name(page.url) for page in pages]
    titles: dict[tuple[str, str], set[str]] = defaultdict(set)
    pages_of = Counter(sites)
    for page, text, site in zip(pages, texts, sites, strict=True):
        if site and pages_of[site] >= MIN_TITLES_OF_MENU_LINE:
            title = " ".join(words(page.page_title, digits=True))
            for line in set(text.splitlines()):
                titles[site, line].add(title)
    template = {key for key, found in titles.items() if len(found) >= _min_titles(key[1])}
    return tuple(_without(text, site, template) for text, site in zip(texts, sites, strict=True))


def _shown_text(page: Page) -> str:
    is_shell = page.visible and not page.body and len(words(page.visible)) < MIN_VISIBLE_WORDS
    return page.page_title if is_shell else page.visible or page.body


def _min_titles(line: str) -> int:
    """Under how many titles a line must stand to be the site's."""
    in_menu = len(line) <= MAX_MENU_LINE_CHARS and not _SENTENCE_END.search(line)
    return MIN_TITLES_OF_MENU_LINE if in_menu else MIN_TITLES_OF_TEMPLATE_LINE


def _without(text: str, site: str, template: set[tuple[str, str]]) -> str:
    rest = "\n".join(line for line in text.splitlines() if (site, line) not in template)
    return rest if len(rest) >= MIN_REMAINING_CHARS else text
