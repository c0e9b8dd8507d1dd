"""The last resort where no known layout fits: headings with outside links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.search.engine import Found, keep_once
from reducepp.scraping.search.result_links import is_web_address, is_within
from reducepp.scraping.search.result_tree import ancestors, ids_of, lies_in, text_of

HEADINGS = "h2, h3, h4, [role='heading']"
ASIDE = (
    "header, nav, footer, aside, form, dialog, details, [role='dialog'], "
    ".ad, .ads, [class*='sponsor' i], [id*='sponsor' i], [data-testid='ad'], [data-type='ad'], "
    "[class*='carousel' i], [class*='related' i], [class*='faq' i], [class*='also-ask' i]"
)
"""Parts of a page that are no results under any engine's names for them."""
MAX_HEADINGS = 1_000
MAX_DESCRIPTIONS = 60
"""Blocks looked at for one description: pages are hostile."""


def read_plain(
    tree: LexborHTMLParser, unwrap: Callable[[str], str], own: tuple[str, ...] = ()
) -> tuple[Found, ...]:
    """Headings with links to other sites than the engine's own, each address once."""
    headings = list(_headings(tree, unwrap, own))
    counts = Counter(node.mem_id for heading, _ in headings for node in ancestors(heading))
    return keep_once(
        Found(url=url, title=text_of(heading), snippet=_description(heading, counts))
        for heading, url in headings
    )


def _headings(
    tree: LexborHTMLParser, unwrap: Callable[[str], str], own: tuple[str, ...]
) -> Iterator[tuple[LexborNode, str]]:
    skipped = ids_of(tree.css(ASIDE))
    for heading in tree.css(HEADINGS)[:MAX_HEADINGS]:
        if lies_in(heading, skipped) or not text_of(heading):
            continue
        around = next((node for node in ancestors(heading) if node.tag == "a"), None)
        for link in (around,) if around is not None else heading.css("a[href]"):
            url = unwrap(link.attributes.get("href") or "")
            if is_web_address(url) and not is_within(url, *own):
                yield heading, url
                break


def _description(heading: LexborNode, counts: Counter[int]) -> str:
    """The longest text beside a heading, in the largest block that holds no other heading."""
    block = heading
    for node in ancestors(heading):
        if counts[node.mem_id] > 1 or node.tag in ("main", "body"):
            break
        block = node
    above = ids_of(ancestors(heading)) | {heading.mem_id}
    texts = [
        text_of(node)
        for node in block.css("p, div, span")[:MAX_DESCRIPTIONS]
        if node.mem_id not in above and not lies_in(node, {heading.mem_id})
    ]
    return max(texts, key=len, default="")
