"""Website titles settled between pages of one host."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from reducepp.scraping.extract.host_names import site_host
from reducepp.scraping.extract.title_text import fold, split_title
from reducepp.text.urls import registered_domain
from reducepp.types import Page


def settle_site_titles(pages: Sequence[Page]) -> list[Page]:
    """The same pages, in order, where a website's title is only known from its other pages.

    A page named by its domain alone takes the name that most pages of its host have, or the
    part that its title shares, at the same end, with the title of another page of the host.
    """
    by_host: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        by_host[site_host(page.url)].append(page)
    names = {host: _common_name(group) for host, group in by_host.items() if host}
    return [_named(page, names.get(site_host(page.url), "")) for page in pages]


def _common_name(group: Sequence[Page]) -> str:
    """The name most pages of a host have, else the title part that two of them share."""
    known = Counter(p.site_title for p in group if p.site_title and not _is_fallback(p))
    if known:
        return min(known, key=lambda name: (-known[name], name))
    parts: Counter[str] = Counter()
    for title in {p.page_title for p in group}:
        pieces = split_title(title)
        parts.update({pieces[0], pieces[-1]} if len(pieces) > 1 else ())
    shared = [part for part, count in parts.items() if count > 1]
    return min(shared, key=lambda part: (-parts[part], part), default="")


def _is_fallback(page: Page) -> bool:
    return "." in page.site_title and page.site_title == registered_domain(page.url)


def _named(page: Page, name: str) -> Page:
    """The page under its website's name, which leaves its own title."""
    if not name or not _is_fallback(page):
        return page
    pieces = split_title(page.page_title)
    title = page.page_title
    if len(pieces) > 1 and fold(pieces[-1]) == fold(name):
        title = title[: title.rfind(pieces[-1])].rstrip(" |-–—·•~/:»«<>")
    elif len(pieces) > 1 and fold(pieces[0]) == fold(name):
        title = title[title.find(pieces[0]) + len(pieces[0]) :].lstrip(" |-–—·•~/:»«<>")
    return replace(page, site_title=name, page_title=title)
