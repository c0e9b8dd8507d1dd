"""Labelled pairs against comparisons: figures worked by hand, groups, intervals, missing pages."""

import math
from dataclasses import replace

import numpy as np
import pytest

from reducepp.errors import LabelsError
from reducepp.evaluation.pair_evaluation import Evaluation, Resampling, evaluate
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.pipeline import Cut, cut
from reducepp.types import Page
from tests.evaluation.made import comparison_of, pages_of, symmetric

NO_INTERVALS = Resampling(samples=0)
PAGES = pages_of(["a", "b", "c", "d", "e"])
# a-b and b-c are alike, so a, b, c are one cluster at 0.5; d-e is missed.
SCORES = symmetric(5, {(0, 1): 0.9, (1, 2): 0.6, (0, 2): 0.3, (3, 4): 0.4}, other=0.1)


def label(*rows: tuple[str, str, float], query: str = "q", scale: float = 1) -> list[PairLabel]:
    return [PairLabel(query=query, a=a, b=b, grade=grade, scale=scale) for a, b, grade in rows]


LABELS = label(
    ("a", "b", 1), ("b", "c", 0), ("c", "a", 0), ("d", "e", 1), ("a", "d", 0), ("b", "e", 0)
)


def figures(**options: object) -> Evaluation:
    pairs = find_pairs([PAGES], LABELS)
    found = evaluate([comparison_of(SCORES, PAGES)], pairs, resampling=NO_INTERVALS, **options)  # type: ignore[arg-type]
    assert len(found) == 1
    return found[0]


def test_worked_by_hand() -> None:
    found = figures()
    assert (found["method"], found["threshold"], found["group"]) == ("given", 0.5, "all")
    assert (found["pairs"], found["duplicates"]) == (6, 2)
    # Called: a-b (right) and b-c (wrong); d-e is missed.
    assert (found["precision"], found["recall"], found["f1"]) == (0.5, 0.5, 0.5)
    # Ranks: a-b, b-c, d-e, c-a, ...: (1 + 2/3) / 2.
    assert found["average_precision"] == pytest.approx((1 + 2 / 3) / 2)
    # Down to d-e: 2 of 3 right, all found, F 0.8; between 0.4 and 0.3.
    assert (found["best_threshold"], found["best_f1"]) == (0.35, pytest.approx(0.8))


def test_clusters_worked_by_hand() -> None:
    found = figures()
    # Through b, a and c are together too: 1 of 3 right.
    assert found["cluster_precision"] == pytest.approx(1 / 3)
    assert found["cluster_recall"] == 0.5
    # Truth ab c de, found abc d e.
    assert found["b_cubed_precision"] == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    assert found["b_cubed_recall"] == pytest.approx((1 + 1 + 1 + 1 / 2 + 1 / 2) / 5)
    # Pairs together: 2 true, 3 found, 1 in both, of 10: (1 - 0.6) / (2.5 - 0.6).
    assert found["adjusted_rand"] == pytest.approx(0.4 / 1.9)


def test_another_threshold_and_name() -> None:
    found = figures(threshold=0.95, method="strict")
    assert (found["method"], found["threshold"]) == ("strict", 0.95)
    assert math.isnan(found["precision"])
    assert (found["recall"], found["f1"]) == (0.0, 0.0)


def test_undecided_pairs_count_for_the_correlation_alone() -> None:
    rows = label(("a", "b", 6), ("b", "c", 3), ("a", "c", 2), ("a", "d", 0), scale=6)
    pairs = find_pairs([PAGES], rows)
    found = evaluate([comparison_of(SCORES, PAGES)], pairs, resampling=NO_INTERVALS)[0]
    assert (found["pairs"], found["duplicates"]) == (3, 1)
    assert found["precision"] == 1.0
    assert found["grade_correlation"] == pytest.approx(1.0)  # 0.9, 0.6, 0.3, 0.1 in the same order


def test_groups_have_their_own_lines() -> None:
    one = tuple(replace(page, language="en", domain="science") for page in PAGES)
    two = tuple(
        replace(page, query="r", language="fr" if i < 3 else "en", domain="science")
        for i, page in enumerate(PAGES)
    )
    pairs = find_pairs([one, two], LABELS + [replace(label, query="r") for label in LABELS])
    comparisons = [comparison_of(SCORES, one), comparison_of(SCORES, two)]
    found = evaluate(comparisons, pairs, resampling=NO_INTERVALS)
    lines = {(f["group"], f["value"]): f["pairs"] for f in found}
    assert lines == {
        ("all", ""): 12,
        ("language", "en"): 7,
        ("language", "fr"): 3,
        ("language", "mixed"): 2,
        ("query", "q"): 6,
        ("query", "r"): 6,
    }
    assert [f["group"] for f in evaluate(comparisons, pairs, by=[], resampling=NO_INTERVALS)] == [
        "all"
    ]
    assert found[0]["f1"] == found[-1]["f1"] == 0.5


def test_clusters_are_those_that_reduce_makes() -> None:
    """A chain a-b-c-d is split where every page must resemble its representative."""
    pages = pages_of(["a", "b", "c", "d"])
    comparison = comparison_of(symmetric(4, {(0, 1): 0.9, (1, 2): 0.8, (2, 3): 0.7}), pages)
    profile = replace(comparison.profile, check_representative=True)
    comparison = replace(comparison, profile=profile)
    pairs = find_pairs([pages], label(("a", "b", 1), ("b", "c", 1), ("a", "c", 1), ("c", "d", 0)))
    found = evaluate([comparison], pairs, resampling=NO_INTERVALS)[0]
    clusters = [cluster.members for cluster in cut(comparison, Cut(threshold=0.5)).clusters]
    assert clusters == [("a", "b", "c"), ("d",)]
    assert (found["cluster_precision"], found["cluster_recall"]) == (1, 1)
    assert (found["b_cubed_f1"], found["adjusted_rand"]) == (1, 1)


def test_clusters_of_two_queries_do_not_mix() -> None:
    two = tuple(replace(page, query="r") for page in PAGES)
    pairs = find_pairs([PAGES, two], LABELS + [replace(j, query="r") for j in LABELS])
    both = evaluate(
        [comparison_of(SCORES, PAGES), comparison_of(SCORES, two)], pairs, resampling=NO_INTERVALS
    )[0]
    assert both["b_cubed_f1"] == pytest.approx(figures()["b_cubed_f1"])


def test_duplicates_outside_a_group_still_make_its_clusters() -> None:
    pages = tuple(
        replace(page, language="fr" if page.id == "c" else "en") for page in PAGES
    )  # a and b are duplicates among English pages; a-c and b-c are mixed
    pairs = find_pairs([pages], label(("a", "b", 1), ("a", "c", 0), ("b", "c", 0)))
    scores = symmetric(5, {(0, 1): 0.9}, other=0.1)
    found = evaluate([comparison_of(scores, pages)], pairs, resampling=NO_INTERVALS)
    assert {f["value"]: f["b_cubed_f1"] for f in found} == {"": 1.0, "en": 1.0, "mixed": 1.0}


def test_intervals_hold_the_figure_and_name_what_was_drawn() -> None:
    pairs = find_pairs([PAGES], LABELS)
    found = evaluate([comparison_of(SCORES, PAGES)], pairs, resampling=Resampling(samples=300))[0]
    assert found["resampled"] == "page"
    assert 0 <= found["recall_low"] < found["recall"] < found["recall_high"] <= 1
    low, high = found["average_precision_low"], found["average_precision_high"]
    assert low <= found["average_precision"] <= high


def test_without_an_error_the_interval_is_that_of_as_many_pairs() -> None:
    pages = pages_of(["text"] * 24)
    scores = symmetric(24, {(i, i + 1): 0.9 for i in range(0, 24, 2)}, other=0.1)
    rows = label(*((chr(97 + i), chr(98 + i), (i + 1) % 2) for i in range(23)))
    found = evaluate(
        [comparison_of(scores, pages)], find_pairs([pages], rows), resampling=Resampling(samples=50)
    )[0]
    for name in ("precision", "recall", "f1", "cluster_recall"):
        assert (found[name], found[f"{name}_high"]) == (1, 1)
        assert found[f"{name}_low"] == pytest.approx(12 / (12 + 1.96**2), abs=1e-4)


@pytest.mark.parametrize(("threshold", "drawn", "sure"), [(0.5, 23, True), (0.05, 11, False)])
def test_one_chained_piece_leaves_little_to_draw(threshold: float, drawn: int, sure: bool) -> None:
    """Fourteen of 24 pages linked by low scores, ten alone: 24² / (14² + 10) is below 3."""
    pages = pages_of(["text"] * 24)
    scores = symmetric(24, {(i, i + 1): 0.1 for i in range(12)} | {(0, 20): 0.9})
    rows = label(*((chr(97 + i), chr(98 + i), 0) for i in range(23)), ("a", "u", 1))
    found = evaluate(
        [comparison_of(scores, pages)],
        find_pairs([pages], rows),
        threshold=threshold,
        resampling=Resampling(samples=50),
    )[0]
    assert found["drawn"] == drawn
    assert math.isnan(found["adjusted_rand_low"]) is not sure


def test_ids_suffice_where_no_query_is_named_and_the_order_does_not_matter() -> None:
    shuffled = [PAGES[i] for i in (3, 1, 4, 0, 2)]
    rows = [replace(label, query="", a=label.b, b=label.a) for label in LABELS]
    pairs = find_pairs([shuffled], rows)
    assert evaluate([comparison_of(SCORES, PAGES)], pairs, resampling=NO_INTERVALS)[0] == figures()


def test_of_two_labels_the_last_counts() -> None:
    assert find_pairs([PAGES], label(("a", "b", 1), ("b", "a", 0))).duplicate.tolist() == [False]


def test_missing_pages_are_counted() -> None:
    rows = label(("a", "b", 1), ("a", "z", 1), ("a", "a", 1))
    assert find_pairs([PAGES, [Page(id="z", query="r")]], rows).missing == 2


@pytest.mark.parametrize("rows", [[], label(("x", "y", 1)), label(("a", "b", 3), scale=6)])
def test_nothing_is_labelled(rows: list[PairLabel]) -> None:
    with pytest.raises(LabelsError, match=r"check the ids|no labelled pair"):
        find_pairs([PAGES], rows)


def test_without_duplicates_precision_is_all_there_is() -> None:
    pairs = find_pairs([PAGES], label(("a", "b", 0), ("a", "c", 0)))
    found = evaluate([comparison_of(SCORES, PAGES)], pairs, resampling=Resampling(samples=50))[0]
    assert found["precision"] == 0.0
    assert np.isnan(
        [found["recall"], found["f1"], found["average_precision"], found["best_f1"]]
    ).all()
