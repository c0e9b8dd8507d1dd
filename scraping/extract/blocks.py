"""Element tree → blocks of text in reading order, and the boxes (elements) that hold them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from reducepp.scraping.extract.class_hints import HIDDEN, read_hints
from reducepp.scraping.extract.html_parsing import Element

_SKIPPED, _INLINE, _LINK, _BREAK, _BOX = range(5)
_NO_TEXT = """
    script style noscript template svg iframe object embed select option optgroup datalist button
    textarea input canvas audio video head map frameset frame applet link meta title base param
    source track area progress meter rp rt math label
"""
_MARKS = """
    abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr output q ruby s
    samp small strike strong sub sup tt u var wbr
"""
_IN_LINE = "span time img picture"
_KINDS = {
    **dict.fromkeys(_NO_TEXT.split(), _SKIPPED),
    **dict.fromkeys(_IN_LINE.split(), _INLINE),
    "a": _LINK,
    "br": _BREAK,
    "hr": _BREAK,
}
MAX_BLOCK = 200_000
_SOFT_HYPHEN = "\u00ad"
_NAMING = frozenset(("class", "id", "role", "itemprop"))
_CLASSES = _NAMING - {"id"}
_NONE_SHOWN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_NEVER_HIDDEN = frozenset(("html", "body", "main", "article"))


@dataclass(slots=True)
class Block:
    """A run of text that no block-level border cuts."""

    text: str
    length: int
    links: int
    """How many of its characters are inside links."""
    box: int
    """Number of the box that holds it directly."""
    tag: str
    prose: bool = False
    """Running text, as `strike.is_prose` finds it."""


@dataclass(slots=True)
class Box:
    """A block-level element: its place among the blocks, and what its names say."""

    tag: str
    hints: int
    parent: int
    """Number of the box around it, -1 for the outermost."""
    number: int
    first: int
    last: int = 0
    """Blocks `first` up to, not including, `last` are inside."""


@dataclass(slots=True)
class Layout:
    """All blocks of a page, and all boxes that hold any, both in document order."""

    blocks: list[Block] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)
    """Index of the block a link is in (or stands before), and where it leads."""


class _Reader:
    """Collects inline text until a border, then makes a block of it."""

    __slots__ = ("addresses", "blocks", "boxes", "linked", "links", "open", "parts")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.boxes: list[Box] = []
        self.addresses: list[tuple[int, str]] = []
        self.open: list[int] = []
        self.parts: list[str] = []
        self.links = 0
        self.linked = 0

    def flush(self) -> None:
        """Make a block of the text read so far."""
        raw = "".join(self.parts).replace(_SOFT_HYPHEN, "")
        self.parts.clear()
        links, self.links = self.links, 0
        text = " ".join(raw.split())
        if not text or not self.open:
            return
        if "\v" in raw:
            lines = (" ".join(line.split()) for line in raw.split("\v"))
            text = "\n".join(line for line in lines if line)
        text = text[:MAX_BLOCK]
        box = self.open[-1]
        size = len(text)
        self.blocks.append(Block(text, size, min(links, size), box, self.boxes[box].tag))

    def enter(self, tag: str, hints: int) -> None:
        """Open a box; text before it is a block of its own."""
        if self.parts:
            self.flush()
        parent = self.open[-1] if self.open else -1
        self.open.append(len(self.boxes))
        self.boxes.append(Box(tag, hints, parent, len(self.boxes), len(self.blocks)))

    def leave(self) -> None:
        """Close the innermost box."""
        if self.parts:
            self.flush()
        self.boxes[self.open.pop()].last = len(self.blocks)

    def link(self, element: Element) -> None:
        """Open a link."""
        self.linked += 1
        self.addresses.append((len(self.blocks), element.get("href") or ""))


def read_blocks(root: Element, *, manual: bool = False) -> Layout:
    """Walk the tree once; skipped and hidden elements leave no text.

    Elements without text, and marks inside a line, are taken out of the tree.
    """
    _open_unclosed(root)
    etree.strip_elements(root, *_NO_TEXT.split(), with_tail=False)
    etree.strip_tags(root, *_MARKS.split())
    hints_of = _HINTS | {_BOX: _manual_hints} if manual else _HINTS
    reader = _Reader()
    parts = reader.parts
    walk = etree.iterwalk(root, events=("start", "end"))
    skipped: Element | None = None
    for event, element in walk:
        tag = element.tag
        kind = _KINDS.get(tag, _BOX)
        if event == "start":
            hints = hints_of[kind](element)
            if hints & HIDDEN and tag not in _NEVER_HIDDEN:
                walk.skip_subtree()
                skipped = element
                continue
            if kind == _BOX:
                reader.enter(tag, hints)
            elif kind == _LINK:
                reader.link(element)
            elif kind == _BREAK:
                parts.append("\v")
            text = element.text
        else:
            if element is skipped:
                skipped = None
            elif kind == _BOX:
                reader.leave()
            elif kind == _LINK:
                reader.linked -= 1
            text = element.tail
        if text and (parts or not text.isspace()):
            parts.append(text)
            if reader.linked:
                reader.links += len(text.strip())
    boxes = [box for box in reader.boxes if box.last > box.first]
    return Layout(reader.blocks, boxes, reader.addresses)


def _open_unclosed(root: Element) -> None:
    """A button or label that was never closed holds the rest of the page: it is no control."""
    for element in islice(root.iter("main", "article", "h1"), 20):
        for control in element.iterancestors("button", "label"):
            control.tag = "div"


def _box_hints(element: Element, naming: frozenset[str] = _NAMING) -> int:
    hints = 0
    for name, value in element.items():
        if name in naming:
            hints |= read_hints(str(value))
        elif name == "hidden" or (name == "style" and _NONE_SHOWN.search(str(value))):
            hints |= HIDDEN
    return hints


def _manual_hints(element: Element) -> int:
    """Hints without the id of a section, which is made of its heading."""
    names = element.get("class") or ""
    section = element.tag == "section" or "section" in names.split()
    return _box_hints(element, _CLASSES if section else _NAMING)


def _inline_hints(element: Element) -> int:
    names = element.get("class")
    return read_hints(names) if names else 0


_HINTS: dict[int, Callable[[Element], int]] = {
    _SKIPPED: lambda _: HIDDEN,
    _INLINE: _inline_hints,
    _LINK: _inline_hints,
    _BREAK: lambda _: 0,
    _BOX: _box_hints,
}
