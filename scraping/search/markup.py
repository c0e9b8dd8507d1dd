"""Reading result pages by layouts and signs that are given as selectors and words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search.engine import Found, Reading, keep_once
from reducepp.scraping.search.page_signs import COMMON_SIGNS, Seen, Sign, first_sign, visible_text
from reducepp.scraping.search.result_links import is_web_address
from reducepp.scraping.search.result_tree import first_text, ids_of, lies_in, text_of
from reducepp.scraping.search.unknown_markup import read_plain

__all__ = ["Layout", "Sign", "read_layout", "read_page", "read_rest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One generation of an engine's markup; the first selector that gives something wins."""

    result: str
    link: tuple[str, ...]
    title: tuple[str, ...] = ()
    """Inside the result; where nothing matches, the text of the link."""
    snippet: tuple[str, ...] = ()
    skip: str = ""
    """A result that is or lies inside one of these is not organic."""
    labels: str = ""
    """Nor is a result that holds one of these: the word `ad`."""


def read_layout(
    tree: LexborHTMLParser, layout: Layout, unwrap: Callable[[str], str]
) -> tuple[Found, ...]:
    """The results of one layout, in page order; each address of a page counts once."""
    skipped = ids_of(tree.css(layout.skip)) if layout.skip else set()
    organic = (
        result
        for result in tree.css(layout.result)
        if not lies_in(result, skipped) and not (layout.labels and result.css_first(layout.labels))
    )
    results = (_read_result(result, layout, unwrap) for result in organic)
    return keep_once(found for found in results if found is not None)


def _read_result(result: LexborNode, layout: Layout, unwrap: Callable[[str], str]) -> Found | None:
    for selector in layout.link:
        for link in (result,) if result.tag == "a" else result.css(selector):
            url = unwrap(link.attributes.get("href") or "")
            title = first_text(result, layout.title) or _longest_text(result, link)
            if is_web_address(url) and title:
                return Found(url=url, title=title, snippet=first_text(result, layout.snippet))
    return None


def _longest_text(result: LexborNode, link: LexborNode) -> str:
    """The longest text of a result's links to one address: the others show site and path."""
    target = link.attributes.get("href")
    links = [node for node in result.css("a[href]") if node.attributes.get("href") == target]
    return max((text_of(node) for node in (link, *links)), key=len)


def read_page(
    text: str,
    layouts: Iterable[Layout],
    signs: Iterable[Sign],
    unwrap: Callable[[str], str] = str,
    noise: str = "",
    own: tuple[str, ...] = (),
) -> Reading:
    """Results of the first layout that finds any, else what the signs say of the page.

    What `noise` selects is taken out first: labels inside titles and descriptions.
    """
    tree = parse_for_css(text)
    for node in tree.css(noise) if noise else ():
        node.decompose()
    for layout in layouts:
        if found := read_layout(tree, layout, unwrap):
            return Reading(found=found, outcome="results")
    return read_rest(tree, text, signs, unwrap, own)


def read_rest(
    tree: LexborHTMLParser,
    text: str,
    signs: Iterable[Sign],
    unwrap: Callable[[str], str],
    own: tuple[str, ...] = (),
) -> Reading:
    """A page that no known layout fits: the engine's signs, plain headings, common signs.

    Many headings with links to other sites than the engine's `own` outweigh a sign that is no
    more than words: results speak of robots and of nothing found, too.
    """
    seen = Seen(tree=tree, visible=visible_text(tree), source=text)
    found = read_plain(tree, unwrap, own)
    sign = first_sign(signs, seen, with_words=len(found) < MANY_PLAIN)
    if sign is None and len(found) >= FEWEST_PLAIN:
        return Reading(found=found, outcome="results")
    sign = sign or first_sign(COMMON_SIGNS, seen)
    return Reading() if sign is None else Reading(outcome=sign.outcome, reason=sign.reason)


FEWEST_PLAIN = 3
"""Fewer plain headings than this are no result page."""
MANY_PLAIN = 5
"""As many as this are one, whatever words it has."""
