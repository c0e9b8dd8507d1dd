"""Content types of n pages as measures take them; texts are prepared once and shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import numpy as np

from reducepp.io.stored_pages import StoredPage, TextsOfPages
from reducepp.similarity.pairs import AllPairs, Pairs
from reducepp.similarity.site_templates import MIN_VISIBLE_WORDS, comparable_texts
from reducepp.text.language_detection import detect_language
from reducepp.text.post_parts import read_post
from reducepp.text.preparation import Texts, letters_only, prepare
from reducepp.text.query_snippets import query_snippets
from reducepp.text.tokenise import words
from reducepp.types import Array, Page

Made = TypeVar("Made")
"""What is made once of a set of pages."""
Holder = TypeVar("Holder", bound="PageSet | Contents")
Options = ParamSpec("Options")
MIN_TITLE_WORDS = 3
"""A shorter title alone is too little evidence that two pages are duplicates."""
SNIPPET_WORDS = 50
"""Words of a page's text that serve as its snippet where it has none."""
MAX_SNIPPET_LETTERS = 300
"""So short a text is compared with its title: engines show two or three lines of a page."""


def _query_snippets(pages: Sequence[Page]) -> tuple[Any, ...]:
    texts = zip(comparable_texts(pages), pages, strict=True)
    return tuple(query_snippets(text, page.query) for text, page in texts)


def _fetched_texts(pages: Sequence[Page]) -> tuple[Any, ...]:
    """Comparable texts of the pages as fetched; empty where only rendering gave a text."""
    as_fetched = (
        replace(p, body=p.fetched_body or ("" if p.body == p.rendered_body else p.body), visible="")
        if p.rendered_body
        else p
        for p in pages
    )
    return comparable_texts(list(as_fetched))


def _fetched_titles(pages: Sequence[Page]) -> tuple[Any, ...]:
    return tuple(p.fetched_title if p.rendered_title else p.page_title for p in pages)


def _rendered_query_snippets(pages: Sequence[Page]) -> tuple[Any, ...]:
    return tuple(query_snippets(page.rendered_body, page.query) for page in pages)


def _enriched(pages: Sequence[Page]) -> tuple[Any, ...]:
    return tuple(f"{p.body}\n{p.post.linked_body}" if p.post.linked_body else "" for p in pages)


def _all_links(pages: Sequence[Page]) -> tuple[Any, ...]:
    return tuple((*p.links, *read_post(p.body, "").addresses) for p in pages)


def _full_texts(pages: Sequence[Page]) -> tuple[Any, ...]:
    """Main text, or all visible text where there is little of it; title and snippet of a result."""
    return tuple(_full_text(p) for p in pages)


def is_structured(page: Page) -> bool:
    """Whether a page was split from a document: more of it is known than a title and a text."""
    return bool(page.subtitles or page.links or page.visible or page.rendered_body)


def is_snippet(page: Page) -> bool:
    """Whether no more of a page is known than a search engine's title and snippet."""
    return bool(page.page_title) and page.body in ("", page.snippet) and not is_structured(page)


def _full_text(page: Page) -> str:
    """A page that shows a few words and has no main text ("Loading...") goes by its title."""
    if (page.body or page.snippet) and is_brief(page):
        return f"{page.page_title}\n{page.body or page.snippet}"
    if page.body or len(words(page.visible)) >= MIN_VISIBLE_WORDS:
        return page.visible or page.body
    return page.snippet or (page.page_title or page.visible if page.visible else _full_title(page))


def is_brief(page: Page) -> bool:
    """Whether a page is a title and a text of a few lines, as search results are."""
    brief = len(page.body) <= MAX_SNIPPET_LETTERS
    return is_snippet(page) or (bool(page.page_title) and brief and not is_structured(page))


def _full_title(page: Page) -> str:
    """The title where it has words enough to be compared as a text."""
    return page.page_title if len(words(page.page_title)) >= MIN_TITLE_WORDS else ""


def _result_texts(pages: Sequence[Page]) -> tuple[Any, ...]:
    """The snippet, or the beginning of the text; else one word that stands for the whole title."""
    return tuple(_snippet(page) or _title_as_word(page) for page in pages)


def _result_titles(pages: Sequence[Page]) -> tuple[Any, ...]:
    """The title; "" where nothing but a short title is known."""
    return tuple(p.page_title if _snippet(p) or _title_as_word(p) else "" for p in pages)


def _snippet(page: Page) -> str:
    beginning = page.body.split()[:SNIPPET_WORDS]
    return page.snippet if page.snippet.strip() else " ".join(beginning)


def _title_as_word(page: Page) -> str:
    """A word that only the same title gives; "" for a title of too few words."""
    from hashlib import blake2b

    title = words(page.page_title, digits=True)
    digest = blake2b(" ".join(title).encode(), digest_size=12).digest()
    return "".join(chr(97 + b % 26) for b in digest) if len(title) >= MIN_TITLE_WORDS else ""


DERIVED: dict[str, Callable[[Sequence[Page]], tuple[Any, ...]]] = {
    "text": comparable_texts,
    "full_text": _full_texts,
    "text_as_fetched": _fetched_texts,
    "title_as_fetched": _fetched_titles,
    "query_snippets": _query_snippets,
    "rendered_query_snippets": _rendered_query_snippets,
    "enriched_body": _enriched,
    "post_links": _all_links,
    "result_text": _result_texts,
    "result_title": _result_titles,
}
"""Content types that are no field of Page: derived from the pages, once per page set."""

BODIES = ("body", "rendered_body", *(name for name in DERIVED if name != "result_title"))
"""Content types that are prepared as the profile says."""


class PageSet:
    """The pages of one query, with every content type prepared at most once."""

    def __init__(self, pages: Sequence[Page], *, prepare: str = "syntactic") -> None:
        self.pages = tuple(pages)
        self.pairs: Pairs = AllPairs(len(self.pages))
        self.prepare = prepare
        self._texts: dict[tuple[str, str], Texts] = {}
        self._languages: tuple[str, ...] = ()
        self.shared: dict[Any, Any] = {}
        """Results of functions that are `made_once`, by function and options; of a content type
        after its name."""

    def on(self, pairs: Pairs) -> PageSet:
        """The same pages with other pairs to compare; what is prepared is shared."""
        other = copy(self)
        other.pairs = pairs
        return other

    def contents(self, content: str) -> Contents:
        """One content type of all pages; `content` is a field of Page or derived."""
        return Contents(name=content, page_set=self)

    def values(self, content: str) -> Sequence[Any]:
        """A content type's values, one per page."""
        if content in DERIVED or ("derived", content) in self.shared:
            return self.once(("derived", content), lambda: self._derive(content))
        return tuple(page.content(content) for page in self.pages)

    def _derive(self, content: str) -> Sequence[Any]:
        if content == "full_text" and any(isinstance(page, StoredPage) for page in self.pages):
            return TextsOfPages(self.pages, _full_text)
        return DERIVED[content](self.pages)

    def texts(self, content: str, how: str) -> Texts:
        """A content type's texts, prepared."""
        if (content, how) not in self._texts:
            self._texts[content, how] = self._prepare(content, how)
        return self._texts[content, how]

    def _prepare(self, content: str, how: str) -> Texts:
        if how == "syntactic" and (content, "plain") in self._texts:
            return letters_only(self._texts[content, "plain"])
        joined = self.contents(content).joined()
        languages = self.languages if how in ("semantic", "spacy") else [""] * len(joined)
        return prepare(joined, languages, how)

    @property
    def languages(self) -> tuple[str, ...]:
        """Language code of each page: as given, else detected from its body or title."""
        if not self._languages:
            self._languages = tuple(
                page.language[:2].lower() or detect_language(page.body or page.page_title)
                for page in self.pages
            )
        return self._languages

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """Make something on first use and keep it for the other measures."""
        if key not in self.shared:
            self.shared[key] = make()
        found: Made = self.shared[key]
        return found


def made_once(
    make: Callable[Concatenate[Holder, Options], Made],
) -> Callable[Concatenate[Holder, Options], Made]:
    """A function of a page set or a content type whose result is kept there, for all lists of
    pairs and all measures that need it."""

    @wraps(make)
    def find(holder: Holder, /, *options: Options.args, **named: Options.kwargs) -> Made:
        key = (find, *options, *named.values())
        return holder.once(key, lambda: make(holder, *options, **named))

    return cast(Callable[Concatenate[Holder, Options], Made], find)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """One content type of n pages: the values as they are, and as prepared texts."""

    name: str
    page_set: PageSet

    def __len__(self) -> int:
        return len(self.page_set.pages)

    @property
    def values(self) -> Sequence[Any]:
        """The values, one per page; bodies that are on disk are read for it."""
        return self.page_set.values(self.name)

    def once(self, key: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """Make what a measure needs of all pages on first use, for all lists of pairs."""
        return self.page_set.once((self.name, *key), make)

    @property
    def pairs(self) -> Pairs:
        """The pairs of pages that are compared."""
        return self.page_set.pairs

    def characters(self) -> Array:
        """Length of each value in characters; of a list the sum over its entries."""
        lengths = [len(v) if isinstance(v, str) else sum(map(len, v)) for v in self.values]
        return np.array(lengths, dtype=np.float64)

    def joined(self) -> Sequence[str]:
        """The values as texts; a list of texts counts as one with line breaks."""
        values = self.values
        if isinstance(values, TextsOfPages):
            return values
        return [v if isinstance(v, str) else "\n".join(v) for v in values]

    def texts(self, how: str = "") -> Texts:
        """Prepared texts; by default the profile's preparation for bodies, plain for the rest."""
        of_its_kind = self.page_set.prepare if self.name in BODIES else "plain"
        return self.page_set.texts(self.name, how or of_its_kind)
