"""Reading result pages by layouts and signs that are given as selectors and words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scraping.engines.engine import Found, Outcome, Reading
from scraping.engines.links import is_web_address
from scraping.engines.plain import read_plain
from scraping.engines.tree import first_text, ids_of, lies_in, parse_html, text_of


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What gives a page away that has no results: an element, or words in its text."""

    outcome: Outcome | Literal["error"]
    reason: str = ""
    selector: str = ""
    words: tuple[str, ...] = ()
    """Lower case; any of them in the visible text or the title."""
    source: tuple[str, ...] = ()
    """Any of them in the source as it stands."""
    unless: str = ""
    """A page with one of these elements is not meant."""


def read_layout(
    tree: LexborHTMLParser, layout: Layout, unwrap: Callable[[str], str]
) -> tuple[Found, ...]:
    """The results of one layout, in page order; each address of a page counts once."""
    skipped = ids_of(tree.css(layout.skip)) if layout.skip else set()
    taken: dict[str, Found] = {}
    for result in tree.css(layout.result):
        if lies_in(result, skipped) or (layout.labels and result.css_first(layout.labels)):
            continue
        found = _read_result(result, layout, unwrap)
        if found is not None:
            taken.setdefault(found.url, found)
    return tuple(taken.values())


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
    tree = parse_html(text)
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
    visible = visible_text(tree)
    found = read_plain(tree, unwrap, own)
    for sign in signs:
        if _is_seen(sign, tree, visible, text, with_words=len(found) < MANY_PLAIN):
            return Reading(outcome=sign.outcome, reason=sign.reason)
    if len(found) >= FEWEST_PLAIN:
        return Reading(found=found, outcome="results")
    for sign in COMMON_SIGNS:
        if _is_seen(sign, tree, visible, text):
            return Reading(outcome=sign.outcome, reason=sign.reason)
    return Reading()


def visible_text(tree: LexborHTMLParser) -> str:
    """Title and body in lower case."""
    title = tree.css_first("title")
    return f"{text_of(title)} {text_of(tree.body)}".lower()


def _is_seen(
    sign: Sign, tree: LexborHTMLParser, visible: str, text: str, *, with_words: bool = True
) -> bool:
    if sign.unless and tree.css_first(sign.unless):
        return False
    if sign.selector and tree.css_first(sign.selector):
        return True
    return with_words and (
        any(word in visible for word in sign.words) or any(piece in text for piece in sign.source)
    )


FEWEST_PLAIN = 3
"""Fewer plain headings than this are no result page."""
MANY_PLAIN = 5
"""As many as this are one, whatever words it has."""
COMMON_SIGNS = (
    Sign(
        outcome="blocked",
        reason="captcha",
        selector=(
            ".g-recaptcha, .h-captcha, iframe[src*='recaptcha'], iframe[src*='hcaptcha'], "
            "#captcha-form, form[action*='captcha' i], #cf-challenge-running, #challenge-form, "
            ".cf-turnstile, #challenge-running, img[src*='captcha' i], input[name*='captcha' i]"
        ),
        words=(
            "unusual traffic",
            "captcha",
            "are you a robot",
            "not a robot",
            "not a bot",
            "verify you are human",
            "verify you're human",
            "verifying you are human",
            "verifying your request",
            "confirm you are human",
            "just a moment...",
            "checking your browser",
            "checking if the site connection is secure",
            "anomaly detected",
        ),
    ),
    Sign(
        outcome="blocked",
        reason="block",
        words=(
            "access denied",
            "access to this page has been denied",
            "forbidden",
            "pardon our interruption",
            "enable javascript and cookies to continue",
            "too many requests",
            "429 too many",
            "request blocked",
            "you have been blocked",
            "automated requests",
            "automated queries",
            "rate limit",
        ),
    ),
    Sign(
        outcome="error",
        reason="the service is not available",
        words=(
            "internal server error",
            "server error",
            "bad gateway",
            "service unavailable",
            "temporarily unavailable",
            "gateway timeout",
            "gateway time-out",
            "something went wrong",
            "404 not found",
            "an error occurred",
        ),
    ),
)
