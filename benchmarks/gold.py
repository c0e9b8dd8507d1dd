"""Pages with a true text, from any folder, for the extraction benchmark.

A page is `source.html` or `page.html` in a folder of its own, with `expected.html`, `expected.txt`
or `expected.json` beside it (as in Mozilla Readability's test pages, and in our cases), or
`NAME.html` with `NAME.txt` or `NAME.json`. JSON holds the text as `body`, `text` or `cleaned_text`,
and may hold the page's `url`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from reducepp.scraping.decode.charset import decode

PAGES = ("source.html", "page.html")
FIELDS = ("body", "text", "cleaned_text")
IN_LINE = {"a", "abbr", "b", "cite", "code", "em", "i", "mark", "q", "span", "strong", "sub", "sup"}


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page, the text that should come out, and where it is from."""

    name: str
    html: str
    url: str
    text: str

    @property
    def half(self) -> str:
        """Which half of a corpus it belongs to, told by its name: so one can be left unseen."""
        return "ab"[sha256(self.name.encode()).digest()[0] % 2]


def read_gold(folder: Path) -> list[GoldPage]:
    """Every page below the folder that has a text beside it, by name."""
    return [page for path in sorted(folder.rglob("*.html")) for page in _page_of(path, folder)]


def _page_of(path: Path, folder: Path) -> Iterator[GoldPage]:
    stem = "expected" if path.name in PAGES else path.stem
    beside = (path.with_name(f"{stem}.{kind}") for kind in ("txt", "json", "html"))
    gold = next((p for p in beside if p.exists() and p != path), None)
    if gold is None or path.name == "expected.html":
        return
    text, url = _text_of(gold)
    if text.strip():
        name = str(path.parent.relative_to(folder) if path.name in PAGES else path.stem)
        yield GoldPage(name, decode(path.read_bytes()), url, text)


def _text_of(path: Path) -> tuple[str, str]:
    """The true text, and the page's address where the file states it."""
    content = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".html":
        return markup_text(content), ""
    if path.suffix == ".txt":
        return content, ""
    stated: Any = json.loads(content)
    fields = stated if isinstance(stated, dict) else {}
    return next((str(fields[f]) for f in FIELDS if fields.get(f)), ""), str(fields.get("url", ""))


def markup_text(markup: str) -> str:
    """All text of a piece of HTML, a line for each block."""
    from lxml import html

    root = html.fragment_fromstring(markup, create_parent="div")
    for element in root.iter():
        if element.tag not in IN_LINE:
            element.tail = "\n" + (element.tail or "")
            element.text = "\n" + (element.text or "")
    return str(root.text_content())


def print_table(
    pages: Sequence[GoldPage],
    results: Mapping[str, tuple[list[str], float]],
    f1: Callable[..., float],
) -> None:
    """Mean token F1 of each extractor on both halves, pages a second, and our worst pages."""
    print(f"pages with a true text ({len(pages)}): body token F1 on all, half a, half b")
    for name, (bodies, seconds) in results.items():
        scores = [f1(body, page.text) for body, page in zip(bodies, pages, strict=True)]
        pairs = list(zip(scores, pages, strict=True))
        means = [_mean([s for s, p in pairs if p.half in halves]) for halves in ("ab", "a", "b")]
        figures = "  ".join(f"{mean:.3f}" for mean in means)
        print(f"  {name:<18} {figures}  {len(pages) / seconds:7.1f} pages/s")
    ours = next(iter(results.values()))[0]
    scored = sorted((f1(b, p.text), p.name) for b, p in zip(ours, pages, strict=True))
    print("  our worst: " + ", ".join(f"{name} {score:.2f}" for score, name in scored[:5]))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
