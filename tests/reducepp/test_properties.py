"""What holds for any pages: valid partitions, refinement, no dependence on order or copies."""

import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reducepp.api import find_profile
from reducepp.clustering.tree import LINKAGES, build_tree
from reducepp.comparison import compare_pages
from reducepp.io.writers import FORMATS, reduction_to_dict
from reducepp.pipeline import Cut, cut
from reducepp.similarity.combine import combine
from reducepp.types import Page, Profile, Reduction, Signal, Similarities
from tests.programs import run_reducepp

PROFILES = ("default", "paper", "snippets", "posts", "signals", "reduce")
WITHOUT_CHECKS = ("paper", "snippets", "reduce")
"""Connected components of pair scores that no other page changes."""
ROOT = Path(__file__).parents[2]

WORDS = "red fox sea storm light 1987 12,5 % été مدينة 中 a - ?"
words = st.sampled_from(WORDS.split())
texts = st.one_of(
    st.lists(words, max_size=30).map(" ".join),
    st.text(max_size=20),
    st.sampled_from(["", " ", "\u200b", "word", "the the the", "\x00", "a" * 500]),
)
links = st.lists(
    st.sampled_from(["https://x.example/1", "/y", "", "http://[", "z" * 99]), max_size=3
)
contents = st.builds(
    Page,
    id=st.just(""),
    url=st.sampled_from(
        ["", "https://a.example/", "https://a.example/x?y=1", "http://b.example/x"]
    ),
    site_title=texts,
    page_title=texts,
    subtitles=st.lists(texts, max_size=2).map(tuple),
    links=links.map(tuple),
    body=texts,
    snippet=texts,
)
page_sets = st.lists(contents, max_size=7).map(
    lambda pages: [replace(p, id=f"p{i}", rank=i + 1) for i, p in enumerate(pages)]
)
thresholds = st.sampled_from([0.0, 0.25, 0.5, 0.67, 1.0])


def reduced(pages: Sequence[Page], profile: str, threshold: float = 0.5) -> Reduction:
    return cut(compare_pages(pages, find_profile(profile)), Cut(threshold=threshold))


def partition(reduction: Reduction) -> set[frozenset[str]]:
    return {frozenset(cluster.members) for cluster in reduction.clusters}


def refines(fine: Iterable[frozenset[str]], coarse: Iterable[frozenset[str]]) -> bool:
    return all(any(part <= whole for whole in coarse) for part in fine)


def without(name: str, parts: Iterable[frozenset[str]]) -> set[frozenset[str]]:
    return {part - {name} for part in parts} - {frozenset()}


@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=12)
@given(pages=page_sets, threshold=thresholds)
def test_any_pages_give_valid_partition(profile: str, pages: list[Page], threshold: float) -> None:
    found = reduced(pages, profile, threshold)
    assert sorted(m for c in found.clusters for m in c.members) == [p.id for p in pages]
    assert all(c.kept in c.members for c in found.clusters)
    assert sorted(d.id for d in found.dropped) == sorted(
        m for c in found.clusters for m in c.members if m != c.kept
    )
    assert (found.before, found.after) == (len(pages), len(found.clusters))
    assert all(0 <= d.score <= 1 for d in found.dropped)
    json.dumps(reduction_to_dict(found), allow_nan=False)
    for write in FORMATS.values():
        write([found])


@pytest.mark.parametrize("profile", WITHOUT_CHECKS)
@settings(max_examples=12)
@given(pages=page_sets)
def test_a_higher_threshold_refines_a_lower_one(profile: str, pages: list[Page]) -> None:
    comparison = compare_pages(pages, find_profile(profile))
    cuts = [
        partition(cut(comparison, Cut(threshold=t, explain=False))) for t in (0.0, 0.3, 0.67, 1.0)
    ]
    assert all(refines(fine, coarse) for coarse, fine in pairwise(cuts))
    assert len(cuts[0]) == min(len(pages), 1)


@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=10)
@given(pages=page_sets, order=st.randoms(use_true_random=False))
def test_the_order_of_input_changes_nothing(profile: str, pages: list[Page], order: object) -> None:
    mixed = list(pages)
    order.shuffle(mixed)  # type: ignore[attr-defined]
    assert reduction_to_dict(reduced(mixed, profile)) == reduction_to_dict(reduced(pages, profile))


@pytest.mark.parametrize("profile", WITHOUT_CHECKS)
@settings(max_examples=10)
@given(pages=page_sets.filter(bool), threshold=thresholds)
def test_a_copy_joins_its_page_and_changes_nothing_else(
    profile: str, pages: list[Page], threshold: float
) -> None:
    """Of a page with a text: pages that show nothing are not known to be equal."""
    pages[0] = replace(pages[0], body=f"light {pages[0].body}")
    copy = replace(pages[0], id="copy", rank=len(pages) + 1)
    before, after = reduced(pages, profile, threshold), reduced([*pages, copy], profile, threshold)
    assert without("copy", partition(after)) == partition(before)
    assert any({"copy", pages[0].id} <= part for part in partition(after))


@pytest.mark.parametrize("profile", ["default", "posts", "signals"])
@settings(max_examples=12)
@given(pages=page_sets.filter(bool), text=st.lists(words, min_size=1, max_size=30))
def test_a_copy_joins_its_page_and_splits_no_cluster(
    profile: str, pages: list[Page], text: list[str]
) -> None:
    """Of a page with a text: pages that show nothing are not known to be equal."""
    pages[0] = replace(pages[0], body=" ".join(["light", *text]))
    copy = replace(pages[0], id="copy", rank=len(pages) + 1)
    before = partition(reduced(pages, profile))
    after = partition(reduced([*pages, copy], profile))
    assert any({"copy", pages[0].id} <= part for part in after)
    assert refines(before, after)


@settings(max_examples=60)
@given(
    values=st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.5, 1.0]), min_size=15, max_size=15),
    linkage=st.sampled_from(LINKAGES),
)
def test_trees_nest_whatever_the_ties(values: list[float], linkage: str) -> None:
    scores = np.eye(6)
    scores[np.triu_indices(6, 1)] = values
    scores = np.maximum(scores, scores.T)
    tree = build_tree([f"p{i}" for i in range(6)], scores, linkage=linkage)
    cuts = [[frozenset(map(str, c)) for c in tree.clusters_at(t)] for t in (0, 0.2, 0.5, 0.7, 1)]
    assert all(refines(fine, coarse) for coarse, fine in pairwise(cuts))
    assert all(sorted(m for c in one for m in c) == list("012345") for one in cuts)


similarity = st.one_of(st.just(math.nan), st.floats(0, 1))


@given(first=similarity, second=similarity, missing=st.sampled_from(["zero", "left out"]))
@example(first=math.nan, second=math.nan, missing="zero")
def test_a_score_is_in_range_whatever_is_missing(first: float, second: float, missing: str) -> None:
    signals = (
        Signal(name="a", content="body", measure="cosine", weight=0.7),
        Signal(name="b", content="page_title", measure="cosine", weight=0.3),
    )
    profile = Profile(name="x", threshold=0.5, signals=signals, missing=missing)
    table = {"a": np.array([[1, first], [first, 1]]), "b": np.array([[1, second], [second, 1]])}
    scores = combine(Similarities(ids=("x", "y"), by_signal=table), profile)
    assert np.all((scores >= 0) & (scores <= 1))
    assert scores[0, 0] == scores[1, 1] == 1
    assert scores[0, 1] == scores[1, 0]


def test_a_million_words_are_one_page() -> None:
    body = " ".join(f"w{i % 50_021}" for i in range(1_000_000))
    pages = [Page(id="a", rank=1, body=body), Page(id="b", rank=2, body="w1 w2 w3 and the sea")]
    assert partition(reduced(pages, "default")) == {frozenset("a"), frozenset("b")}
    assert partition(reduced(pages, "paper")) == {frozenset("a"), frozenset("b")}


def test_cores_and_threads_change_no_byte(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"{q}{i}",
            "query": f"q{q}",
            "body": f"storm {i % 3} over the sea {q} " * (3 + i % 4),
        }
        for q in range(3)
        for i in range(12)
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    outputs = set()
    for jobs, threads in ((1, 1), (2, 4)):
        counts = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
        words = ("reduce", path, "--format", "json", "--jobs", jobs)
        done = run_reducepp(*words, env=os.environ | counts)
        assert done.returncode == 0, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1
