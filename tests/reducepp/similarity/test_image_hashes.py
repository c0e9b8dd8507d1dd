"""Images matched by hand."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from reducepp.api import find_profile
from reducepp.comparison import compare_pages
from reducepp.pipeline import Cut, cut
from reducepp.similarity.compare import drop_empty_signals
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures.image_hashes import images
from reducepp.types import Page, Profile, Signal

SAME, NEAR, FAR = "0000000000000000", "000000000000000f", "ffffffffffffffff"


def similarity(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    pages = (Page(id="l", images=left), Page(id="r", images=right))
    return float(images(PageSet(pages).contents("images"))[0, 1])


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ((SAME,), (SAME,), 1.0),
        ((SAME,), (NEAR,), 1 - 4 / 32),
        ((SAME,), (FAR,), 0.0),
        ((SAME, FAR), (FAR, SAME), 1.0),
        ((SAME,), (SAME, FAR), 0.5),
        ((SAME, NEAR), (SAME, SAME), (1 + 28 / 32) / 2),
        ((SAME, "no hash"), (SAME,), 1.0),
    ],
)
def test_by_hand(left: tuple[str, ...], right: tuple[str, ...], expected: float) -> None:
    assert similarity(left, right) == pytest.approx(expected)


def test_no_images_is_nan() -> None:
    assert np.isnan(similarity((), (SAME,)))


def test_agrees_with_trying_every_matching() -> None:
    random = np.random.default_rng(0)
    left = tuple(f"{int(n):016x}" for n in random.integers(0, 2**63, 4))
    right = tuple(f"{int(n):016x}" for n in random.integers(0, 2**63, 4))

    def alike(a: str, b: str) -> float:
        return max(0.0, 1 - (int(a, 16) ^ int(b, 16)).bit_count() / 32)

    best = max(sum(map(alike, left, order)) for order in permutations(right)) / 4
    assert similarity(left, right) == pytest.approx(best)


SIX = ["site_title", "page_title", "subtitles", "links", "body_cosine", "body_graph"]
TEXT = "The council voted on Monday to repair the old lighthouse, dark since the great storm."


def names(profile: Profile) -> list[str]:
    return [signal.name for signal in profile.signals]


def test_the_paper_lists_images_at_weight_0_and_compares_them_only_where_there_are_any() -> None:
    paper = find_profile("paper")
    assert names(paper) == [*SIX, "images"]
    bare = [Page(id=i, body=TEXT) for i in "ab"]
    shown = [Page(id="a", body=TEXT, images=(SAME,)), Page(id="b", body=TEXT, images=(NEAR,))]
    without, with_images = compare_pages(bare, paper), compare_pages(shown, paper)
    assert names(without.profile) == list(without.similarities.by_signal) == SIX
    assert names(with_images.profile) == list(with_images.similarities.by_signal) == names(paper)
    assert with_images.similarities.by_signal["images"][0, 1] == 1 - 4 / 32
    assert (with_images.scores == without.scores).all()
    (dropped,) = cut(with_images, Cut(threshold=0.5)).dropped
    share = dropped.by_signal["images"]
    assert (share.similarity, share.weight, share.contribution) == (1 - 4 / 32, 0, 0)


def test_what_counts_is_always_needed() -> None:
    links = Signal(name="links", content="links", measure="jaccard", weight=0.5)
    text = Signal(name="text", content="text", measure="cosine", weight=0.5)
    idle = Signal(name="images", content="images", measure="images", weight=0.0)
    profile = Profile(name="p", signals=(links, text, idle), threshold=0.5)
    assert names(drop_empty_signals(profile, [Page(id="a")])) == ["links", "text"]
    assert names(
        drop_empty_signals(profile, [Page(id="a"), Page(id="b", images=(SAME,))])
    ) == names(profile)
    model = {"kind": "logistic", "bias": 0.0, "weights": {"images": 1.0}}
    learned = Profile(name="p", signals=(links, text, idle), threshold=0.5, model=model)
    assert drop_empty_signals(learned, [Page(id="a")]) is learned
