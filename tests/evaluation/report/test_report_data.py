"""What the report's page carries: packed, cut to size, and the engine's own."""

import base64
from dataclasses import replace

import numpy as np
import pytest

from reducepp.api import find_profile
from reducepp.comparison import Comparison, compare_pages
from reducepp.errors import UsageError
from reducepp.evaluation.information_kept import cover
from reducepp.evaluation.report import ReportOptions, report_data, report_html
from reducepp.evaluation.report.pack import fair_limit, pack_numbers, pack_triangle
from reducepp.evaluation.report.page_texts import (
    browser_places,
    cut_text,
    information_data,
    snippet_of,
)
from reducepp.evaluation.report.report_data import describe_profile, indices_data, possible_folds
from reducepp.evaluation.sweep import sweep
from reducepp.evaluation.validity import INDICES, distances_of, validity
from reducepp.types import Page
from reducepp.weights.profile import profile_names
from tests.evaluation.made_pages import PROFILE, made_pages


def test_a_triangle_is_carried_bit_for_bit() -> None:
    values = np.array([[1, 0.1, np.nan], [0.1, 1, 1 / 3], [np.nan, 1 / 3, 1]])
    read = np.frombuffer(base64.b64decode(pack_triangle(values)["data"]), "<f8")
    assert np.array_equal(read, [0.1, np.nan, 1 / 3], equal_nan=True)


def test_a_short_triangle_is_right_to_a_step() -> None:
    packed = pack_triangle(np.array([[1, 0.1, np.nan], [0.1, 1, 1], [np.nan, 1, 1]]), exact=False)
    read = np.frombuffer(base64.b64decode(packed["data"]), "<u2")
    assert packed["type"] == "u2"
    assert read.tolist() == [round(0.1 * 65534), 65535, 65534]


@pytest.mark.parametrize(
    ("numbers", "data"),
    [([0, 127], b"\x00\x7f"), ([128], b"\x80\x01"), ([300, 1], b"\xac\x02\x01")],
)
def test_numbers_take_seven_bits_a_byte(numbers: list[int], data: bytes) -> None:
    assert base64.b64decode(pack_numbers(numbers)) == data


@pytest.mark.parametrize(
    ("sizes", "budget", "limit"),
    [([10, 20, 30], 100, 30), ([10, 100, 100], 110, 50), ([50, 50], 20, 10), ([], 9, 0)],
)
def test_short_texts_stay_whole_and_long_ones_share(
    sizes: list[int], budget: int, limit: int
) -> None:
    assert fair_limit(sizes, budget) == limit
    assert sum(min(size, limit) for size in sizes) <= budget


def test_a_text_is_cut_between_characters() -> None:
    assert cut_text("منارة", 5) == "من"
    assert cut_text("abc", 3) == "abc"


def test_places_are_a_browsers() -> None:
    assert browser_places("a😀b", [(0, 1), (1, 2), (2, 3)]) == [(0, 1), (1, 3), (3, 4)]


def test_a_snippet_is_the_engines_own_or_around_the_query() -> None:
    body = "Nothing here. " * 40 + "The lighthouse keeper slept. " + "Nothing there. " * 40
    page = Page(id="a", query="lighthouse", body=body)
    assert snippet_of(replace(page, snippet="As found")) == "As found"
    assert "lighthouse keeper slept" in snippet_of(page)
    assert snippet_of(page).startswith("… ")
    first = Page(id="b", query="old lighthouse", body="The old\nlighthouse stood here.")
    assert snippet_of(first) == "The old lighthouse stood here"
    assert snippet_of(replace(page, query="zebra")).startswith("Nothing here.")
    assert len(snippet_of(page)) < 300


def test_equal_holders_are_carried_once(comparison: Comparison) -> None:
    """A hundred copies of a page are no larger than their sentences."""
    page = comparison.pages[0]
    data = information_data(cover([replace(page, id=str(i), rank=i) for i in range(1, 101)]))
    assert len(data["weights"]) < 20
    assert len(base64.b64decode(data["holders"])) == 13
    assert len(base64.b64decode(data["sentences"])) < 8 * sum(data["counts"])


@pytest.mark.parametrize("checked", [False, True])
def test_indices_are_those_of_the_sweep(comparison: Comparison, checked: bool) -> None:
    checks = dict.fromkeys(("check_representative", "check_facts"), checked)
    comparison = replace(comparison, profile=replace(comparison.profile, **checks))
    data = report_data([comparison])["queries"][0]["sweep"]
    rows = sweep(comparison, data["threshold"])
    assert len(rows) == 101
    for name in ("silhouette", "davies_bouldin", "calinski_harabasz"):
        theirs = np.array([getattr(row, name) for row in rows])
        mine = np.array([np.nan if v is None else v for v in data[name]])
        np.testing.assert_allclose(mine, theirs, rtol=1e-5)
    assert {bool(reason) for reason in data["reason"]} == {True, False}


def test_indices_are_what_each_clustering_gives_by_itself(comparison: Comparison) -> None:
    data = indices_data(comparison)
    distances = distances_of(comparison.scores)
    for place, threshold in enumerate(data["threshold"]):
        plain = validity(distances, comparison.tree.labels_at(threshold), distances)
        assert data["reason"][place] == plain.reason
        for name in INDICES:
            value = np.nan if data[name][place] is None else data[name][place]
            assert value == pytest.approx(getattr(plain, name), rel=1e-5, nan_ok=True)


def test_every_fold_a_threshold_can_give_is_explained(comparison: Comparison) -> None:
    found = possible_folds(comparison.tree)
    for threshold in comparison.tree.thresholds:
        for group in comparison.tree.clusters_at(threshold):
            assert {(group[0], i) for i in group[1:]} <= found
    assert len(found) < 435, "fewer than all pairs"


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_pages_make_a_report(count: int) -> None:
    data = report_data([compare_pages(made_pages(count), PROFILE)])
    assert len(data["queries"][0]["tree"]["scores"]) == count - 1
    assert report_html(data)


def test_no_query_is_an_error() -> None:
    with pytest.raises(UsageError, match="at least one query"):
        report_data([])


def test_an_unknown_keeper_is_an_error(comparison: Comparison) -> None:
    with pytest.raises(UsageError, match="keep 'oldest'"):
        report_data([comparison], ReportOptions(keep="oldest"))


def test_provenance_has_no_markup_and_no_paths() -> None:
    text = "Set by `hand` (see docs/a.md), F1 .98. docs/b.md has the figures. Then\n checked."
    profile = replace(find_profile("default"), provenance=text)
    assert describe_profile(profile)["provenance"] == "Set by hand, F1 .98. Then checked."
    for name in profile_names():
        own = describe_profile(find_profile(name))["provenance"]
        assert "`" not in own
        assert "docs/" not in own, name
