"""HTML text → Page: titles, subtitles, links, body, language and date of one document."""

import re
from collections.abc import Sequence

from reducepp.errors import NoticeError, SplitError
from reducepp.scraping.extract.blocks import BlockTree, read_blocks
from reducepp.scraping.extract.body import Body, find_body
from reducepp.scraping.extract.boilerplate import MIN_MAIN_TEXT_CHARS, remove_template
from reducepp.scraping.extract.content_class import PageText, classify_content, is_block_notice
from reducepp.scraping.extract.dates import VisibleText, find_date
from reducepp.scraping.extract.html_parsing import parse_html
from reducepp.scraping.extract.metadata import Metadata, is_manual, read_metadata, value_text
from reducepp.scraping.extract.page_fields import (
    MAX_SUBTITLES,
    canonical_links,
    resolve_base,
    resolve_language,
)
from reducepp.scraping.extract.page_title import choose_titles
from reducepp.scraping.extract.title_evidence import gather_titles
from reducepp.scraping.extract.title_text import fold
from reducepp.text.urls import parseable_url
from reducepp.types import Page

MIN_CHARS_WITHOUT_VISIBLE = 1000
"""A page with less main text keeps its whole visible text as well."""
MAX_VISIBLE_CHARS = 20_000
MAX_SUBTITLE_CHARS, MAX_AUTHOR_CHARS = 300, 200
"""99 of 100 of the 538 labelled HTML pages have no heading of more than 268 characters; the longest
stated author has 51."""
MAX_SHARE_UNREADABLE = 0.05
"""Share of replacement characters above which a body is no text."""
_TITLE_TAGS = frozenset(("h1", "h2", "h3"))
_TAG = re.compile(r"<[^<>]{1,300}>")


def split_markup(html: str, url: str = "", *, links: str = "content") -> Page:
    """Content types of a decoded HTML document; raises SplitError for bombs and empty pages.

    Where no address is given that can be parsed, the one that the page states is evidence of
    titles, date and links.
    """
    root = parse_html(html)
    metadata = read_metadata(root)
    manual = is_manual(metadata, html)
    tree = read_blocks(root, is_manual=manual)
    lines = [block.text for block in tree.blocks]
    address = parseable_url(url) or metadata.address
    titles = gather_titles(root, metadata, address, tree.blocks)
    page_title, site_title = choose_titles(titles)
    body = find_body(tree, (page_title, site_title), is_manual=manual)
    text = "\n".join(tree.blocks[i].text for i in body.blocks)
    if len(text) < MIN_MAIN_TEXT_CHARS:
        text = _declared_text(metadata) or text
    _check_content(page_title, titles.headings[:1], text)
    language = resolve_language(text or page_title, metadata.language)
    is_short = len(text) < MIN_CHARS_WITHOUT_VISIBLE
    visible = VisibleText(lines, _title_index(tree, page_title), language)
    return Page(
        id=url,
        url=url,
        language=language,
        site_title=site_title,
        page_title=page_title,
        subtitles=_subtitles(tree, body),
        links=_links(tree, body, resolve_base(address, metadata.base), links),
        body=text,
        visible=_visible_text(tree, manual)[:MAX_VISIBLE_CHARS] if is_short else "",
        posted_at=find_date(metadata, root, address, visible),
        author=_author(metadata),
        content_class=classify_content(
            PageText(
                title=page_title,
                body=text,
                headings=titles.headings[:1],
                visible=_text_outside_links(tree),
                site_title=site_title,
                markup=html,
            ),
            url=address,
            is_home=titles.is_home,
        ),
    )


def _visible_text(tree: BlockTree, is_manual: bool) -> str:
    """All text; of a manual only what is inside its template where that is the smaller part."""
    whole = "\n".join(block.text for block in tree.blocks)
    if not is_manual:
        return whole
    kept = zip(tree.blocks, remove_template(tree, is_manual=True), strict=True)
    inside = "\n".join(block.text for block, is_content in kept if is_content)
    return inside if 0 < 2 * len(inside) < len(whole) else whole


def _check_content(title: str, headings: Sequence[str], text: str) -> None:
    """Raise SplitError for a page without text, NoticeError for one with a block notice alone."""
    if not text and not title:
        raise SplitError("page has no text")
    if is_block_notice(title, headings, text):
        raise NoticeError("blocked: the page is only a notice that its reader may not see it")
    if text.count("\ufffd") > MAX_SHARE_UNREADABLE * len(text):
        raise SplitError("page is not text: most of it cannot be read as characters")


def _text_outside_links(tree: BlockTree) -> str:
    """The text of the blocks that are no links; of all where there are no others."""
    blocks = [block for block in tree.blocks if not block.is_linked] or tree.blocks
    return "\n".join(block.text for block in blocks)


def _declared_text(metadata: Metadata) -> str:
    """The article's text in JSON-LD, for pages that display none without a browser."""
    stated = (value_text(o.get("articleBody")) for o in metadata.objects if "articleBody" in o)
    texts = (_TAG.sub(" ", t) for t in stated if len(t) >= MIN_MAIN_TEXT_CHARS)
    return max(texts, key=len, default="")


def _subtitles(tree: BlockTree, body: Body) -> tuple[str, ...]:
    """Headings of the content in order, each once, without the titles."""
    found: dict[str, str] = {}
    for i in body.headings:
        text = tree.blocks[i].text.replace("\n", " ")
        if fold(text) and len(text) <= MAX_SUBTITLE_CHARS:
            found.setdefault(fold(text), text)
    return tuple(found.values())[:MAX_SUBTITLES]


def _links(tree: BlockTree, body: Body, base: str, which: str) -> tuple[str, ...]:
    """Links of the main text; with `all`, the others after them."""
    inside = set(body.blocks) | set(body.headings)
    content = [href for block, href in tree.links if block in inside]
    rest = [href for block, href in tree.links if block not in inside] if which == "all" else []
    return canonical_links([*content, *rest], base)


def _title_index(tree: BlockTree, title: str) -> int:
    """Index of the heading that begins with the page's title; -1 for none."""
    key = fold(title)
    headings = ((i, b) for i, b in enumerate(tree.blocks) if b.tag in _TITLE_TAGS)
    return next((i for i, b in headings if key and fold(b.text).startswith(key)), -1)


def _author(metadata: Metadata) -> str:
    objects = (value_text(o["author"]) for o in metadata.objects if "author" in o)
    stated = metadata.meta.get("author") or next(objects, "")
    return "" if stated.startswith("http") else stated[:MAX_AUTHOR_CHARS]
