"""Parses HTML result pages by layouts and page rules, both given as selectors and phrases."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search.engine import Outcome, ParsedPage, Result, unique_results
from reducepp.scraping.search.result_links import is_web_address, is_within
from reducepp.scraping.search.result_tree import (
    ancestors,
    first_text,
    ids_of,
    is_inside,
    text_of,
)

Phrases = dict[str, dict[str, list[str]]]
PHRASES: Phrases = tomllib.loads(Path(__file__).with_name("page_phrases.toml").read_text("utf-8"))
"""Group, then kind of page → phrases in lower case."""

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
    skip: str = ""
    """A result that matches one of these, or lies inside one, is not organic."""
    ad_labels: str = ""
    """A result that contains one of these is an ad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRule:
    """Classifies a page without results by an element, by its text, or by its source."""

    outcome: Outcome | Literal["error"]
    reason: str = ""
    selector: str = ""
    phrases: tuple[str, ...] = ()
    """Lower case; any of them in the visible text or the title."""
    source: tuple[str, ...] = ()
    """Any of them in the source."""
    unless: str = ""
    """The rule does not apply to a page with one of these elements."""


COMMON_RULES = (
    PageRule(
        outcome="blocked",
        reason="captcha",
        selector=(
            ".g-recaptcha, .h-captcha, iframe[src*='recaptcha'], iframe[src*='hcaptcha'], "
            "#captcha-form, form[action*='captcha' i], #cf-challenge-running, #challenge-form, "
            ".cf-turnstile, #challenge-running, img[src*='captcha' i], input[name*='captcha' i]"
        ),
        phrases=tuple(PHRASES["common"]["captcha"]),
    ),
    PageRule(outcome="blocked", reason="block", phrases=tuple(PHRASES["common"]["block"])),
    PageRule(
        outcome="error",
        reason="the service is not available",
        phrases=tuple(PHRASES["common"]["error"]),
    ),
    PageRule(outcome="empty", phrases=tuple(PHRASES["common"]["empty"])),
)
"""Tried after an engine's own rules."""


def no_results(_: LexborHTMLParser) -> tuple[Result, ...]:
    """For engines whose layouts find everything."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlParser:
    """Parser of an engine's pages: layouts first, then page rules, then plain headings."""

    layouts: tuple[ResultLayout, ...] = ()
    rules: tuple[PageRule, ...] = ()
    unwrap: Callable[[str], str] = str
    """Target of a result link; empty for ads and the engine's own pages."""
    noise: str = ""
    """Labels inside titles and snippets, removed first."""
    own: tuple[str, ...] = ()
    """Domains of the engine, which plain headings may not link to."""
    prepare: Callable[[LexborHTMLParser], None] | None = None
    """Changes the tree before it is read."""
    find: Callable[[LexborHTMLParser], tuple[Result, ...]] = no_results
    """Results that no layout can describe; tried where no layout finds any."""

    def __call__(self, text: str, /) -> ParsedPage:
        """Results of the first layout that finds any, else what the rules say of the page."""
        tree = parse_for_css(text)
        for node in tree.css(self.noise) if self.noise else ():
            node.decompose()
        if self.prepare is not None:
            self.prepare(tree)
        for layout in self.layouts:
            if results := apply_layout(tree, layout, self.unwrap):
                return ParsedPage(results=results, outcome="results")
        if results := self.find(tree):
            return ParsedPage(results=results, outcome="results")
        return self._classify(tree, text)

    def _classify(self, tree: LexborHTMLParser, source: str) -> ParsedPage:
        """A page without known layout: the engine's rules, plain headings, common rules.

        Many headings with links to other sites outweigh a rule's phrases: results may speak of
        robots or of nothing found, too.
        """
        results = read_headings(tree, self.unwrap, self.own)
        few = len(results) < MANY_HEADINGS
        rule = first_match(self.rules, tree, source, only_elements=not few)
        if rule is None and len(results) >= MIN_HEADINGS:
            return ParsedPage(results=results, outcome="results")
        rule = rule or first_match(COMMON_RULES, tree, source)
        return ParsedPage(outcome=rule.outcome, reason=rule.reason) if rule else ParsedPage()


def apply_layout(
    tree: LexborHTMLParser, layout: ResultLayout, unwrap: Callable[[str], str]
) -> tuple[Result, ...]:
    """The results of one layout, in page order, each URL once."""
    skipped = ids_of(tree.css(layout.skip)) if layout.skip else set()
    organic = (
        node
        for node in tree.css(layout.result)
        if not is_inside(node, skipped)
        and not (layout.ad_labels and node.css_first(layout.ad_labels))
    )
    results = (_read_result(node, layout, unwrap) for node in organic)
    return unique_results(result for result in results if result is not None)


def _read_result(
    node: LexborNode, layout: ResultLayout, unwrap: Callable[[str], str]
) -> Result | None:
    for selector in layout.link:
        for link in (node,) if node.tag == "a" else node.css(selector):
            url = unwrap(link.attributes.get("href") or "")
            title = first_text(node, layout.title) or _longest_link_text(node, link)
            if is_web_address(url) and title:
                return Result(url=url, title=title, snippet=first_text(node, layout.snippet))
    return None


def _longest_link_text(result: LexborNode, link: LexborNode) -> str:
    """The longest text among a result's links to one URL: the others show site and path."""
    target = link.attributes.get("href")
    links = [node for node in result.css("a[href]") if node.attributes.get("href") == target]
    return max((text_of(node) for node in (link, *links)), key=len)


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
) -> tuple[Result, ...]:
    """Headings with links to other sites than the engine's own, each URL once."""
    headings = list(_linked_headings(tree, unwrap, own))
    counts = Counter(node.mem_id for heading, _ in headings for node in ancestors(heading))
    return unique_results(
        Result(url=url, title=text_of(heading), snippet=_longest_text_beside(heading, counts))
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
