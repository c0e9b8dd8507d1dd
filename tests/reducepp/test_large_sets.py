"""Every command on a large set works from the candidates, and gives what all pairs give."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducepp.api import ReduceOptions, compare_query, find_profile, lowest_score, reduce_pages
from reducepp.cli.pairs_command import pair_rows
from reducepp.clustering.graph import as_graphml, similarity_graph
from reducepp.clustering.linkage import LINKAGES
from reducepp.clustering.representatives import POLICIES
from reducepp.comparison import Comparison, compare_pages, rank_order
from reducepp.errors import ReduceppError, UsageError
from reducepp.evaluation.advice import by_validity
from reducepp.evaluation.agreement import SCORES
from reducepp.evaluation.methods import of_profile
from reducepp.evaluation.pair_evaluation import evaluate
from reducepp.evaluation.report.report_data import report_data
from reducepp.evaluation.sweep import NO_INDICES, sweep_pages
from reducepp.evaluation.validity import INDICES
from reducepp.evidence.pair_evidence import PairReaders
from reducepp.io.writers import reduction_to_dict
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.parallel import free_memory, memory_limit
from reducepp.pipeline import Cut, cut
from reducepp.plugins.postprocess import PostProcessor
from reducepp.plugins.scikit_learn import ReduceClusterer
from reducepp.similarity import score_matrix
from reducepp.similarity.pair_matrix import PairMatrix
from reducepp.types import Page
from tests.reducepp.similarity.test_candidates import MEAN, WORDS, make_pages, make_twins

PAGES = make_pages(5, 60)
Both = Callable[[Callable[[], Any]], tuple[Any, Any]]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Both:
    """Something done with all pairs, and done again as for a large set."""

    def run(work: Callable[[], Any]) -> tuple[Any, Any]:
        dense = work()
        monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
        monkeypatch.setattr("reducepp.evaluation.sweep.MAX_INDEX_PAGES", 0)
        monkeypatch.setattr("reducepp.similarity.sparse.MAX_SMALL_CELLS", 0)
        monkeypatch.setattr("reducepp.comparison.combine", None)  # all pairs would need it
        return dense, work()

    return run


@pytest.mark.parametrize(
    ("target_n", "min_score"), [(1, None), (20, None), (60, None), (1, 0.4), (35, 0.4)]
)
def test_number_of_results(both: Both, target_n: int, min_score: float | None) -> None:
    how = ReduceOptions(profile="default", target_n=target_n, min_score=min_score)
    dense, large = both(lambda: reduction_to_dict(reduce_pages(PAGES, how)))
    assert large == dense


def test_reasons_are_the_same_from_any_number_of_processes(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    how, pages = ReduceOptions(profile="default"), [_in_lines(page) for page in PAGES]
    _, alone = both(lambda: reduction_to_dict(reduce_pages(pages, how)))
    monkeypatch.setattr("reducepp.evidence.pair_evidence.MIN_PARALLEL_PAIRS", 1)
    monkeypatch.setattr("reducepp.evidence.pair_evidence.BATCH_PAIRS", 3)
    monkeypatch.setattr("reducepp.evidence.pair_evidence.nested_cores", lambda: 2)
    read: list[list[Any]] = []
    monkeypatch.setattr(PairReaders, "_read", _recorded(PairReaders._read, read))
    assert reduction_to_dict(reduce_pages(pages, how)) == alone
    likely, others = read
    numbers = {page.id: number for number, page in enumerate(rank_order(pages))}
    dropped = {(numbers[d["id"]], numbers[d["kept"]]) for d in alone["dropped"]}
    assert len(dropped & {*likely}) > 5, "some are read while the set is compared"
    assert dropped <= {*likely, *others}
    assert not {*likely} & {*others}


def _in_lines(page: Page) -> Page:
    words = page.body.split()
    return replace(
        page, body="\n".join(" ".join(words[i : i + 3]) for i in range(0, len(words), 3))
    )


def _recorded(method: Callable[..., bool], into: list[list[Any]]) -> Callable[..., bool]:
    def call(readers: PairReaders, pairs: list[Any]) -> bool:
        into.append(pairs)
        return method(readers, pairs)

    return call


def test_pairs_at_a_threshold(both: Both) -> None:
    profile = find_profile("default")
    names = [signal.name for signal in profile.signals]

    def rows() -> list[list[str]]:
        return [row for part in pair_rows(PAGES, profile, 0.4, names) for row in part]

    dense, large = both(rows)
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
    dense, large = both(lambda: evaluate([method.compare(PAGES)], pairs))
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


def low_memory(monkeypatch: pytest.MonkeyPatch, pairs: int = 300) -> None:
    """All pairs in blocks of so many, and every n×n array on disk."""
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
    monkeypatch.setattr("reducepp.similarity.score_matrix.pairs_at_once", lambda _profile: pairs)
    monkeypatch.setattr("reducepp.similarity.pair_matrix.pairs_at_once", lambda _profile: pairs)
    monkeypatch.setattr("reducepp.similarity.pairs.CHUNK_CELLS", pairs)
    monkeypatch.setattr("reducepp.similarity.score_matrix.SHARE_OF_SCORES", 0.0)
    monkeypatch.setattr("reducepp.similarity.score_matrix.TILE", 7)


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("name", ["paper", "default", "signals", "snippets"])
def test_blocks_on_disk_give_what_memory_gives(
    monkeypatch: pytest.MonkeyPatch, name: str, linkage: str
) -> None:
    profile = find_profile(name, linkage=linkage)
    pages = [*make_pages(3, 20), *make_twins(3, 8)]
    pages = [replace(page, id=str(i), rank=i + 1) for i, page in enumerate(pages)]
    wanted = compare_pages(pages, profile)
    low_memory(monkeypatch)
    found = compare_pages(pages, profile)
    assert isinstance(found.scores.base, np.memmap)
    np.testing.assert_array_equal(found.scores, wanted.scores)
    for part in ("first", "second", "scores"):
        np.testing.assert_array_equal(getattr(found.tree, part), getattr(wanted.tree, part))
    cuts = [Cut(threshold=profile.threshold, keep=keep) for keep in POLICIES]
    cuts += [Cut(threshold=t, explain=True) for t in (profile.threshold, 0.0)]
    for how in (*cuts, Cut(threshold=0.3, min_score=0.3)):
        assert reduction_to_dict(cut(found, how)) == reduction_to_dict(cut(wanted, how))


@pytest.mark.parametrize("name", ["paper", "default"])
def test_every_command_gives_same_from_blocks(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    profile = find_profile(name)
    names = [signal.name for signal in profile.signals]
    labels = [PairLabel(a=a.id, b=b.id, grade=1.0) for a, b in zip(PAGES, PAGES[3:], strict=False)]
    pairs = find_pairs([PAGES], labels)

    def work() -> list[str]:
        monkeypatch.setattr("reducepp.evaluation.report.large_sets.MAX_WHOLE_PAGES", 0)
        monkeypatch.setattr("reducepp.evaluation.report.large_sets.MAX_LINKS", 200)
        compared = compare_pages(PAGES, profile)
        rows = sweep_pages(PAGES, profile, [0.0, 0.5, 0.67, 1.0])[1]
        graph = similarity_graph(compared.pages, compared.scores, 0.5)
        never = PostProcessor(profile=name, distinct_by=["language"])(PAGES)
        return [
            repr(rows),
            repr(by_validity(rows)),
            repr([row for part in pair_rows(PAGES, profile, 0.0, names) for row in part]),
            repr(evaluate([of_profile(profile).compare(PAGES)], pairs)),
            repr(report_data([compared])["queries"]),
            as_graphml(graph),
            repr(never.hidden),
        ]

    wanted = work()
    low_memory(monkeypatch)
    if name == "default":  # candidates of its threshold, all pairs below
        monkeypatch.setattr("reducepp.comparison.candidate_pairs", lambda *_: None)
    assert work() == wanted


def test_what_fits_neither_memory_nor_disk_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    low_memory(monkeypatch)

    def full(descriptor: int, start: int, size: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(UsageError, match=r"60 pages take 0.0 GB, and .* GB of memory and .* GB in"):
        compare_pages(PAGES, find_profile("paper"))


@given(memory=st.floats(1e6, 1e11), signals=st.integers(1, 40))
def test_a_block_takes_its_part_of_the_free_memory(memory: float, signals: int) -> None:
    profile = replace(find_profile("paper"), signals=find_profile("paper").signals[:1] * signals)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reducepp.similarity.score_matrix.free_memory", lambda: memory)
        pairs = score_matrix.pairs_at_once(profile)
    assert 10_000 <= pairs <= 1_000_000
    assert pairs == 10_000 or pairs * 80 <= 0.3 * memory


def test_a_limit_of_the_process_is_free_memory() -> None:
    with memory_limit(3 << 30):
        assert 0 < free_memory() < 3 << 30
        with pytest.raises(ReduceppError, match="more memory than --memory"), memory_limit(1 << 30):
            np.ones(1 << 28)


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


def _often_copied(rng: np.random.Generator, page: int) -> str:
    """Three of ten are copies of the page before them with a twelfth of their words changed."""
    source = np.random.default_rng(page // 10 if page % 10 < 4 else page + 1000)
    return " ".join([*source.choice(VOCABULARY, size=110), *rng.choice(VOCABULARY, size=10)])


def _differing_copies(rng: np.random.Generator, page: int) -> str:
    return " ".join([*VOCABULARY[:110], *rng.choice(VOCABULARY, size=10)])


@pytest.mark.parametrize("sites", [1, 10_000])
def test_of_differing_copies_every_pair_is_scored_once(
    monkeypatch: pytest.MonkeyPatch, sites: int
) -> None:
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
    count = 300
    dropped = count - 1
    assert scored_pairs(count, _differing_copies, sites) <= count * (count - 1) / 2 + dropped


@pytest.mark.parametrize("sites", [1, 10_000])
@pytest.mark.parametrize("make", [_drawn, _often_copied, _with_one_word, _with_template, _equal])
def test_scored_pairs_do_not_grow_with_all_pairs(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[np.random.Generator, int], str], sites: int
) -> None:
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
    few, many = scored_pairs(150, make, sites), scored_pairs(600, make, sites)
    assert many <= max(5 * few, 600), "in proportion to the pages, not to their pairs"


def test_approximate_candidates_are_named_and_lose_no_close_copy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
    rng = np.random.default_rng(0)
    texts = [rng.choice(VOCABULARY, size=120).tolist() for _ in range(40)]
    texts += [[*text[:100], *rng.choice(VOCABULARY, size=10)] for text in texts]
    pages = [Page(id=str(i), rank=i + 1, body=" ".join(text)) for i, text in enumerate(texts)]
    exact = reduce_pages(pages, ReduceOptions(profile="default"))
    found = reduce_pages(pages, ReduceOptions(profile="default", candidates="lsh"))
    assert len(found.dropped) == len(exact.dropped) == 40
    assert [w for w in found.warnings if "approximate" in w]
    assert not [w for w in exact.warnings if "approximate" in w]
