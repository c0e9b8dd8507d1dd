"""What a page states about itself: `<title>`, meta tags, JSON-LD, language, base address."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from reducepp.scraping.extract.html_parsing import Element

MAX_JSON = 1_000_000
MAX_OBJECTS = 5_000
_CONTROL = re.compile(r"[\x00-\x1f]")


@dataclass(slots=True)
class Metadata:
    """Statements of the page's head, cleaned of surplus space; empty where not made."""

    title: str = ""
    meta: dict[str, str] = field(default_factory=dict)
    """Name, property or itemprop in lower case to its first content."""
    objects: list[dict[str, Any]] = field(default_factory=list)
    """Every JSON-LD object, nested ones too, in order."""
    language: str = ""
    base: str = ""
    canonical: str = ""
    link_titles: list[str] = field(default_factory=list)
    """What the page's feeds and its search plugin are called."""


def read_metadata(root: Element) -> Metadata:
    """Collect the statements in one pass over the elements that can make them."""
    found = Metadata(language=_language_of(root))
    scripts: list[str] = []
    for element in root.iter("title", "meta", "base", "link", "script"):
        tag = element.tag
        if tag == "meta":
            _add_meta(found, element)
        elif tag == "script":
            if "ld+json" in (element.get("type") or "").lower() and element.text:
                scripts.append(element.text)
        elif tag == "title":
            found.title = found.title or _title_of(element)
        elif tag == "base":
            found.base = found.base or (element.get("href") or "").strip()
        else:
            _add_link(found, element)
    found.objects = [item for script in scripts for item in _read_json(script)][:MAX_OBJECTS]
    return found


def inner_text(element: Element) -> str:
    """All text inside an element, as it stands."""
    return "".join(str(piece) for piece in element.itertext())


def squeeze(text: str) -> str:
    """Text on one line with single spaces."""
    return " ".join(text.split())


def _title_of(element: Element) -> str:
    parent = element.getparent()
    if parent is not None and parent.tag in ("svg", "g", "symbol", "path", "a"):
        return ""
    return squeeze(inner_text(element))


def _language_of(root: Element) -> str:
    value = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    return re.split(r"[-_]", (value or root.get("xml:lang") or "").strip().lower())[0]


def _add_meta(found: Metadata, element: Element) -> None:
    content = element.get("content")
    if not content:
        return
    for key in ("property", "name", "itemprop", "http-equiv"):
        name = element.get(key)
        if name:
            found.meta.setdefault(name.strip().lower(), squeeze(content))


def _add_link(found: Metadata, element: Element) -> None:
    rel = (element.get("rel") or "").lower()
    if rel == "canonical":
        found.canonical = found.canonical or (element.get("href") or "").strip()
    elif rel == "search" or (rel == "alternate" and _is_feed(element.get("type") or "")):
        title = squeeze(element.get("title") or "")
        if title and len(found.link_titles) < 8:
            found.link_titles.append(title[:200])


def _is_feed(kind: str) -> bool:
    """Whether a link's type is a feed's; the XML of an embedded page is called as the page is."""
    return "xml" in kind.lower() and "oembed" not in kind.lower()


def _read_json(script: str) -> list[dict[str, Any]]:
    """All objects of one JSON-LD script; none where it is broken, too long or too deep."""
    if len(script) > MAX_JSON:
        return []
    text = script.strip().removeprefix("<!--").removesuffix("-->").strip().rstrip(";")
    text = text.removeprefix("//<![CDATA[").removesuffix("//]]>")
    try:
        value = json.loads(_CONTROL.sub(" ", text))
        if "\\ud" in text.lower():  # an escape may be half of a character pair
            value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return []
    return list(_objects(value))


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Objects in document order, without recursion."""
    stack = [value]
    seen = 0
    while stack and seen < MAX_OBJECTS:
        item = stack.pop()
        if isinstance(item, dict):
            seen += 1
            yield item
            stack.extend(v for v in reversed(item.values()) if isinstance(v, dict | list))
        elif isinstance(item, list):
            stack.extend(v for v in reversed(item) if isinstance(v, dict | list))


def types_of(item: dict[str, Any]) -> set[str]:
    """The schema.org types of a JSON-LD object, without their address."""
    stated = item.get("@type", ())
    names = [stated] if isinstance(stated, str) else stated if isinstance(stated, list) else []
    return {name.rsplit("/", 1)[-1] for name in names if isinstance(name, str)}


def text_of(value: Any) -> str:
    """A JSON-LD value as text: a string, an object's name, or the first of a list."""
    for _ in range(4):
        if isinstance(value, str):
            return squeeze(unescape(value) if "&" in value else value)
        if isinstance(value, dict):
            value = value.get("name") or value.get("@value")
        elif isinstance(value, list) and value:
            value = value[0]
        else:
            return ""
    return ""
