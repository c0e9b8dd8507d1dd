"""Every command on a large set works from the candidates, and gives what all pairs give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from reducepp.api import ReduceOptions, compare_query, find_profile, lowest_score, reduce_pages
from reducepp.cli.pairs import pair_rows
from reducepp.errors import UsageError
from reducepp.evaluation.agreement import SCORES
from reducepp.evaluation.methods import of_profile
from reducepp.evaluation.pair_evaluation import evaluate
from reducepp.evaluation.sweep import NO_INDICES, sweep_pages
from reducepp.evaluation.validity import INDICES
from reducepp.io.writers import reduction_to_dict
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.parallel import map_in_order
from reducepp.pipeline import Comparison, Cut, compare_pages, cut
from reducepp.plugins.postprocess import PostProcessor
from reducepp.plugins.scikit_learn import ReduceClusterer
from reducepp.similarity.pair_matrix import PairMatrix
from reducepp.types import Page
from tests.reducepp.similarity.test_candidates import MEAN, WORDS, make_pages

PAGES = make_pages(5, 60)
Both = Callable[[Callable[[], Any]], tuple[Any, Any]]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Both:
    """Something done with all pairs, and done again as for a large set."""

    def run(work: Callable[[], Any]) -> tuple[Any, Any]:
        dense = work()
        monkeypatch.setattr("reducepp.pipeline.MAX_DENSE_PAGES", 0)
        monkeypatch.setattr("reducepp.evaluation.sweep.MAX_INDEX_PAGES", 0)
        monkeypatch.setattr("reducepp.similarity.sparse.MAX_SMALL_CELLS", 0)
        monkeypatch.setattr("reducepp.pipeline.combine", None)  # all pairs would need it
        return dense, work()

    return run


@pytest.mark.parametrize("target_n", [1, 20, 35, 60])
@pytest.mark.parametrize("min_score", [None, 0.4])
def test_number_of_results(both: Both, target_n: int, min_score: float | None) -> None:
    how = ReduceOptions(profile="default", target_n=target_n, min_score=min_score)
    dense, large = both(lambda: reduction_to_dict(reduce_pages(PAGES, how)))
    assert large == dense


def test_reasons_are_the_same_from_any_number_of_processes(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = ReduceOptions(profile="default")
    _, alone = both(lambda: reduction_to_dict(reduce_pages(PAGES, how)))
    monkeypatch.setattr("reducepp.evidence.page_facts.MIN_PARALLEL_PAIRS", 1)
    monkeypatch.setattr("reducepp.evidence.page_facts.BATCH_PAIRS", 3)
    monkeypatch.setattr("reducepp.evidence.page_facts.nested_cores", lambda: 2)
    batches: list[list[Any]] = []

    def read_batches(*work: Any, jobs: int) -> Iterator[Any]:
        batches.extend(found := list(map_in_order(*work, jobs=jobs)))
        yield from found

    monkeypatch.setattr("reducepp.evidence.page_facts.map_in_order", read_batches)
    assert reduction_to_dict(reduce_pages(PAGES, how)) == alone
    assert sum(map(len, batches)) >= len(alone["dropped"]) > 9, "workers read all pairs"


def test_pairs_at_a_threshold(both: Both) -> None:
    profile = find_profile("default")
    dense, large = both(
        lambda: list(pair_rows(compare_pages(PAGES, profile, floor=0.4), 0.4, profile))
    )
    assert large == dense
    assert len(large) > 5


def test_estimator(both: Both) -> None:
    dense, large = both(lambda: ReduceClusterer(profile="default").fit(PAGES))
    np.testing.assert_array_equal(large.labels_, dense.labels_)
    expected = np.where(dense.scores_ >= large.threshold_, dense.scores_, 0.0)
    np.testing.assert_array_equal(large.scores_.toarray(), expected)


def test_post_processing(both: Both) -> None:
    dense, large = both(lambda: PostProcessor(profile="default")(PAGES))
    assert [(h.place, h.kept, h.score) for h in large.hidden] == [
        (h.place, h.kept, h.score) for h in dense.hidden
    ]


def test_labelled_pairs_are_scored_below_the_floor_too(both: Both) -> None:
    labels = [
        PairLabel(a=a.id, b=b.id, grade=float(i % 2))
        for i, (a, b) in enumerate(zip(PAGES, PAGES[7:], strict=False))
    ]
    pairs = find_pairs([PAGES], labels)
    method = of_profile(find_profile("default"))
    dense, large = both(lambda: [e.row() for e in evaluate([method.compare(PAGES)], pairs)])
    assert repr(large) == repr(dense)


@pytest.mark.parametrize("name", ["default", "mean"])
def test_sweep_without_indices(both: Both, name: str) -> None:
    profile = MEAN if name == "mean" else find_profile(name)
    dense, large = both(lambda: sweep_pages(PAGES, profile, [0.42, 0.5, 0.7, 1.0])[1])
    left_out = {*INDICES, *SCORES, "reason"}
    kept = [f.name for f in fields(dense[0]) if f.name not in left_out]
    for ours, theirs in zip(large, dense, strict=True):
        assert {k: repr(getattr(ours, k)) for k in kept} == {
            k: repr(getattr(theirs, k)) for k in kept
        }
        assert np.isnan(ours.silhouette)
        assert ours.reason == NO_INDICES


def test_what_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reducepp.pipeline._free_memory", lambda: 1e5)
    with pytest.raises(UsageError, match="60 pages take about"):
        compare_pages(PAGES, find_profile("paper"))


def scored_pairs(
    count: int, make: Callable[[np.random.Generator, int], str], sites: int = 10_000
) -> int:
    """Pairs that a reduction of so many pages with made bodies scores, all in all."""
    rng = np.random.default_rng(0)
    pages = [
        Page(
            id=str(i),
            rank=i + 1,
            url=f"https://s{i % sites}.example/{i}",
            page_title=f"Item {i}",
            body=make(rng, i),
        )
        for i in range(count)
    ]
    options = ReduceOptions(profile="default")
    found: Comparison = compare_query(pages, options, floor=lowest_score(pages, options))
    assert isinstance(found.scores, PairMatrix)
    cut(found, Cut(threshold=0.5))
    return found.scores.table.scored


VOCABULARY = [f"{a}{b}" for a in WORDS for b in WORDS[:40]]


def _drawn(rng: np.random.Generator, page: int) -> str:
    return " ".join(rng.choice(VOCABULARY, size=120))


def _with_one_word(rng: np.random.Generator, page: int) -> str:
    return f"{_drawn(rng, page)} zyxomma"


def _with_template(rng: np.random.Generator, page: int) -> str:
    return " ".join([*VOCABULARY[:30], *rng.choice(VOCABULARY, size=120)])


def _equal(rng: np.random.Generator, page: int) -> str:
    return " ".join(VOCABULARY[:120])


@pytest.mark.parametrize("sites", [1, 10_000])
@pytest.mark.parametrize("make", [_drawn, _with_one_word, _with_template, _equal])
def test_scored_pairs_do_not_grow_with_all_pairs(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[np.random.Generator, int], str], sites: int
) -> None:
    monkeypatch.setattr("reducepp.pipeline.MAX_DENSE_PAGES", 0)
    few, many = scored_pairs(150, make, sites), scored_pairs(600, make, sites)
    assert many <= max(5 * few, 600), "in proportion to the pages, not to their pairs"


def test_approximate_candidates_are_named_and_lose_no_close_copy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reducepp.pipeline.MAX_DENSE_PAGES", 0)
    rng = np.random.default_rng(0)
    texts = [rng.choice(VOCABULARY, size=120).tolist() for _ in range(40)]
    texts += [[*text[:100], *rng.choice(VOCABULARY, size=10)] for text in texts]
    pages = [Page(id=str(i), rank=i + 1, body=" ".join(text)) for i, text in enumerate(texts)]
    exact = reduce_pages(pages, ReduceOptions(profile="default"))
    found = reduce_pages(pages, ReduceOptions(profile="default", candidates="lsh"))
    assert len(found.dropped) == len(exact.dropped) == 40
    assert [w for w in found.warnings if "approximate" in w]
    assert not [w for w in exact.warnings if "approximate" in w]
