"""What is looked up is bounded from above by what a run of all pages finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reducepp.api import find_profile
from reducepp.comparison import compare_pages
from reducepp.index import Index
from reducepp.index.census import Census
from reducepp.index.features import describe_pages
from reducepp.index.lookup import find_candidates, look_up, site_shares
from reducepp.index.page_scores import most_scores
from reducepp.index.signatures import Signatures
from reducepp.types import Page
from tests.reducepp.index.test_index import WORDS, long_pages, no_copy_groups, state_pages
from tests.reducepp.similarity.test_candidates import make_pages


def untitled_pages(seed: int) -> list[Page]:
    """Pages of a few sites without titles, brief and long, with a menu each."""
    return [
        replace(page, page_title="", body=f"home news about us contact the team {page.body}")
        for page in make_pages(seed, 30)
    ]


@pytest.fixture(params=["frequent", "rare"])
def frequency(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With signatures of the runs that two pages have, and without any."""
    monkeypatch.setattr("reducepp.index.known_pages.FREQUENT", 0.0)
    least = 2 if request.param == "frequent" else 10**6
    monkeypatch.setattr("reducepp.index.known_pages.MIN_FREQUENT", least)


@pytest.mark.usefixtures("frequency")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [make_pages, long_pages, state_pages, untitled_pages])
def test_no_page_scores_more_than_its_bound(
    make: Any, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_copy_groups(monkeypatch)
    monkeypatch.setattr("reducepp.index.lookup.FEW_ON_SITE", 5 * seed)
    profile, pages = find_profile("default"), make(seed)
    found_bounds = 0
    with Index(tmp_path / "seen.idx") as index:
        index.add(pages[4:])
        known = index._known
        for page in pages[:4]:
            (features,) = describe_pages([page])
            looks = look_up(features, known, index._database)
            found = find_candidates(features, known, looks, 0.44)
            here = found.on_site & (found.shares < 1)
            site = index._site_documents(page, features)
            for counted in (None, site):
                before = found.shares[here]
                found.shares[here] = site_shares(
                    features, known, looks, found.numbers[here], exactly=True, site=counted
                )
                assert (found.shares[here] <= before + 1e-9).all()
            column = {name: values[found.numbers] for name, values in known.columns.items()}
            most = np.zeros(len(known))
            most[found.numbers] = most_scores(features, column, found, profile)
            exact = compare_pages([page, *pages[4:]], profile).scores[0, 1:]
            assert (exact <= np.maximum(most, 0.3) + 1e-9).all()
            found_bounds += int((most > 0).sum())
    assert found_bounds


def test_a_menu_that_a_site_has_on_every_page_makes_no_candidates(tmp_path: Path) -> None:
    rng, menu = np.random.default_rng(0), " ".join(f"menu{i} of" for i in range(30))
    pages = [
        Page(id=f"p{i}", url=f"https://large.example/page-{i}", page_title=f"Title {i}", body=body)
        for i, body in enumerate(
            f"{menu} {' '.join(rng.choice(WORDS, size=150))}" for _ in range(62)
        )
    ]
    copy = replace(pages[5], id="copy", url="https://large.example/page-5?from=menu")
    with Index(tmp_path / "seen.idx") as index:
        index.add(pages[2:])
        assert [index.query(page).compared for page in pages[:2]] == [0, 0]
        answer = index.query(copy)
    assert (answer.compared, answer.matches[0].id) == (1, "p5")


@pytest.mark.usefixtures("frequency")
@pytest.mark.parametrize("seed", range(3))
def test_what_others_add_is_as_what_is_read_anew(seed: int, tmp_path: Path) -> None:
    pages, path = make_pages(seed, 60), tmp_path / "seen.idx"
    with Index(path) as asked, Index(path) as other:
        for start, writer in ((10, other), (20, asked), (25, other), (26, asked), (27, other)):
            writer.add(pages[start : 60 if start == 27 else start + 10])
            with Index(path) as fresh:
                for page in pages[:10]:
                    answer = asked.query(page)
                    assert answer.matches == other.query(page).matches == fresh.query(page).matches
    assert not answer.is_new or any(not fresh_answer(path, page).is_new for page in pages[:10])


def fresh_answer(path: Path, page: Page) -> Any:
    """The answer of an index that is opened for it."""
    with Index(path) as index:
        return index.query(page)


@pytest.mark.parametrize("runs", [0, 1, 8, 9, 30])
def test_signatures(runs: int) -> None:
    rng = np.random.default_rng(runs)
    codes, has = np.sort(rng.permutation(1000)[:runs]), rng.random((runs, 50)) < 0.4
    signatures = Signatures(codes)
    for start, end in ((0, 20), (20, 21), (21, 50)):
        places, numbers = np.nonzero(has[:, start:end])
        cut = int(np.searchsorted(places, 16))
        parts = [(places[:cut], numbers[:cut]), (places[cut:], numbers[cut:])]
        signatures.append(parts, end - start)
    assert len(signatures) == 50
    values, pages = rng.integers(-9, 9, size=runs).astype(float), rng.permutation(50)[:20]
    np.testing.assert_array_equal(signatures.sums(values, slice(30)), values @ has[:, :30])
    np.testing.assert_array_equal(signatures.sums(values, slice(5, None)), values @ has[:, 5:])
    asked = rng.permutation(runs)[:7]
    np.testing.assert_array_equal(signatures.has(pages, asked), has[asked][:, pages].T)
    assert signatures.places_of(codes).tolist() == list(range(runs))
    assert signatures.places_of(np.array([2000])).tolist() == [-1]


def test_a_census_counts_documents_as_they_come_and_go() -> None:
    rng = np.random.default_rng(0)
    documents: dict[int, Any] = {}
    census = Census({})
    for step in range(200):
        changed = {}
        for document in rng.permutation(40)[: rng.integers(1, 40 if step % 20 == 0 else 3)]:
            runs = np.unique(rng.integers(0, 60, size=12)) if rng.random() < 0.8 else None
            changed[int(document)] = runs
        census.put(changed)
        documents = {d: r for d, r in {**documents, **changed}.items() if r is not None}
        if rng.random() < 0.7:
            counts = np.bincount(
                np.concatenate([*documents.values(), []]).astype(int), minlength=60
            )
            np.testing.assert_array_equal(census.frequency(np.arange(60)), counts)
