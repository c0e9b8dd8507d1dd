"""The post-processor: the same objects in the same order, the best-ranked copy stays."""

import copy
import math
import random
from dataclasses import dataclass
from typing import Any

import pytest

from reducepp import postprocess
from reducepp.api import find_profile
from reducepp.errors import ReduceppError, UsageError
from reducepp.plugins.postprocess import PostProcessor
from tests.machine_units import units_of
from tests.reducepp.plugins.samples import ARABIC, EDITED, FRENCH, RESULTS, STORY


def places(results: list[Any], **options: Any) -> list[int]:
    return [shown.place for shown in postprocess(results, **options).shown]


def test_copies_are_folded_under_the_best_ranked_one() -> None:
    before = copy.deepcopy(RESULTS)
    done = postprocess(RESULTS, query="rooftop bees")
    assert [r is RESULTS[i] for r, i in zip(done.results, (0, 1, 3), strict=True)] == [True] * 3
    assert [s.result for s in done.shown[0].similar] == [RESULTS[2], RESULTS[4]]
    assert done.shown[0].note == "2 similar hidden"
    assert done.shown[1].note == ""
    assert done.reduction.query == "rooftop bees"
    assert before == RESULTS


def test_the_best_ranked_that_all_copies_resemble_stays() -> None:
    variant = {**RESULTS[4], "title": "Dale Herald"}
    turned = [variant, *RESULTS[3::-1]]
    for copied in (RESULTS[2], variant):
        assert places([copied, RESULTS[0]]) == places([RESULTS[0], copied]) == [0]
    assert places([RESULTS[2], variant]) == [0, 1], "two copies of one source need not be alike"
    assert places(turned) == [1, 3, 4]
    assert {hidden.kept for hidden in postprocess(turned).hidden} == {4}


@pytest.mark.parametrize("results", [FRENCH, ARABIC], ids=["French", "Arabic"])
def test_other_languages(results: list[dict[str, Any]]) -> None:
    assert places(results) == [0, 1]


def test_every_signal_of_a_hidden_result_adds_up_to_its_score() -> None:
    for hidden in postprocess(RESULTS).hidden:
        log_odds = sum(hidden.signals.values()) + find_profile("default").model["background"]
        assert 1 / (1 + math.exp(-log_odds)) == pytest.approx(hidden.score)
        assert hidden.kept == 0


def test_a_hidden_result_says_in_which_facts_it_differs() -> None:
    text = (
        "The town repaired the old lighthouse in spring. " * 3 + "Work on the tower cost {} euros."
    )
    texts = [
        {"url": f"https://{n}.example", "text": text.format(sum_)}
        for n, sum_ in enumerate((40, 42))
    ]
    (hidden,) = postprocess(texts).hidden
    assert hidden.reason()["differs"] == "same text, other figures: 42 euros / 40 euros cost"


def test_demote_moves_to_the_end_and_drop_forgets() -> None:
    demoted = postprocess(RESULTS, mode="demote")
    assert [s.place for s in demoted.shown] == [0, 1, 3, 2, 4]
    assert [bool(s.demoted) for s in demoted.shown] == [False, False, False, True, True]
    assert not any(s.similar for s in demoted.shown)
    dropped = postprocess(RESULTS, mode="drop")
    assert [s.place for s in dropped.shown] == [0, 1, 3]
    assert not any(s.similar for s in dropped.shown)
    assert [h.place for h in dropped.hidden] == [2, 4]


def test_target_n_merges_down_to_min_score_and_cuts_the_lowest_ranked() -> None:
    assert places(RESULTS, target_n=4) == [0, 1, 3]
    done = postprocess(RESULTS, target_n=2, profile="snippets")
    assert [shown.place for shown in done.shown] == [0, 1]
    assert [hidden.place for hidden in done.hidden] == [2, 4]
    assert done.cut == (RESULTS[3],)
    assert all(hidden.score >= 0.57 for hidden in done.hidden)
    strict = postprocess(RESULTS, target_n=3, threshold=0.99, min_score=0.6, profile="snippets")
    assert [shown.place for shown in strict.shown] == [0, 1, 3]
    assert all(0.6 <= hidden.score < 0.99 for hidden in strict.hidden)
    assert len(places(RESULTS, target_n=3, threshold=0.99, min_score=0.99)) == 3


def test_min_score_is_a_promise_also_where_results_are_chained() -> None:
    turned = RESULTS[::-1]
    chained = postprocess(turned, profile="snippets")
    assert min(hidden.score for hidden in chained.hidden) < 0.57
    done = postprocess(turned, min_score=0.57, profile="snippets")
    assert chained.shown[0].place == 0
    assert done.shown[-1].place == 4, "the page that the others resemble"
    assert all(hidden.score >= 0.57 for hidden in done.hidden)
    assert places(RESULTS, min_score=0.2) == [0, 1, 3]
    assert places(RESULTS, min_score=1.0) == [0, 1, 2, 3]


def test_neither_title_nor_snippet_alone_makes_two_results_one() -> None:
    same_title = [
        {"title": "Latest news", "url": "https://a.example", "snippet": STORY},
        {"title": "Latest news", "url": "https://b.example", "snippet": RESULTS[3]["snippet"]},
    ]
    same_snippet = [
        {"title": "Rooftop bees", "url": "https://a.example/1", "snippet": STORY},
        {"title": "Honey cake with rosemary", "url": "https://a.example/2", "snippet": STORY},
    ]
    assert places(same_title) == [0, 1]
    assert places(same_snippet) == [0, 1]


def test_results_without_snippet_are_one_only_by_the_whole_title() -> None:
    titles = [*["Bees of the old town"] * 2, "Bees of the new town", *["Bees"] * 2]
    results = [{"title": t, "url": f"https://v.example/{i}"} for i, t in enumerate(titles)]
    assert places(results) == [0, 2, 3, 4]


def test_no_result_and_odd_results() -> None:
    assert postprocess([]).results == []
    odd: list[Any] = [{}, None, "text", 7, {"title": None, "snippet": ["x"]}, {"title": "\ud800"}]
    assert postprocess(odd).results == odd


@dataclass(frozen=True)
class Hit:
    headline: str
    address: str
    summary: str


def test_any_object_through_accessors() -> None:
    hits = [Hit(r["title"], r["url"], r["snippet"]) for r in RESULTS]
    fields = {"title": lambda hit: hit.headline, "url": lambda hit: hit.address}
    done = postprocess(hits, fields=fields)
    assert [hits.index(hit) for hit in done.results] == [0, 1, 3]
    assert all(any(r is hit for hit in hits) for r in done.results)


def test_one_empty_result_does_not_change_how_the_others_are_compared() -> None:
    texts = [{"url": f"https://{i}.example", "text": f"{STORY} {EDITED} {i}"} for i in range(3)]
    alone, with_empty = postprocess(texts), postprocess([*texts, {"url": "https://e.example"}])
    assert alone.reduction.profile == with_empty.reduction.profile == "default"
    assert with_empty.results == [*alone.results, {"url": "https://e.example"}]


def test_results_that_differ_in_a_key_stay_apart() -> None:
    results = [{**RESULTS[0], "edition": e} for e in ("uk", "us", "uk")]
    assert places(results) == [0]
    assert places(results, distinct_by=["edition"]) == [0, 1]
    with pytest.raises(UsageError, match="distinct_by"):
        PostProcessor(distinct_by="edition")


def test_page_text_and_html_are_used_where_all_results_have_them() -> None:
    html = f"<html><head><title>Bees</title></head><body><article><p>{STORY}</p></article></body>"
    other = html.replace(STORY, RESULTS[1]["snippet"] * 2)
    results = [
        {"title": "Rooftop bees", "url": "https://a.example", "html": html},
        {"title": "Something else", "url": "https://b.example", "html": other},
        {"title": "Bees on roofs", "url": "https://c.example", "text": f"{EDITED} {STORY}"},
    ]
    done = postprocess(results)
    assert done.reduction.profile == "default"
    assert [s.place for s in done.shown] == [0, 1]


def test_a_page_that_cannot_be_split_goes_by_its_snippet() -> None:
    results = [{**r, "html": b"\x00\x01\x02" * 50} for r in RESULTS]
    assert len(postprocess(results, profile="snippets").results) == 3


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "hide"},
        {"keep": "oldest"},
        {"min_score": 1.5},
        {"target_n": 0},
        {"profile": "nothing"},
        {"fields": {"titel": str}},
    ],
)
def test_wrong_options_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as raised:
        PostProcessor(**options)
    assert isinstance(raised.value, ReduceppError)
    assert "\n" not in str(raised.value)


def test_a_hundred_snippets_cost_a_few_units_warm() -> None:
    random.seed(5)
    vocabulary = [f"{a}{b}" for a in ("ba", "ke", "lo", "mi", "ru", "sta") for b in "nrstvxzk"] * 8
    results = []
    for number in range(100):
        source = number - 7 if number % 10 == 9 else number
        picker = random.Random(source)
        text = [picker.choice(vocabulary) + str(picker.randrange(30)) for _ in range(40)]
        results.append(
            {
                "title": " ".join(text[:8]),
                "url": f"https://site{number}.example/{number}",
                "snippet": " ".join(text[8:]) + ".",
            }
        )
    processor = PostProcessor()
    assert len(processor(results).results) == 90
    assert min(units_of(lambda: processor(results)) for _ in range(15)) < 4
