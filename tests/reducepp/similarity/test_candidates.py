"""Candidates of large sets: the same clusters and digits as all pairs, from far fewer scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reducepp.api import find_profile
from reducepp.clustering.representatives import POLICIES
from reducepp.comparison import Comparison, compare_pages
from reducepp.io.writers import reduction_to_dict
from reducepp.pipeline import Cut, cut
from reducepp.similarity.contents import PageSet
from reducepp.similarity.inverted_index import cosine_pairs
from reducepp.similarity.pair_matrix import PairMatrix, links_at
from reducepp.types import Page, Profile, Signal

MEAN = Profile(
    name="mean",
    threshold=0.44,
    missing="left out",
    signals=(
        Signal(name="title", content="page_title", measure="cosine", weight=0.1),
        Signal(name="text", content="text", measure="overlap", weight=0.55),
        Signal(name="address", content="url", measure="same_address", weight=0.35),
    ),
)

WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnrst"]


def make_pages(seed: int, count: int = 40) -> list[Page]:
    """Pages of any length that copy from each other, some short, empty, wordless or of one url."""
    rng = np.random.default_rng(seed)
    pages: list[Page] = []
    for i in range(count):
        words = rng.choice(WORDS, size=int(rng.choice([0, 3, 8, 14, 24, 30, 80, 200]))).tolist()
        title = " ".join(rng.choice(WORDS[:12], size=int(rng.integers(0, 4))))
        if pages and rng.random() < 0.5:
            source = pages[int(rng.integers(len(pages)))]
            copied = source.body.split()
            words = copied[: int(rng.integers(len(copied) + 1))] + words[: int(rng.integers(30))]
            title = source.page_title if rng.random() < 0.7 else title
        body = " ".join(words) if rng.random() > 0.05 else "123 — 456 ☂"
        url = f"https://site{rng.integers(4)}.example/{rng.integers(count)}"
        pages.append(
            Page(
                id=f"p{i}",
                rank=i + 1,
                url=url if rng.random() < 0.9 else "",
                page_title=title,
                body=body,
                posted_at=f"2024-01-{1 + i % 28:02}",
            )
        )
    return pages


def make_twins(seed: int, count: int = 60) -> list[Page]:
    """The same, with many pages of the same 120 words: some of them a home page, or changed."""
    rng = np.random.default_rng(seed)
    text = rng.choice(WORDS, size=120).tolist()
    pages = make_pages(seed, count)
    for i in range(0, count, 2):
        changed = [*text[: 60 + i], *rng.choice(WORDS, size=4)] if i % 10 == 0 else text
        kind = "home" if i % 14 == 0 else ""
        pages[i] = replace(pages[i], body=" ".join(changed), content_class=kind)
    return pages


def both(
    monkeypatch: pytest.MonkeyPatch,
    pages: list[Page],
    name: str | Profile,
    linkage: str,
    floor: float,
) -> tuple[Comparison, Comparison]:
    profile = find_profile(name, linkage=linkage)
    dense = compare_pages(pages, profile)
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
    return dense, compare_pages(pages, profile, floor=floor)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("linkage", ["single", "average", "complete"])
@pytest.mark.parametrize(
    ("name", "floor"), [("default", 0.5), ("default", 0.3), ("snippets", 0.57)]
)
def test_reductions_equal_those_of_all_pairs(
    monkeypatch: pytest.MonkeyPatch, name: str | Profile, floor: float, seed: int, linkage: str
) -> None:
    dense, sparse = both(monkeypatch, make_pages(seed), name, linkage, floor)
    assert isinstance(sparse.scores, PairMatrix)
    cuts = [Cut(threshold=floor, keep=keep, explain=keep == "rank") for keep in POLICIES]
    cuts += [Cut(threshold=t, min_score=s) for t, s in ((0.6, 0.0), (floor, 0.6), (1.0, 0.0))]
    for how in cuts:
        assert reduction_to_dict(cut(sparse, how)) == reduction_to_dict(cut(dense, how))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("linkage", ["single", "average", "complete"])
def test_equal_texts_are_not_compared_and_change_nothing(
    monkeypatch: pytest.MonkeyPatch, seed: int, linkage: str
) -> None:
    dense, sparse = both(monkeypatch, make_twins(seed), "default", linkage, 0.5)
    assert np.bincount(sparse.scores.table.certain + 1)[1:].max() > 15
    assert sparse.scores.links(0.5)[0].tolist() == links_at(dense.scores, 0.5)[0].tolist()
    monkeypatch.setattr("reducepp.clustering.tree.MAX_BLOCK_PAGES", 5)
    for keep in POLICIES:
        how = Cut(threshold=0.5, keep=keep, explain=keep == "rank")
        assert reduction_to_dict(cut(sparse, how)) == reduction_to_dict(cut(dense, how))


@pytest.mark.parametrize("name", ["default", MEAN])
def test_the_tree_above_the_floor_is_the_dense_one(
    monkeypatch: pytest.MonkeyPatch, name: str | Profile
) -> None:
    dense, sparse = both(
        monkeypatch,
        make_pages(7, 60) + [replace(page, id=f"twin {page.id}") for page in make_twins(7, 20)],
        name,
        "single",
        0.4,
    )
    above = dense.tree.scores >= 0.4
    for name in ("first", "second", "scores"):
        np.testing.assert_array_equal(getattr(sparse.tree, name), getattr(dense.tree, name)[above])


def test_far_fewer_pairs_are_scored_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    scored = {}
    for count in (200, 800):
        vocabulary = [f"{a}{b}" for a in WORDS for b in WORDS[:40]]
        bodies = [" ".join(rng.choice(vocabulary, size=120)) for _ in range(count // 2)]
        pages = [
            Page(id=str(i), rank=i + 1, body=bodies[i % (count // 2)], page_title=str(i))
            for i in range(count)
        ]
        monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
        found = compare_pages(pages, find_profile("default"), floor=0.5)
        assert len(found.tree.clusters_at(0.5)) == count // 2
        scored[count] = found.scores.table.scored
    assert scored[800] <= 5 * scored[200] <= 5 * 200, "in proportion to the pages, not the pairs"


@pytest.mark.parametrize("minimum", [0.2, 0.35, 0.6, 0.95])
def test_every_cosine_at_the_minimum_is_a_candidate(minimum: float) -> None:
    pages = make_pages(11, 120)
    counts = PageSet(pages).contents("body").texts().counts
    lengths = np.sqrt(np.maximum(counts.power(2).sum(axis=1), 1e-300))
    cosines = (counts @ counts.T).toarray() / np.outer(lengths, lengths)
    first, second = cosine_pairs(counts, minimum)
    found = {(min(a, b), max(a, b)) for a, b in zip(first.tolist(), second.tolist(), strict=True)}
    needed = {(i, j) for i, j in zip(*np.nonzero(np.triu(cosines, 1) >= minimum), strict=True)}
    assert needed <= found
    few = np.arange(0, 120, 7)
    first, second = cosine_pairs(counts, minimum, rows=few)
    listed = {(min(a, b), max(a, b)) for a, b in zip(first.tolist(), second.tolist(), strict=True)}
    assert {(i, j) for i, j in needed if i in few or j in few} <= listed
