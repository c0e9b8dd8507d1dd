"""HTML text → Page: titles, subtitles, links, body, language and date of one document."""

from __future__ import annotations

import re

from reducepp.errors import NoticeError, SplitError
from reducepp.scraping.extract.block_notices import is_block_notice
from reducepp.scraping.extract.blocks import Layout, read_blocks
from reducepp.scraping.extract.body import Body, find_body
from reducepp.scraping.extract.boilerplate import ENOUGH
from reducepp.scraping.extract.dates import Shown, stated_date
from reducepp.scraping.extract.documentation_tools import is_manual
from reducepp.scraping.extract.html_parsing import parse_html
from reducepp.scraping.extract.metadata import Metadata, read_metadata, text_of
from reducepp.scraping.extract.page_links import base_address, canonical_links
from reducepp.scraping.extract.title_evidence import gather_titles
from reducepp.scraping.extract.title_text import fold
from reducepp.scraping.extract.titles import settle_titles
from reducepp.text.language_detection import detect_language
from reducepp.types import Page

MAX_SUBTITLES = 200
LITTLE = 1000
"""Characters of main text below which a page's whole visible text is kept as well."""
FOOT = 40
"""Blocks at a page's end among which its copyright line is looked for."""
MAX_VISIBLE = 20_000
SHORT = 60
"""Characters below which a text tells its language less surely than the page does."""
_OWN_SCRIPT = frozenset(("ar", "fa", "ur", "he", "ru", "uk", "el", "zh", "ja", "ko", "th", "hi"))
"""A few Latin words on a page that declares one of these are its template, not its text."""
_HEADS = frozenset(("h1", "h2", "h3"))
_TAG = re.compile(r"<[^<>]{1,300}>")


def split_markup(html: str, url: str = "", *, links: str = "content") -> Page:
    """Content types of a decoded HTML document; raises SplitError for bombs and empty pages."""
    root = parse_html(html)
    metadata = read_metadata(root)
    manual = is_manual(metadata, html)
    layout = read_blocks(root, manual=manual)
    foot = [block.text for block in layout.blocks[-FOOT:]]
    page_title, site_title = settle_titles(gather_titles(root, metadata, url, foot))
    body = find_body(layout, (page_title, site_title), manual=manual)
    text = "\n".join(layout.blocks[i].text for i in body.blocks)
    if len(text) < ENOUGH:
        text = _stated_text(metadata) or text
    if not text and not page_title:
        raise SplitError("page has no text")
    if is_block_notice(page_title, text, layout.blocks):
        raise NoticeError("blocked: the page is only a notice that its reader may not see it")
    if text.count("\ufffd") * 20 > len(text):
        raise SplitError("page is not text: most of it cannot be read as characters")
    language = settle_language(text or page_title, metadata.language)
    return Page(
        id=url,
        url=url,
        language=language,
        site_title=site_title,
        page_title=page_title,
        subtitles=_subtitles(layout, body),
        links=_links(layout, body, base_address(url, metadata.base), links),
        body=text,
        visible=_visible(layout) if len(text) < LITTLE else "",
        posted_at=stated_date(metadata, root, url, _shown(layout, page_title, language)),
        author=_author(metadata),
    )


def _stated_text(metadata: Metadata) -> str:
    """The article's text as JSON-LD states it, for pages that show none without a browser."""
    stated = (text_of(o.get("articleBody")) for o in metadata.objects if "articleBody" in o)
    return max((_TAG.sub(" ", t) for t in stated if len(t) >= ENOUGH), key=len, default="")


def _visible(layout: Layout) -> str:
    return "\n".join(block.text for block in layout.blocks)[:MAX_VISIBLE]


def settle_language(text: str, declared: str) -> str:
    """Language of the text; what the page declares decides where the text is too short."""
    stated = declared if len(declared) == 2 else ""
    little = 4 * SHORT if stated in _OWN_SCRIPT else SHORT
    if stated and len(text) < little:
        return stated
    return detect_language(text, stated) or stated


def _subtitles(layout: Layout, body: Body) -> tuple[str, ...]:
    """Headings of the content in order, each once, without the titles."""
    found: dict[str, str] = {}
    for i in body.headings:
        text = layout.blocks[i].text.replace("\n", " ")
        if fold(text) and len(text) <= 300:
            found.setdefault(fold(text), text)
    return tuple(found.values())[:MAX_SUBTITLES]


def _links(layout: Layout, body: Body, base: str, which: str) -> tuple[str, ...]:
    """Links of the content; with `all`, those around it after them."""
    inside = set(body.blocks) | set(body.headings)
    content = [href for block, href in layout.links if block in inside]
    rest = [href for block, href in layout.links if block not in inside] if which == "all" else []
    return tuple(canonical_links([*content, *rest], base))


def _shown(layout: Layout, title: str, language: str) -> Shown:
    """The page's lines, and which of them is its title."""
    lines = [block.text for block in layout.blocks]
    key = fold(title)
    heads = (
        i for i, b in enumerate(layout.blocks) if b.tag in _HEADS and fold(b.text).startswith(key)
    )
    place = next(heads, -1) if key else -1
    return Shown(lines, place, day_first=language not in ("en", ""))


def _author(metadata: Metadata) -> str:
    stated = metadata.meta.get("author", "")
    if not stated:
        stated = next((text_of(o["author"]) for o in metadata.objects if "author" in o), "")
    return "" if stated.startswith("http") else stated[:200]
