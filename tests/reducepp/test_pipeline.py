"""From pages to a reduction: every number of a tiny set worked by hand, and the promises."""

import json
import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from reducepp import reduce
from reducepp.api import compare_records, find_profile, threshold_for
from reducepp.clustering.representatives import Splitter, find_policy
from reducepp.comparison import compare_pages
from reducepp.errors import UsageError
from reducepp.io.writers import FORMATS, page_rows, reduction_to_dict
from reducepp.pipeline import Cut, cut
from reducepp.types import Array, Page, Profile, Signal

TITLE_AND_LINKS = Profile(
    name="hand",
    threshold=0.5,
    signals=(
        Signal(name="title", content="page_title", measure="cosine", weight=0.6),
        Signal(name="links", content="links", measure="jaccard", weight=0.4),
    ),
)

A = Page(id="a", rank=1, page_title="red fox", links=("https://x.example/1", "https://x.example/2"))
B = Page(id="b", rank=2, page_title="red dog", links=("https://x.example/2#here",))
C = Page(id="c", rank=3, page_title="blue cat")
D = Page(id="d", rank=4, page_title="blue cat")
"""Titles: a-b share one of two words, cosine 1/2; c-d are equal. Links: a-b share one of two.

a-b: 0.6 × 1/2 + 0.4 × 1/2 = 0.5, on the threshold. a-c: title 0, c has no links, which counts 0
by the profile's rule, so 0. c-d: no links on both, left out; 0.6 × 1 / 0.6 = 1.
"""


def test_every_score_of_the_tiny_set() -> None:
    comparison = compare_pages([D, A, C, B], TITLE_AND_LINKS)
    assert [page.id for page in comparison.pages] == ["a", "b", "c", "d"]
    expected = [[1, 0.5, 0, 0], [0.5, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    assert comparison.scores.tolist() == expected


def test_a_missing_content_type_can_be_left_out_on_one_side_too() -> None:
    lenient = replace(TITLE_AND_LINKS, missing="left out")
    half = Page(id="h", rank=2, page_title="red bird")
    assert compare_pages([A, half], TITLE_AND_LINKS).scores[0, 1] == pytest.approx(0.3)
    assert compare_pages([A, half], lenient).scores[0, 1] == 0.5


def test_clusters_and_the_reason_for_each_page_dropped() -> None:
    reduction = cut(compare_pages([A, B, C, D], TITLE_AND_LINKS), Cut(threshold=0.5))
    assert [c.members for c in reduction.clusters] == [("a", "b"), ("c", "d")]
    assert (reduction.before, reduction.after, reduction.reduction) == (4, 2, 0.5)
    first, second = reduction.dropped
    assert (first.id, first.kept, first.score) == ("b", "a", 0.5)
    assert first.by_signal["title"].contribution == pytest.approx(0.3)
    assert first.by_signal["links"].contribution == pytest.approx(0.2)
    assert second.by_signal["title"].weight == 1
    assert second.by_signal["links"].contribution == 0


def test_an_edge_stands_at_the_threshold_and_not_above_it() -> None:
    comparison = compare_pages([A, B], TITLE_AND_LINKS)
    assert cut(comparison, Cut(threshold=0.5)).after == 1
    assert cut(comparison, Cut(threshold=0.5000001)).after == 2


TEXT = "The old harbour wall was rebuilt in stone after the great storm of that winter."


def chain() -> list[Page]:
    """Three pages, each sharing half of its text with the next, the ends nothing."""
    parts = [
        "the harbour wall was rebuilt in stone after the storm of that long winter",
        "a committee of seven merchants paid for the new lamps along the northern quay",
        "ships from four nations anchored there in spring and sold salt fish and timber",
        "children of the town still sing about the night when the bell fell silent",
    ]
    return [Page(id=f"p{i}", rank=i + 1, body=f"{parts[i]}. {parts[i + 1]}.") for i in range(3)]


def test_pages_linked_only_through_others_name_the_chain_and_its_weakest_step() -> None:
    reduction = reduce(chain(), threshold=0.4, profile="snippets")
    (cluster,) = reduction.clusters
    assert cluster.chained
    last = reduction.dropped[-1]
    assert [(edge.a, edge.b) for edge in last.chain] == [("p0", "p1"), ("p1", "p2")]
    assert last.score < 0.4
    assert last.weakest_step is not None
    assert last.weakest_step.score == min(edge.score for edge in last.chain) >= 0.4
    assert any("chained" in warning for warning in reduction.warnings)


def test_shared_passages_have_their_places_in_both_bodies() -> None:
    first, second, _ = chain()
    (dropped,) = reduce([first, second], threshold=0.4).dropped
    (passage,) = dropped.passages
    assert passage.words == 14
    start, end = passage.in_dropped
    assert second.body[start:end] == passage.text
    start, end = passage.in_kept
    assert first.body[start:end] == passage.text


def test_identical_pages_score_one_with_every_profile() -> None:
    page = Page(id="x", url="https://x.example/", page_title="T", body=TEXT, language="en")
    for profile in ("default", "paper"):
        assert compare_records([page, replace(page, id="y")], profile=profile).scores[0, 1] == 1.0


@pytest.mark.parametrize("profile", ["default", "paper", "snippets", "posts"])
@pytest.mark.parametrize("text", ["1984", "12 + 34", "!!!", "\N{HONEYBEE}\N{HONEYBEE}"])
def test_pages_without_words_are_one_where_they_show_the_same(profile: str, text: str) -> None:
    pages = [Page(id=name, body=body) for name, body in (("a", text), ("b", text), ("c", "77"))]
    assert [d.id for d in reduce(pages, profile=profile).dropped] == ["b"]


def test_the_order_of_input_changes_nothing_and_two_runs_are_equal_bytes() -> None:
    pages = [replace(page, page_title=TEXT[i : i + 30]) for i, page in enumerate(chain())]
    pages += [replace(page, id=f"{page.id}x", rank=page.rank + 3) for page in pages]
    shuffled = pages[:]
    random.Random(4).shuffle(shuffled)
    for profile in ("default", "paper"):
        first = FORMATS["json"]([reduce(pages, profile=profile)])
        assert FORMATS["json"]([reduce(shuffled, profile=profile)]) == first
        assert FORMATS["json"]([reduce(pages, profile=profile)]) == first


@pytest.mark.parametrize(
    ("keep", "kept"), [("rank", "a"), ("longest", "b"), ("medoid", "c"), ("newest", "d")]
)
def test_which_page_is_shown(keep: str, kept: str) -> None:
    more = {"a": " Far away.", "b": TEXT, "c": " Far.", "d": " So be it, then."}
    pages = [Page(id=n, rank=i, body=TEXT + b) for i, (n, b) in enumerate(more.items(), 1)]
    pages[3] = replace(pages[3], posted_at="2026-01-02")
    reduction = reduce(pages, profile="paper", threshold=0.3, keep=keep)
    assert [c.kept for c in reduction.clusters] == [kept]
    assert {d.kept for d in reduction.dropped} == {kept}


def test_modes_keep_the_search_engines_order() -> None:
    comparison = compare_pages([A, C, replace(B, rank=4), replace(D, rank=5)], TITLE_AND_LINKS)
    shown = {}
    for mode in ("collapse", "demote", "drop"):
        found = reduction_to_dict(cut(comparison, Cut(threshold=0.5, mode=mode)))
        shown[mode] = [result["id"] for result in found["results"]]
    assert shown["collapse"] == shown["drop"] == ["a", "c"]
    assert shown["demote"] == ["a", "c", "b", "d"]
    with pytest.raises(UsageError, match="collapse, demote, drop"):
        cut(comparison, Cut(threshold=0.5, mode="hide"))


def test_a_number_of_results_instead_of_a_threshold() -> None:
    comparison = compare_pages([A, B, C, D], TITLE_AND_LINKS)
    assert threshold_for(comparison.tree, 3) == 1.0
    assert threshold_for(comparison.tree, 2) == 0.5
    assert threshold_for(comparison.tree, 9) == 1.0
    with pytest.raises(UsageError):
        threshold_for(comparison.tree, 0)
    both = reduce([A, B, C, D], profile=TITLE_AND_LINKS, threshold=0.9, target_n=2)
    assert (both.threshold, both.kept, both.cut) == (0.5, ("a", "c"), ())


def test_pages_without_content_are_cut_first() -> None:
    wall = replace(A, id="wall", rank=0, content_class="consent", page_title="Cookies", links=())
    found = reduce([wall, A, C], profile=TITLE_AND_LINKS, target_n=2)
    assert (found.kept, found.cut) == (("a", "c"), ("wall",))
    found = reduce([wall, A, C], profile=TITLE_AND_LINKS, target_n=1)
    assert (found.kept, found.cut) == (("a",), ("wall", "c"))


def test_no_page_is_dropped_for_one_it_resembles_less_than_min_score() -> None:
    comparison = compare_pages(chain(), find_profile("snippets"))
    assert cut(comparison, Cut(threshold=0.4)).kept == ("p0",)
    reduction = cut(comparison, Cut(threshold=0.4, min_score=0.4))
    assert [(c.kept, c.members) for c in reduction.clusters] == [("p1", ("p0", "p1", "p2"))]
    assert [(d.kept, len(d.chain)) for d in reduction.dropped] == [("p1", 1), ("p1", 1)]
    newest = cut(comparison, Cut(threshold=0.4, min_score=0.4, keep="newest"))
    assert [c.members for c in newest.clusters] == [("p0", "p1"), ("p2",)]
    assert not any(c.chained for c in reduction.clusters + newest.clusters)
    assert cut(comparison, Cut(threshold=0.4, min_score=1.0)).after == 3


def split(
    scores: Array,
    keep: str = "rank",
    contradict: Callable[[int, int], bool] | None = None,
    min_score: float = 0.5,
) -> list[tuple[int, tuple[int, ...]]]:
    """All pages as one group, split at a score; earlier pages are longer."""
    pages = [replace(A, id=str(i), rank=i, body="word " * (9 - i)) for i in range(len(scores))]
    policy = find_policy(keep)
    splitter = Splitter(
        pages=pages, scores=scores, min_score=min_score, policy=policy, contradict=contradict
    )
    return sorted(splitter.split(range(len(scores))))


def test_a_page_is_dropped_for_the_representative_it_resembles_most() -> None:
    scores = np.array(
        [[1.0, 0.3, 0.9, 0.7], [0.3, 1.0, 0.7, 0.9], [0.9, 0.7, 1.0, 0.3], [0.7, 0.9, 0.3, 1.0]]
    )
    for keep in ("rank", "longest"):
        assert split(scores, keep) == [(0, (0, 2)), (1, (1, 3))]
        apart = split(scores, keep, lambda i, kept: {i, kept} == {1, 3})
        assert apart == [(0, (0, 2, 3)), (1, (1,))]
    assert split(scores, min_score=0.0) == [(0, (0, 1, 2, 3))]


def test_a_source_that_copies_resemble_is_kept_before_a_copy() -> None:
    scores = np.eye(5)
    scores[3] = scores[:, 3] = (0.6, 0.7, 0.8, 1.0, 0.2)
    scores[0, 1] = scores[1, 0] = 0.9
    assert split(scores) == [(3, (0, 1, 2, 3)), (4, (4,))]
    named = split(scores, "longest")
    assert named == [(0, (0, 1)), (2, (2, 3)), (4, (4,))], "who names a policy gets its choice"


def test_results_beyond_a_number_are_cut_with_their_cluster_and_not_called_similar() -> None:
    reduction = cut(compare_pages([A, B, C, D], TITLE_AND_LINKS), Cut(threshold=0.5, max_results=1))
    assert reduction.kept == ("a",)
    assert [d.id for d in reduction.dropped] == ["b"]
    assert reduction.cut == ("c", "d")
    assert reduction_to_dict(reduction)["cut"] == ["c", "d"]
    rows = {row["id"]: row for row in page_rows(reduction)}
    assert [rows[i]["shown"] for i in "abcd"] == [True, False, False, False]
    assert (rows["c"]["kept"], rows["c"]["action"], rows["c"]["score"]) == ("", "cut", "")
    made = {name: form([reduction]) for name, form in FORMATS.items()}
    assert all("blue cat" in made[name] for name in ("table", "md", "csv"))
    assert "blue cat" not in made["pages"]


def test_no_pages_and_a_page_that_cannot_be_used() -> None:
    empty = reduce([])
    assert (empty.before, empty.after, empty.reduction) == (0, 0, 0.0)
    mixed = reduce([{"url": "https://a.example/", "html": ""}, {"body": TEXT}, {"x": 1}])
    assert mixed.before == 1
    assert {failure.stage for failure in mixed.failures} == {"read", "split"}


def test_every_form_of_output_is_made_from_hostile_pages() -> None:
    title = "<script>alert(1)</script> | `x` \n# head"
    pages = [Page(id=str(i), rank=i + 1, page_title=title, body=TEXT) for i in range(2)]
    reduction = reduce(pages)
    made = {name: form([reduction]) for name, form in FORMATS.items()}
    assert json.loads(made["json"])["reductions"][0]["before"] == 2
    assert json.loads(made["jsonl"])["after"] == 1
    assert "<script>" not in made["md"]
    assert len(made["csv"].splitlines()) > 2
    assert "2 pages, 1 shown" in made["table"]
