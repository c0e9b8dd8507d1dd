"""Element tree → blocks of text in reading order, and the boxes (elements) that contain them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from reducepp.scraping.extract.html_parsing import Element
from reducepp.scraping.extract.vocabulary import HIDDEN, MAIN_TEXT, classify_names

MAX_BLOCK_CHARS = 200_000
"""The longest block of a book in one paragraph is shorter; later steps read each block whole."""
MAX_CHARS_BESIDE_HIDDEN = 1000
"""A page that displays more text outside links displays its main text; hidden paragraphs of less
are dialogs (1 of 540 real pages hides its main text)."""
_SKIPPED, _INLINE, _LINK, _BREAK, _BOX = range(5)
_WITHOUT_TEXT = """
    script style noscript template svg iframe object embed select option optgroup datalist button
    textarea input canvas audio video head map frameset frame applet link meta title base param
    source track area progress meter rp rt math label
"""
_MARKS = """
    abbr acronym bdi bdo big code data dfn em font i kbd mark nobr output q ruby s samp strike sub
    sup tt u var wbr
"""
_INLINE_TAGS = "span time img picture b strong small cite del ins"
_SEPARATING = ("select", "button", "input", "textarea", "svg", "i")
"""Elements without text that stand between words, not inside them: controls and icons."""
_KINDS = {
    **dict.fromkeys(_WITHOUT_TEXT.split(), _SKIPPED),
    **dict.fromkeys(_INLINE_TAGS.split(), _INLINE),
    "a": _LINK,
    "br": _BREAK,
    "hr": _BREAK,
}
_LINE_BREAK = "\v"
"""Marks `<br>` among the parts of a block; no text contains it, as `split` counts it as space."""
_GLUED = re.compile(
    r"[^\W\d_A-ZÀ-Þ]{2}[A-ZÀ-Þ]|[^\W\d_]{2}[$€£¥\d]|\d[A-ZÀ-Þ][a-zà-þ]|[%€£][^\W\d_]"
    r"|[^\W_][.!?…][A-ZÀ-Þ][a-zà-þ]"
)
"""Two texts that only markup separates: menu items, a name and its price."""
_GLUED_WORDS = re.compile(
    "[\u0590-\u07ff\u0900-\u0dff]{2}\v[\u0590-\u07ff\u0900-\u0dff]"
    r"|[^\W_]{2}\v(?:[^\W_]{2}|\d)|\d\v[^\W\d_]{3}|[$€£¥%]\v\d|\d\v[$€£¥]\d"
)
"""The same where one inline element follows another directly: words of two letters and more,
numbers and prices, in any script."""
_SOFT_HYPHEN = "\u00ad"
_NAMING = frozenset(("class", "id", "role", "itemprop"))
_NOT_DISPLAYED = re.compile(r"display\s{0,20}:\s{0,20}none", re.IGNORECASE)
_NEVER_HIDDEN = frozenset(("html", "body", "main", "article"))
ITEMS = frozenset(("li", "td", "th", "dt", "dd"))
"""Lines of lists and cells of tables."""
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def is_glued(border: str) -> bool:
    """Whether the end of one text and the start of the next would run into each other."""
    return bool(_GLUED.search(border))


def are_words(last: str, text: str) -> bool:
    """Whether texts of two elements, one right after the other, are words and not a cut address."""
    is_border = _GLUED_WORDS.search(f"{last[-2:]}\v{text[:3]}")
    return bool(is_border) and "/" not in last.rsplit(None, 1)[-1]


@dataclass(slots=True)
class Block:
    """A run of text that no block-level element interrupts."""

    text: str
    length: int
    link_length: int
    """How many of its characters are inside links."""
    box: int
    """Number of the box that contains it directly."""
    tag: str
    is_prose: bool = False
    """Running text, as `boilerplate.is_prose` classifies it."""

    @property
    def is_linked(self) -> bool:
        """Whether most of the block is a link."""
        return self.link_length * 2 > self.length


@dataclass(slots=True)
class Box:
    """A block-level element: which blocks it contains, and how its names classify it."""

    tag: str
    flags: int
    parent: int
    """Number of the box around it, -1 for the outermost."""
    number: int
    first: int
    last: int = 0
    """It contains the blocks from `first` up to, not including, `last`."""


@dataclass(slots=True)
class BlockTree:
    """All blocks of a page, and all boxes that contain any, both in document order."""

    blocks: list[Block] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)
    """Index of the block that contains a link (or follows it), and the link's address."""


@dataclass(slots=True)
class _BlockBuilder(BlockTree):
    """Collects inline text up to a block-level border, then makes a block of it."""

    open: list[int] = field(default_factory=list)
    heading: str = ""
    """Tag of the heading that is open: what a division in it contains is its text."""
    parts: list[str] = field(default_factory=list)
    link_length: int = 0
    link_depth: int = 0
    is_after_link: bool = False
    is_after_inline: bool = False

    def add_text(self, text: str, kind: int) -> None:
        """Add text of an element of some kind, or behind it."""
        parts = self.parts
        if parts and kind in (_INLINE, _LINK):
            last = parts[-1]
            if is_glued(last[-2:] + text[:2]) or (self.is_after_inline and are_words(last, text)):
                parts.append(" ")
        parts.append(text)
        self.is_after_link = self.is_after_inline = False
        if self.link_depth:
            self.link_length += len(text.strip())

    def flush(self) -> None:
        """Make a block of the text collected so far."""
        raw = "".join(self.parts).replace(_SOFT_HYPHEN, "")
        self.parts.clear()
        link_length, self.link_length = self.link_length, 0
        text = " ".join(raw.split())
        if not text or not self.open:
            return
        if _LINE_BREAK in raw:
            lines = (" ".join(line.split()) for line in raw.split(_LINE_BREAK))
            text = "\n".join(line for line in lines if line)
        text = text[:MAX_BLOCK_CHARS]
        box, length = self.open[-1], len(text)
        tag = self.heading or self.boxes[box].tag
        self.blocks.append(Block(text, length, min(link_length, length), box, tag))

    def enter(self, tag: str, flags: int) -> None:
        """Open a box; text before it is a block of its own."""
        if self.parts:
            self.flush()
        parent = self.open[-1] if self.open else -1
        if tag in HEADINGS:
            self.heading = tag
        self.open.append(len(self.boxes))
        self.boxes.append(Box(tag, flags, parent, len(self.boxes), len(self.blocks)))

    def leave(self) -> None:
        """Close the innermost box."""
        if self.parts:
            self.flush()
        box = self.boxes[self.open.pop()]
        box.last = len(self.blocks)
        if box.tag == self.heading:
            self.heading = ""

    def enter_link(self, element: Element) -> None:
        """Open a link; right after another one it is the next item of a menu."""
        if self.is_after_link and self.parts:
            self.parts.append(" ")
        self.link_depth += 1
        self.links.append((len(self.blocks), element.get("href") or ""))


def read_blocks(root: Element, *, is_manual: bool = False) -> BlockTree:
    """Blocks of all text but that of skipped elements and of hidden ones; these give theirs where
    they are named as main text or hold most of the page's.

    The tree is changed: elements without text and inline marks are removed from it.
    """
    _separate_words(root)
    etree.strip_elements(root, *_WITHOUT_TEXT.split(), with_tail=False)
    etree.strip_tags(root, *_MARKS.split())
    flags_of = _FLAGS_OF | {_BOX: _manual_box_flags} if is_manual else _FLAGS_OF
    builder, hidden = _walk(root, flags_of)
    if _display_main_text(hidden, builder.blocks):
        builder, _ = _walk(root, flags_of)
    boxes = [box for box in builder.boxes if box.last > box.first]
    return BlockTree(builder.blocks, boxes, builder.links)


def _walk(
    root: Element, flags_of: dict[int, Callable[[Element], int]]
) -> tuple[_BlockBuilder, list[Element]]:
    """Blocks and boxes in one walk over the tree, and the hidden elements."""
    builder = _BlockBuilder()
    parts = builder.parts
    walk = etree.iterwalk(root, events=("start", "end"))
    skipped: Element | None = None
    hidden: list[Element] = []
    for event, element in walk:
        tag = element.tag
        kind = _KINDS.get(tag, _BOX)
        if event == "start":
            flags = flags_of[kind](element)
            if flags & (HIDDEN | MAIN_TEXT) == HIDDEN and tag not in _NEVER_HIDDEN:
                walk.skip_subtree()
                skipped = element
                hidden.append(element)
                continue
            if kind == _BOX:
                builder.enter(tag, flags)
            elif kind == _LINK:
                builder.enter_link(element)
            elif kind == _BREAK:
                parts.append(_LINE_BREAK)
            text = element.text
        else:
            if element is skipped:
                skipped = None
            elif kind == _BOX:
                builder.leave()
            elif kind == _LINK:
                builder.link_depth -= 1
                builder.is_after_link = True
            text = element.tail
        if text and (parts or not text.isspace()):
            builder.add_text(text, kind)
        elif event == "end" and kind == _INLINE:
            builder.is_after_inline = True
    return builder, hidden


def _display_main_text(hidden: list[Element], blocks: list[Block]) -> bool:
    """Whether the paragraphs of a hidden element are most of the page's text, as where a script
    displays it; the element is hidden no longer then."""
    visible = sum(block.length - block.link_length for block in blocks)
    if not hidden or visible > MAX_CHARS_BESIDE_HIDDEN:
        return False
    texts = {element: _count_paragraph_chars(element) for element in hidden}
    largest = max(texts, key=texts.__getitem__)
    is_main = texts[largest] > max(visible, MAX_CHARS_BESIDE_HIDDEN)
    for name in ("class", "id", "hidden", "style") if is_main else ():
        largest.attrib.pop(name, "")
    return is_main


def _count_paragraph_chars(element: Element) -> int:
    """Characters of the first hundred paragraphs in an element."""
    return sum(len(text) for p in islice(element.iter("p"), 100) for text in p.itertext())


def _separate_words(root: Element) -> None:
    """Put a space in place of each control and icon, which are removed."""
    for element in root.iter(*_SEPARATING):
        if element.tag != "i" or not (element.text or len(element)):
            element.tail = f" {element.tail or ''}"


def _box_flags(element: Element, naming: frozenset[str] = _NAMING) -> int:
    """Flags of an element's names; not of a heading's id, which is an anchor made of its text."""
    flags = 0
    if element.tag in HEADINGS:
        naming = naming - {"id"}
    for name, value in element.items():
        if name in naming:
            flags |= classify_names(str(value))
        elif name == "hidden" or (name == "style" and _NOT_DISPLAYED.search(str(value))):
            flags |= HIDDEN
    return flags


def _manual_box_flags(element: Element) -> int:
    """Flags without the id of a section, which documentation tools make of its heading."""
    is_section = element.tag == "section" or "section" in (element.get("class") or "").split()
    return _box_flags(element, _NAMING - {"id"} if is_section else _NAMING)


def _inline_flags(element: Element) -> int:
    return classify_names(element.get("class") or "")


_FLAGS_OF: dict[int, Callable[[Element], int]] = {
    _SKIPPED: lambda _: HIDDEN,
    _INLINE: _inline_flags,
    _LINK: _inline_flags,
    _BREAK: lambda _: 0,
    _BOX: _box_flags,
}
