"""Google: rendered, mobile and script-free result pages since 2017.

Class names change several times a year, so a result is detected by its structure first: a link
that holds a heading (or a heading that holds a link) in the results column, with a target
outside the search itself. The selectors are in engines/google.toml: what lies inside one of
`not_organic` is an ad, a related question, news, a video or product card, or a site link. A
featured answer is not a result, unless its URL is also in the list of results.
"""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import islice, takewhile

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.search.engine import MAX_HITS, Result, unique_results
from reducepp.scraping.search.google_blocks import MAX_TITLES, SELECTORS, PageBlocks
from reducepp.scraping.search.google_links import unwrap
from reducepp.scraping.search.result_tree import ancestors, text_of

MIN_TITLES = 3
"""Fewer titles of one kind may be stray headings of a page that uses another kind."""
MAX_SNIPPET_DISTANCE = 15
"""Most parents from a title up to the element that also holds its snippet."""


def find_results(tree: LexborHTMLParser) -> tuple[Result, ...]:
    """Results by the first kind of title that gives some, except for stray headings."""
    body = tree.body
    if body is None:
        return ()
    blocks = PageBlocks(tree)
    first, *others = (_titles(body.css(kind)[:MAX_TITLES], blocks) for kind in SELECTORS["titles"])
    second, last = (blocks.without_boxes(found) for found in others)
    if len(first) < MIN_TITLES and len(second) > len(first):
        first = second
    return tuple(_with_snippets(first or last, tree))


def _titles(nodes: list[LexborNode], blocks: PageBlocks) -> list[tuple[LexborNode, Result]]:
    """The titles of hits, each address once."""
    results = ((title, _result(title, blocks)) for title in nodes)
    found = [(title, one) for title, one in results if one is not None]
    kept = {id(one) for one in unique_results((one for _, one in found), separate=True)}
    return [(title, one) for title, one in found if id(one) in kept][:MAX_HITS]


def _with_snippets(titles: list[tuple[LexborNode, Result]], tree: LexborHTMLParser) -> list[Result]:
    """Adds the snippet of the smallest element around a title that has one and no other title."""
    uses = Counter(part.mem_id for title, _ in titles for part in ancestors(title))
    texts = _snippet_nodes(tree) if titles else {}
    found = []
    for title, one in titles:
        near = (part.mem_id for part in islice(ancestors(title), MAX_SNIPPET_DISTANCE))
        alone = takewhile(lambda part: uses[part] == 1, near)
        nodes = (node for part in alone for node in texts.get(part, ()))
        snippet = next((text for node in nodes if (text := text_of(node))), "")
        found.append(replace(one, snippet=snippet))
    return found


def _snippet_nodes(tree: LexborHTMLParser) -> dict[int, list[LexborNode]]:
    """Element → its first snippet nodes, those of the most reliable selector first."""
    found: defaultdict[int, list[LexborNode]] = defaultdict(list)
    for selector in SELECTORS["snippets"]:
        for node in tree.css(selector)[:MAX_TITLES]:
            for part in islice(ancestors(node), MAX_SNIPPET_DISTANCE):
                if len(found[part.mem_id]) < MIN_TITLES:
                    found[part.mem_id].append(node)
    return found


def _result(title: LexborNode, blocks: PageBlocks) -> Result | None:
    link = _link_of(title, blocks.results)
    url = unwrap(link.attributes.get("href") or "") if link is not None else ""
    heading = text_of(title)
    if link is None or not url or not heading or not blocks.is_organic(title, link):
        return None
    return Result(url=url, title=heading)


def _link_of(title: LexborNode, results: set[int]) -> LexborNode | None:
    """The link around a title, else the first inside it, else the one of its result."""
    around = next((node for node in ancestors(title) if node.tag == "a"), None)
    if around is not None:
        return around
    inside = title.css_first("a[href]")
    if inside is not None or title.tag == "h3":
        return inside
    result = next((node for node in ancestors(title) if node.mem_id in results), None)
    return result.css_first(SELECTORS["phone_links"]) if result is not None else None
