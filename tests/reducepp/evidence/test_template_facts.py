"""Contradictions that are certain without aligning a pair are those that aligning it finds."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from reducepp import Page
from reducepp.evidence.facts import template_facts
from reducepp.evidence.facts.fact_text import FactText, read_facts
from reducepp.evidence.facts.template_facts import MAX_TEMPLATE_PAGES, certain_contradictions
from reducepp.evidence.page_facts import PageFacts
from tests.reducepp.evidence.made_texts import compare_facts

PARTS = (
    "{name} costs {} euros and weighs {} grams.",
    "It was first sold on {day} May {year} in {} shops of the town of {name}.",
    "Article number {} of the list, in stock {} times, rated by {} people.",
    "Order before {hour}:30 and it is sent on the same day with the parcels from the mill.",
    "Wash it by hand at {} degrees and let it dry for {} hours in the shade of a tree.",
    "The line has {} colours, {} % of it is wool, and {} pieces are made in a year.",
    "Write to us when a button is lost, and we will send you another one without a charge.",
)


def made_texts(seed: int, values: int) -> list[str]:
    """Pages of one template with figures from 1 to `values`, each without one of its parts."""
    random = Random(seed)
    texts = []
    for name in ("Anton", "Berta", "Caesar", "Dora") * 6:
        left_out = random.randrange(2 * len(PARTS))
        kept = " ".join(part for n, part in enumerate(PARTS) if n != left_out)
        figures = [random.randint(1, values) for _ in range(kept.count("{}"))]
        day, year, hour = random.randint(1, 28), random.randint(1990, 2020), random.randint(9, 18)
        texts.append(kept.format(*figures, name=name, day=day, year=year, hour=hour))
    return texts


@pytest.mark.parametrize("values", [2, 9, 60, 5000])
@pytest.mark.parametrize("seed", range(4))
def test_certain_pairs_contradict_when_they_are_aligned(seed: int, values: int) -> None:
    texts = [read_facts(text) for text in made_texts(seed, values)]
    found = certain_contradictions(len(texts), texts.__getitem__, lambda n, fact: False)
    pairs = list(combinations(range(len(texts)), 2))
    certain = [pair for pair in pairs if found[pair]]
    assert all(compare_facts(texts[a], texts[b]).contradicts for a, b in certain)
    assert (found == found.T).all()
    assert values < 60 or len(certain) > len(pairs) / 2


@pytest.mark.parametrize("values", [5, 200])
def test_a_cluster_that_is_foreseen_has_the_same_contradictions(values: int) -> None:
    bodies = made_texts(9, values)
    pages = [Page(id=str(n), url=f"https://{n}.example/", body=b) for n, b in enumerate(bodies)]
    foreseen, plain = PageFacts(pages), PageFacts(pages)
    foreseen.foresee(range(len(pages)))
    for i, j in combinations(range(len(pages)), 2):
        assert foreseen.contradict(i, j) == foreseen.contradict(j, i) == plain.contradict(i, j)


def test_facts_that_may_belong_to_the_frame_are_not_certain() -> None:
    texts = [read_facts(text) for text in made_texts(3, 5000)]
    found = certain_contradictions(len(texts), texts.__getitem__, lambda n, fact: True)
    assert not found.any()


def test_of_too_many_pages_none_is_certain() -> None:
    found = certain_contradictions(MAX_TEMPLATE_PAGES + 1, [].__getitem__, lambda n, fact: False)
    assert found.shape == (0, 0)


def test_parts_of_a_cluster_are_not_foreseen_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [Page(id=text[:9], body=text) for text in made_texts(3, 200)]
    facts = PageFacts(pages)
    facts.foresee(range(len(pages)))
    monkeypatch.setattr(template_facts, "certain_contradictions", None)
    facts.foresee(range(5, 22))
    assert facts.contradict(5, 6) == PageFacts(pages).contradict(5, 6)


def test_texts_without_a_template_are_read_once_for_it() -> None:
    random, read = Random(2), list[int]()
    words = [f"{a}{b}" for a in ("ba", "ke", "li", "mo") for b in ("ran", "tis", "vel", "zu")]
    texts = [
        read_facts(" ".join(f"{random.choice(words)} {random.randint(1, 99)}" for _ in range(60)))
        for _ in range(40)
    ]

    def take(number: int) -> FactText:
        read.append(number)
        return texts[number]

    assert not certain_contradictions(len(texts), take, lambda n, fact: False).any()
    assert len(read) == len(texts) + template_facts.MIN_TEMPLATE_PAGES
