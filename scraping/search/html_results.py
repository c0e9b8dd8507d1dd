"""Parses HTML result pages by layouts and page rules, both given as selectors and phrases."""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search.engine import Outcome, ResultPage, unique_results
from reducepp.scraping.search.result_links import is_web_address, is_within
from reducepp.scraping.search.result_tree import (
    MAX_MATCHES,
    ancestors,
    first_text,
    ids_of,
    is_inside,
    text_of,
)
from reducepp.types import SearchHit

T = TypeVar("T")

HEADINGS = "h2, h3, h4, [role='heading']"
NOT_RESULTS = (
    "header, nav, footer, aside, form, dialog, details, [role='dialog'], "
    ".ad, .ads, [class*='sponsor' i], [id*='sponsor' i], [data-testid='ad'], [data-type='ad'], "
    "[class*='carousel' i], [class*='related' i], [class*='faq' i], [class*='also-ask' i]"
)
"""Parts of a page that hold no results, whatever the engine."""
MAX_HEADINGS = 1_000
"""Headings read where no layout fits; result pages have fewer than 200."""
MAX_SNIPPET_CANDIDATES = 60
"""Blocks compared for one snippet, so that a hostile page costs bounded time."""
MAX_NESTED_RESULTS = 3
"""Results around a result, of which engines have one at most: more cost the square of the page."""
MIN_HEADINGS = 3
"""Fewer headings with outside links than this are no result page."""
MANY_HEADINGS = 5
"""From this many on, a page is a result page even if it contains the phrases of a page rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLayout:
    """One generation of an engine's markup; the first selector that matches text wins."""

    result: str
    link: tuple[str, ...]
    title: tuple[str, ...] = ()
    """Inside the result; where nothing matches, the text of the link."""
    snippet: tuple[str, ...] = ()
    snippet_after: str = ""
    """Snippet in an element after the result and before the next one: rows of a table."""
    skip: str = ""
    """A result that matches one of these, or lies inside one, is not organic."""
    ad_labels: str = ""
    """A result that contains one of these is an ad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRule:
    """Classifies a page without results by an element, by its text, or by its source."""

    outcome: Outcome
    reason: str = ""
    selector: str = ""
    phrases: tuple[str, ...] = ()
    """Lower case; any of them in the visible text or the title."""
    source: tuple[str, ...] = ()
    """Any of them in the source."""
    unless: str = ""
    """The rule does not apply to a page with one of these elements."""


def read_tables(kind: type[T], tables: Iterable[Mapping[str, Any]]) -> tuple[T, ...]:
    """Values of a dataclass from tables of a TOML file; lists become tuples."""
    return tuple(
        kind(**{n: tuple(v) if isinstance(v, list) else v for n, v in t.items()}) for t in tables
    )


COMMON_RULES = read_tables(
    PageRule, tomllib.loads(Path(__file__).with_name("page_rules.toml").read_text("utf-8"))["rules"]
)
"""Tried after an engine's own rules."""


def find_nothing(*_: object) -> tuple[()]:
    """For engines whose layouts find everything."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlParser:
    """Parser of an engine's pages: layouts first, then page rules, then plain headings."""

    layouts: tuple[ResultLayout, ...] = ()
    rules: tuple[PageRule, ...] = ()
    unwrap: Callable[[str], str] = str
    """Target of a result link; empty for ads and the engine's own pages."""
    named: Callable[[LexborNode], Iterable[str]] = find_nothing
    """Links to a result's page in its attributes; they go before the link that is shown."""
    noise: str = ""
    """Labels inside titles and snippets, removed first."""
    own: tuple[str, ...] = ()
    """Domains of the engine, which plain headings may not link to."""
    breadcrumbs: str = ""
    """Site and path inside the links of titles, removed where more text is left."""
    dates: str = ""
    """Dates directly before a snippet; a space is inserted."""
    find: Callable[[LexborHTMLParser, Callable[[str], str]], tuple[SearchHit, ...]] = find_nothing
    """Results that no layout can describe, by the tree and `unwrap`; tried where no layout finds
    any."""

    def __call__(self, text: str, /) -> ResultPage:
        """Results of the first layout that finds any, else its class by the rules."""
        tree = parse_for_css(text)
        self._clean(tree)
        for layout in self.layouts:
            if results := self._apply(tree, layout):
                return ResultPage(hits=results, outcome="results")
        if results := self.find(tree, self.unwrap):
            return ResultPage(hits=results, outcome="results")
        return self._classify(tree, text)

    def _clean(self, tree: LexborHTMLParser) -> None:
        for node in tree.css(self.noise) if self.noise else ():
            node.decompose()
        for node in tree.css(self.breadcrumbs) if self.breadcrumbs else ():
            heading = node.parent
            if heading is not None and len(heading.text().strip()) > len(node.text().strip()):
                node.decompose()
        for node in tree.css(self.dates) if self.dates else ():
            node.insert_after(" ")

    def _apply(self, tree: LexborHTMLParser, layout: ResultLayout) -> tuple[SearchHit, ...]:
        """The results of one layout, in page order, each URL once."""
        skipped = ids_of(tree.css(layout.skip)) if layout.skip else set()
        found = tree.css(layout.result)
        known = ids_of(found)
        organic = (
            node
            for node in found
            if not is_inside(node, skipped)
            and sum(parent.mem_id in known for parent in ancestors(node)) <= MAX_NESTED_RESULTS
            and not (layout.ad_labels and node.css_first(layout.ad_labels))
        )
        results = (self._read_result(node, layout) for node in organic)
        return unique_results(result for result in results if result is not None)

    def _read_result(self, node: LexborNode, layout: ResultLayout) -> SearchHit | None:
        named = next(filter(None, self.named(node)), "")
        links = [node] if node.tag == "a" else [a for css in layout.link for a in node.css(css)]
        del links[MAX_MATCHES:]
        title = first_text(node, layout.title)
        texts = {} if title else _longest_link_texts([*links, *node.css("a[href]")[:MAX_MATCHES]])
        for link in links:
            href = link.attributes.get("href") or ""
            url, shown = self.unwrap(named or href), title or texts[href]
            if is_web_address(url) and shown:
                return SearchHit(url=url, title=shown, snippet=_snippet_of(node, layout))
        return None

    def _classify(self, tree: LexborHTMLParser, source: str) -> ResultPage:
        """A page without known layout: the engine's rules, plain headings, common rules.

        Many headings with links to other sites outweigh a rule's phrases: results may mention
        robots or of nothing found, too.
        """
        results = read_headings(tree, self.unwrap, self.own)
        few = len(results) < MANY_HEADINGS
        rule = first_match(self.rules, tree, source, only_elements=not few)
        if rule is None and len(results) >= MIN_HEADINGS:
            return ResultPage(hits=results, outcome="results")
        rule = rule or first_match(COMMON_RULES, tree, source)
        return ResultPage(outcome=rule.outcome, reason=rule.reason) if rule else ResultPage()


def _snippet_of(node: LexborNode, layout: ResultLayout) -> str:
    snippet = first_text(node, layout.snippet)
    following = node.next if layout.snippet_after else None
    while not snippet and following is not None and not following.css_matches(layout.result):
        snippet = first_text(following, (layout.snippet_after,)) if following.tag == "tr" else ""
        following = following.next
    return snippet


def _longest_link_texts(links: list[LexborNode]) -> dict[str, str]:
    """The longest text among a result's links to one URL: the others show site and path."""
    found: dict[str, str] = {}
    for link in links:
        href = link.attributes.get("href") or ""
        found[href] = max(found.get(href, ""), text_of(link), key=len)
    return found


def first_match(
    rules: Iterable[PageRule], tree: LexborHTMLParser, source: str, *, only_elements: bool = False
) -> PageRule | None:
    """The first rule that matches by an element, else by the visible text, else by the source.

    The source comes last: pages carry URLs of captchas and consent forms that they never show.
    """
    rules = [rule for rule in rules if not (rule.unless and tree.css_first(rule.unless))]
    for rule in rules:
        if rule.selector and tree.css_first(rule.selector):
            return rule
    if only_elements:
        return None
    visible = f"{text_of(tree.css_first('title'))} {text_of(tree.body)}".lower()
    by_text = (rule for rule in rules if any(phrase in visible for phrase in rule.phrases))
    by_source = (rule for rule in rules if any(part in source for part in rule.source))
    return next(by_text, None) or next(by_source, None)


def read_headings(
    tree: LexborHTMLParser, unwrap: Callable[[str], str], own: tuple[str, ...] = ()
) -> tuple[SearchHit, ...]:
    """Headings with links to other sites than the engine's own, each URL once."""
    headings = list(_linked_headings(tree, unwrap, own))
    counts = Counter(node.mem_id for heading, _ in headings for node in ancestors(heading))
    return unique_results(
        SearchHit(url=url, title=text_of(heading), snippet=_longest_text_beside(heading, counts))
        for heading, url in headings
    )


def _linked_headings(
    tree: LexborHTMLParser, unwrap: Callable[[str], str], own: tuple[str, ...]
) -> Iterator[tuple[LexborNode, str]]:
    skipped = ids_of(tree.css(NOT_RESULTS))
    for heading in tree.css(HEADINGS)[:MAX_HEADINGS]:
        if is_inside(heading, skipped) or not text_of(heading):
            continue
        around = next((node for node in ancestors(heading) if node.tag == "a"), None)
        for link in (around,) if around is not None else heading.css("a[href]"):
            url = unwrap(link.attributes.get("href") or "")
            if is_web_address(url) and not is_within(url, *own):
                yield heading, url
                break


def _longest_text_beside(heading: LexborNode, counts: Counter[int]) -> str:
    """The longest text beside a heading, in the largest block that holds no other heading."""
    block = heading
    for node in ancestors(heading):
        if counts[node.mem_id] > 1 or node.tag in ("main", "body"):
            break
        block = node
    above = ids_of(ancestors(heading)) | {heading.mem_id}
    texts = [
        text_of(node)
        for node in block.css("p, div, span")[:MAX_SNIPPET_CANDIDATES]
        if node.mem_id not in above and not is_inside(node, {heading.mem_id})
    ]
    return max(texts, key=len, default="")
