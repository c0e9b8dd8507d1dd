"""Reading result pages: folded text, unwrapped links, and layouts given as selectors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scraping.engines.engine import Found, Outcome, Reading

BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure"),
        *("footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav"),
        *("ol", "p", "pre", "section", "table", "tbody", "td", "th", "thead", "tr", "ul"),
    )
)
"""Elements that a browser sets apart: their text never runs into the text beside it."""
SILENT = frozenset(["script", "style", "noscript", "template", "svg", "head", "title"])


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

    outcome: Outcome
    reason: str = ""
    selector: str = ""
    words: tuple[str, ...] = ()
    """Lower case; any of them in the visible text or the title."""
    source: tuple[str, ...] = ()
    """Any of them in the source as it stands."""
    unless: str = ""
    """A page with one of these elements is not meant."""


def parse_html(text: str) -> LexborHTMLParser:
    """The tree of a page, without scripts and styles."""
    tree = LexborHTMLParser(text or " ")
    tree.strip_tags(["script", "style"])
    return tree


def text_of(node: LexborNode | None) -> str:
    """Visible text with white space folded; blocks are set apart, inline marks are not."""
    if node is None:
        return ""
    pieces: list[str] = []
    _collect_text(node, pieces)
    return " ".join("".join(pieces).split())


def _collect_text(top: LexborNode, pieces: list[str]) -> None:
    """Text of the nodes below one, walked without recursion: pages are hostile."""
    stack: list[LexborNode | str] = [top]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif node.tag == "-text":
            pieces.append(node.text_content or "")
        elif node.tag not in SILENT or node.mem_id == top.mem_id:
            if node.tag in BLOCKS:
                pieces.append(" ")
                stack.append(" ")
            stack.extend(reversed(list(node.iter(include_text=True))))


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """The node's parents, nearest first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def ids_of(nodes: Iterable[LexborNode]) -> set[int]:
    """What identifies nodes of one tree."""
    return {node.mem_id for node in nodes}


def lies_in(node: LexborNode, ids: set[int]) -> bool:
    """Whether the node or one of its parents is among those."""
    return node.mem_id in ids or any(parent.mem_id in ids for parent in ancestors(node))


def first_text(node: LexborNode, selectors: Iterable[str]) -> str:
    """Text of the first selector's first match that has any."""
    for selector in selectors:
        for match in node.css(selector):
            if text := text_of(match):
                return text
    return ""


def is_web_address(url: str) -> bool:
    """Whether this is an absolute http or https address with a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.netloc)


def parameter(url: str, *names: str) -> str:
    """The first of these query parameters that is there, decoded; else empty."""
    try:
        values = parse_qs(urlsplit(url).query)
    except ValueError:
        return ""
    return next((values[name][0] for name in names if values.get(name)), "")


def host_of(url: str) -> str:
    """Host name in lower case; empty where the address cannot be read."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def path_of(url: str) -> str:
    """Path of an address; empty where it cannot be read."""
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def path_after(url: str, mark: str) -> str:
    """What stands between a mark such as ``/RU=`` and the next slash, decoded; else empty."""
    match = re.search(re.escape(mark) + r"([^/?&#]+)", url)
    return unquote(match[1]) if match else ""


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
            title = first_text(result, layout.title) or text_of(link)
            if is_web_address(url) and title:
                return Found(url=url, title=title, snippet=first_text(result, layout.snippet))
    return None


def read_page(
    text: str,
    layouts: Iterable[Layout],
    signs: Iterable[Sign],
    unwrap: Callable[[str], str] = str,
    noise: str = "",
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
    return read_rest(tree, text, signs, unwrap)


def read_rest(
    tree: LexborHTMLParser, text: str, signs: Iterable[Sign], unwrap: Callable[[str], str]
) -> Reading:
    """A page that no known layout fits: the engine's signs, plain headings, common signs."""
    visible = visible_text(tree)
    for sign in signs:
        if _is_seen(sign, tree, visible, text):
            return Reading(outcome=sign.outcome, reason=sign.reason)
    found = read_layout(tree, PLAIN, unwrap)
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


def _is_seen(sign: Sign, tree: LexborHTMLParser, visible: str, text: str) -> bool:
    if sign.unless and tree.css_first(sign.unless):
        return False
    return (
        bool(sign.selector and tree.css_first(sign.selector))
        or any(word in visible for word in sign.words)
        or any(piece in text for piece in sign.source)
    )


PLAIN = Layout(
    result="h2, h3, a[href]:has(h2), a[href]:has(h3)",
    link=("a[href]",),
    title=("h2", "h3"),
    skip="header, nav, footer, aside, form, dialog",
)
"""Headings with a link: what is left where an engine has new clothes."""
FEWEST_PLAIN = 3
"""Fewer plain headings than this are no result page."""

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
            "verify you are human",
            "just a moment...",
            "checking your browser",
            "anomaly detected",
        ),
    ),
    Sign(
        outcome="blocked",
        reason="block",
        words=(
            "access denied",
            "403 forbidden",
            "too many requests",
            "429 too many",
            "request blocked",
            "you have been blocked",
            "automated requests",
            "automated queries",
            "rate limit",
        ),
    ),
)
