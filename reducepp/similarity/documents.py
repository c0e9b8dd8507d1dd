"""What names a page (site, title, file name, address), and which pages are one document.

Copies of one document must not make their own text look common, so they count once wherever the
frequency of something in the set is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from urllib.parse import unquote, urlsplit

import numpy as np

from reducepp.similarity.contents import PageSet, is_brief, is_snippet, made_once
from reducepp.similarity.near_copies import MIN_GROUP, copy_groups
from reducepp.similarity.pairs import Pairs
from reducepp.similarity.run_weights import SitePart, split_by_site
from reducepp.similarity.shingles import marked_word_runs
from reducepp.text.lexicons import function_words
from reducepp.text.tokenise import are_unspaced, words
from reducepp.text.urls import address_key, is_release, site_name
from reducepp.types import Bools, Integers, Page, Sparse

MAX_COPIES = 8
"""Pages that count as one document at most: more of one name are states of one program."""
LONG_RUN = 5
"""Words of the runs by which copies of one text are found, and pages of one site compared."""
MAX_KEPT_RUNS = 8_000_000
"""Runs of all pages whose places by site are kept: those of 18,000 pages of 440 words, 100 MB."""
FULL_TEXT = "full_text"
"""Content type that documents are compared by."""
UNKNOWN_SOURCE = "?"
"""Site of pages without address; no host has this name."""
_UNNAMED = frozenset(("index", "default", "home", "amp", "print"))
_SUFFIX = re.compile(r"\.\w{2,5}$")
_DATED = re.compile(r"[?&][^?&=#]*=(?:19|20)\d\d-?\d\d-?\d{2,8}(?=[&#]|$)")
"""A parameter that is a date, or a moment as archives write it."""
_ACTION = re.compile(r"[^\W\d_]+")
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2})?")
_NUMBERED = re.compile(r"(?<![^\W_])v?\d{1,4}(?:\.\d{1,8}){1,4}(?![^\W_])")
_IDENTIFIER = re.compile(r"(?=.*\d)(?=.*[a-f])[\da-f_-]+")
_NAME = re.compile(r"[^\W\d_]{3}|[^\W_]{6}")


def number_keys(keys: Sequence[Hashable]) -> Integers:
    """A number per distinct key, -1 for an empty one."""
    numbers: dict[Hashable, int] = {}
    found = [numbers.setdefault(key, len(numbers)) if key else -1 for key in keys]
    return np.array(found, dtype=np.int64)


def same_key(pairs: Pairs, numbers: Integers) -> Bools:
    """The pairs of pages with the same number, -1 for none."""
    found: Bools = (pairs.first(numbers) == pairs.second(numbers)) & (pairs.first(numbers) >= 0)
    return found


def sites_of(page_set: PageSet) -> Integers:
    """Number of each page's site, -1 for a search result without an address."""
    return parts_of_addresses(page_set)[0]


@made_once
def parts_of_addresses(page_set: PageSet) -> tuple[Integers, ...]:
    """Numbers of each page's site, file name, canonical address, that without dates among its
    parameters, and its path alone: an address is parsed once."""
    made = address_parts(page_set)
    return tuple(number_keys([part[i] for part in made]) for i in range(5))


def address_parts(page_set: PageSet) -> list[tuple[str, ...]]:
    """What `parts_of_addresses` numbers."""

    def parts(page: Page, whole: bool) -> tuple[str, ...]:
        key = address_key(page.url)
        fragment = page.url.partition("#")[2] if whole and "#" not in key else ""
        key += f"#{fragment}" if fragment else ""
        path = key.partition("#")[0].partition("?")[0]
        undated = _DATED.sub("", key).replace("?", "&", 1)
        return site_of(page), file_name(page.url), key, undated, path

    return [*map(parts, page_set.pages, (~snippets_of(page_set)).tolist())]


def site_of(page: Page) -> str:
    """The name of a page's site. Pages without address are those of one source, but for search
    results; forms and empty lists are those of the program whose title they have."""
    if page.url:
        return site_name(page.url)
    if page.content_class == "empty":
        return UNKNOWN_SOURCE + title_words(page)
    return "" if is_brief(page) else UNKNOWN_SOURCE


@made_once
def titles_of(page_set: PageSet) -> Integers:
    """Number of each page's title by its words, -1 without one."""
    return number_keys([*map(title_words, page_set.pages)])


@made_once
def plain_texts_of(page_set: PageSet) -> Bools:
    """Whether each page is compared as a plain text: it has no title, or no address and content."""
    classes = page_set.values("content_class")
    empty = np.array([name == "empty" for name in classes], dtype=bool)
    found: Bools = (titles_of(page_set) < 0) | ((addresses_of(page_set) < 0) & ~empty)
    return found


def title_words(page: Page) -> str:
    """The words of a page's title."""
    return " ".join(words(without_version(page.page_title), digits=True))


def file_names_of(page_set: PageSet) -> Integers:
    """Number of the file name in each page's address, -1 without one."""
    return parts_of_addresses(page_set)[1]


def file_name(url: str) -> str:
    """The last part of the path without its suffix; "" for none, `index`, short numbers
    and numbers in base sixteen.

    One word without a suffix is an action of a program (`/user/4/change`): its name begins with
    what it acts on, the last part before it that is a word, no release and no language.
    """
    try:
        parts = [part for part in unquote(urlsplit(url).path).lower().split("/") if part]
    except ValueError:
        return ""
    name = without_version(_SUFFIX.sub("", parts[-1])) if parts else ""
    if name in _UNNAMED or not _NAME.search(name) or _IDENTIFIER.fullmatch(name):
        return ""
    return "/".join([*_object(parts[:-1]), name]) if _ACTION.fullmatch(parts[-1]) else name


def without_version(name: str) -> str:
    """A title or file name without numbers of versions and sections ("GPL-2.0", "3.1. Setup"); as
    it is where nothing else is in it."""
    bare = _NUMBERED.sub("", name).strip(" .-_")
    return bare if _NAME.search(bare) else name


def _object(parts: Sequence[str]) -> list[str]:
    """What an action acts on: the last word among the parts of a path, and the numbers after it."""
    kept = [part for part in parts if not (is_release(part) or _LANGUAGE.fullmatch(part))]
    start = next((i for i in reversed(range(len(kept))) if not kept[i].isdigit()), 0)
    return kept[start:]


@made_once
def snippets_of(page_set: PageSet) -> Bools:
    """Whether no more of each page is known than a search result."""
    return np.array([is_snippet(page) for page in page_set.pages], dtype=bool)


def addresses_of(page_set: PageSet) -> Integers:
    """Number of each page's canonical address, -1 without one; of a whole page with its fragment,
    which may be a state of a program."""
    return parts_of_addresses(page_set)[2]


def is_one_program(page_set: PageSet, pairs: Pairs) -> Bools:
    """Pairs whose addresses differ in parameters or fragment alone: answers of one program to two
    questions. A date is no question: it names a version of one page."""
    *_, undated, paths = parts_of_addresses(page_set)
    found: Bools = same_key(pairs, paths) & (pairs.first(undated) != pairs.second(undated))
    return found


@made_once
def texts_of(page_set: PageSet) -> Integers:
    """Number of each page's text by its words, -1 without any."""
    texts = page_set.texts(FULL_TEXT, "plain")
    ends = np.cumsum(texts.lengths)
    parts = zip((ends - texts.lengths).tolist(), ends.tolist(), strict=True)
    return number_keys([texts.words[start:end].tobytes() for start, end in parts])


@made_once
def documents_of(page_set: PageSet) -> Integers:
    """Document number of each page.

    Pages of one site with the same title and file name, and pages with the same words, are copies
    of one document; beyond MAX_COPIES each counts on its own. So are copies of one text on a site.
    """
    names = (sites_of(page_set), titles_of(page_set), file_names_of(page_set), texts_of(page_set))
    keys = [
        (site, title, name) if title >= 0 and name >= 0 else ("text", text)
        for site, title, name, text in zip(*(n.tolist() for n in names), strict=True)
    ]
    return number_documents(keys, copies_on_sites(page_set), digests_of(page_set))


@made_once
def copies_on_sites(page_set: PageSet) -> Integers:
    """Number of the text that each page of a site is a copy of, -1 for none."""
    sites = sites_of(page_set)
    found = np.full(len(sites), -1, dtype=np.int64)
    if np.bincount(sites[sites >= 0]).max(initial=0) < MIN_GROUP:
        return found
    for part in long_runs_by_site(page_set, FULL_TEXT):
        groups = copy_groups(part.matrix, part.sites)
        found[part.pages] = np.where(groups >= 0, groups + found.max() + 1, -1)
    return found


@made_once
def long_runs(page_set: PageSet, content: str) -> tuple[Sparse, Bools]:
    """Pages × runs of LONG_RUN words, and which of the runs have no function word."""
    texts = page_set.texts(content, "plain")
    return marked_word_runs(texts, LONG_RUN, in_sentences(texts.vocabulary))


def long_runs_by_site(page_set: PageSet, content: str) -> Iterable[SitePart]:
    """The same by site; kept where they are few, since they are used twice."""
    matrix, sites = long_runs(page_set, content)[0], sites_of(page_set)
    if len(matrix.indices) > MAX_KEPT_RUNS:
        return split_by_site(matrix, sites)
    return page_set.once((long_runs_by_site, content), lambda: [*split_by_site(matrix, sites)])


def in_sentences(vocabulary: Sequence[str]) -> Bools:
    """The function words of a vocabulary, and the signs of scripts without spaces."""
    known = function_words()
    found: Bools = np.array([word in known for word in vocabulary], dtype=bool)
    found |= np.array(are_unspaced(vocabulary), dtype=bool)
    return found


def number_documents(
    keys: Sequence[Hashable], groups: Integers, digest: Callable[[int], int]
) -> Integers:
    """Document number of pages with such keys, of which those of one group are one.

    `digest` gives a page a number that depends on nothing but its text.
    """
    counts, copies = Counter(keys), [(key, 0) for key in keys]
    seen: Counter[Hashable] = Counter()
    many = [page for page, key in enumerate(keys) if counts[key] > MAX_COPIES]
    for page in sorted(many, key=digest):  # in no order of the pages
        seen[keys[page]] += 1
        copies[page] = (keys[page], max(seen[keys[page]] - MAX_COPIES, 0))
    both = zip(groups.tolist(), copies, strict=True)
    return number_keys([("copies", group) if group >= 0 else copy for group, copy in both])


@made_once
def digests_of(page_set: PageSet) -> Callable[[int], int]:
    """Gives a page a number that depends on nothing but its text."""
    texts = page_set.values(FULL_TEXT)
    return lambda page: code_of(texts[page])


def code_of(text: str) -> int:
    """A 64-bit code of a text, the same in every process; 0 for an empty one."""
    from hashlib import blake2b

    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True) if text else 0
