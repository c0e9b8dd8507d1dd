"""Figures in the frame of a set's pages, and that no pair of a template is read twice."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducepp import Page, reduce
from reducepp.evidence.facts.aligned_facts import AlignedFacts
from reducepp.evidence.page_frame import MIN_FRAME_PAGES, MIN_FRAME_SHARE, PageFrame

WORDS = ("version", "4.2", "of", "Of", "2021,", "the", "manual", "page", "12", "12.")


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+(?:[.,:]\w+)*", text.lower()))


def holds(bodies: list[str], own: str, fact: str, around: tuple[str, str]) -> bool:
    """The obvious way: each page is searched for the fact beside the word before or after it."""
    before, after = plain(around[0]).split()[-1:], plain(around[1]).split()[:1]
    phrases = [f" {word} {plain(fact)} " for word in before]
    phrases += [f" {plain(fact)} {word} " for word in after]
    mine, held = set(plain(own).split()), 0
    for body in bodies:
        theirs = set(plain(body).split())
        stated = any(phrase in f" {plain(body)} " for phrase in phrases)
        held += stated and 2 * len(mine & theirs) < len(mine | theirs)
    return held >= max(MIN_FRAME_PAGES, MIN_FRAME_SHARE * len(bodies))


texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


@given(
    bodies=st.lists(texts, min_size=1, max_size=40),
    own=texts,
    fact=st.sampled_from(["4.2", "12", "2021", "version 4.2", "-"]),
    around=st.tuples(texts, texts),
)
def test_as_found_by_a_search_of_every_page(
    bodies: list[str], own: str, fact: str, around: tuple[str, str]
) -> None:
    frame = PageFrame([Page(id=str(n), body=body) for n, body in enumerate(bodies)])
    page = Page(id="own", body=own)
    found = frame.holds(page, fact, around)
    assert found == holds(bodies, own, fact, around)
    assert frame.may_hold(page, fact) or not found


def test_no_pair_of_a_template_is_aligned_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    template = (
        "The {} coat weighs {} grams and costs {} euros. It was made of {} pieces of wool in {} "
        "hours and is {} centimetres long. Wash it by hand, let it dry in the shade and brush it "
        "once a month. Write to us when a button is lost, and we will send you another one."
    )
    names = ["red", "blue", "green", "black", "white", "brown", "grey", "pink"]
    pages = [
        Page(
            id=name,
            url=f"https://{name}.example/",
            body=template.format(name, *(100 * n + 17 * k * n for k in range(1, 6))),
        )
        for n, name in enumerate(names, 1)
    ]
    aligned: Counter[tuple[str, ...]] = Counter()
    init = AlignedFacts.__init__

    def count(self: AlignedFacts, a, b) -> None:  # type: ignore[no-untyped-def]
        aligned[tuple(sorted((a.text, b.text)))] += 1
        init(self, a, b)

    monkeypatch.setattr(AlignedFacts, "__init__", count)
    assert len(reduce(pages).clusters) == len(pages)
    assert aligned
    assert set(aligned.values()) == {1}
