"""Labelled sets made from the labelled pages by a rule: revised excerpts, and plain texts.

Revised: five articles of a language are sources. Of each, twelve excerpts are made: four are
copied, four lightly revised (one word in eight is another one, one in twenty is gone), four heavily
(one in four and one in ten, sentences turned round and in another order). An excerpt is a duplicate
of its source; texts of different articles are not, four more per source among them. Two excerpts of
one source are not labelled: they may have nothing in common. They are given without addresses, and
on a host each.

Plain: everything that the pages show, menus included, without titles, as web crawls give them: one
line, and addresses of one made-up host that say nothing.

Hosts: the versions of a manual, each on a host of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

from benchmarks.data import labels_of, read_rows
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.text.tokenise import sentences
from reducepp.text.urls import site_name
from reducepp.types import Page

SOURCES, OTHERS = 5, 4
MIN_WORDS = 250
"""Of an article, for excerpts that differ from each other."""
SENTENCES, EXCERPT = 14, (9, 12)
"""Sentences of a source, and the fewest and most of an excerpt."""
REVISIONS = ((0.0, 0.0, False), (0.125, 0.05, False), (0.25, 0.1, True))
"""Words that are replaced, words that are left out, whether the order changes."""
REPEATS = 4
MAX_COMMON = 20
"""Runs of five words that two articles may share."""

Labelled = tuple[str, int]
"""Text and article; an article's first text is its source."""


def revised_set(pages: Sequence[Page], seed: int = 1) -> LabelledPairs:
    """Labelled pairs of revised excerpts of the pages' main texts, in random order."""
    random = Random(seed)
    texts = list(_texts(_articles(pages), random))
    order = random.sample(range(len(texts)), len(texts))
    made = [Page(id=str(i), rank=rank, body=texts[i][0]) for rank, i in enumerate(order, start=1)]
    sources = {article: i for i, (_, article) in reversed(list(enumerate(texts)))}
    labels = [
        PairLabel(a=str(i), b=str(j), grade=float(one == other))
        for (i, (_, one)), (j, (_, other)) in combinations(enumerate(texts), 2)
        if one != other or i == sources[one]
    ]
    return find_pairs([made], labels)


def _articles(pages: Sequence[Page]) -> list[list[str]]:
    """Sentences of main texts that have little in common with those before."""
    seen: list[set[tuple[str, ...]]] = []
    found = []
    for page in pages:
        words = page.body.split()
        runs = set(zip(*(words[i:] for i in range(5)), strict=False))
        if len(words) > MIN_WORDS and all(len(runs & other) < MAX_COMMON for other in seen):
            seen.append(runs)
            found.append([s for s in sentences(page.body) if 5 <= len(s.split()) <= 50][:SENTENCES])
    return found


def _texts(articles: Sequence[Sequence[str]], random: Random) -> Iterator[Labelled]:
    words = [w for a in articles for s in a for w in s.split() if w.isalpha() and len(w) > 3]
    for number, source in enumerate(articles[:SOURCES]):
        yield " ".join(source), number
        for replaced, gone, turned in REVISIONS:
            for _ in range(REPEATS):
                start = random.randrange(max(1, len(source) - EXCERPT[1]))
                part = source[start : start + random.randint(*EXCERPT)]
                revised = [_revise(s.split(), words, replaced, gone, random) for s in part]
                if turned:
                    revised = [_turn(sentence, random) for sentence in revised]
                    random.shuffle(revised)
                yield " ".join(word for sentence in revised for word in sentence), number
    for number, other in enumerate(articles[SOURCES : SOURCES * (OTHERS + 1)], start=SOURCES):
        yield " ".join(other[: EXCERPT[1]]), number


def _revise(
    sentence: Sequence[str], words: Sequence[str], replaced: float, gone: float, random: Random
) -> list[str]:
    chances = [random.random() for _ in sentence]
    return [
        random.choice(words) if chance < gone + replaced else word
        for word, chance in zip(sentence, chances, strict=True)
        if chance >= gone
    ]


def _turn(sentence: list[str], random: Random) -> list[str]:
    """The end of a sentence before its beginning, for two long ones in five."""
    if len(sentence) <= 8 or random.random() >= 0.4:
        return sentence
    place = random.randrange(3, len(sentence) - 3)
    return sentence[place:] + sentence[:place]


def plain_set(name: str) -> LabelledPairs:
    """The labelled pairs of a set of HTML pages, with all their text in place of the pages."""
    pages = [
        Page(id=row["id"], query=row["query"], rank=row["rank"], body=all_text(row["html"]))
        for row in read_rows(name)
    ]
    return find_pairs([on_one_host(pages)], labels_of(name))


def all_text(html: str) -> str:
    """All words of the body but scripts and styles, in one line."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html)
    for node in tree.css("script, style, noscript, head"):
        node.decompose()
    return " ".join((tree.body or tree.root).text(separator=" ").split()) if tree.root else ""


def on_hosts_of_versions(pages: Sequence[Page]) -> list[Page]:
    """Each version of a manual, the first part of the path with a digit, as a host of its own."""

    def move(page: Page) -> Page:
        before, version, after = re.split(r"/([a-z]*\d[\w.-]*)/", page.url, maxsplit=1)
        name = version.replace(".", "-")
        return replace(page, url=f"https://{name}-{site_name(before)}.example/{after}")

    return [*map(move, pages)]


def on_own_hosts(pages: Sequence[Page]) -> list[Page]:
    """The pages under an address of a made-up host each."""
    return [replace(page, url=f"https://texts-{page.id}.example/") for page in pages]


def on_one_host(pages: Sequence[Page]) -> list[Page]:
    """The pages under addresses of one made-up host."""
    return [replace(page, url=f"https://texts.example/{page.id}") for page in pages]
