"""Rarity-weighted runs against a slow version; copies of one text told from pages of a template."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import documents_of, file_name, without_version
from reducepp.similarity.measures import find_measure
from reducepp.similarity.measures.rare_runs import (
    DRAWS,
    FIVE_WORDS,
    MAX_LETTERS,
    UNTITLED,
    beginnings,
)
from reducepp.similarity.measures.rare_runs import WORDS as WORDS_UNIT
from reducepp.similarity.run_weights import LEAST, LESSER, PRIOR, PSEUDOCOUNT, Needs, weighted_share
from reducepp.similarity.shingles import single_word_codes, single_words, word_forms
from reducepp.types import Page

WORDS = [f"{a}{b}" for a in ("ba", "ko", "lu", "mi", "se") for b in ("ran", "tel", "vos", "dim")]


def made_text(seed: int, count: int) -> list[str]:
    return np.random.default_rng(seed).choice(WORDS, size=count).tolist()


def changed(text: list[str], seed: int, share: float = 0.02) -> str:
    """A copy with words replaced here and there."""
    made, random = list(text), np.random.default_rng(seed)
    for place in random.choice(len(made), size=max(1, int(share * len(made))), replace=False):
        made[place] = f"new{'abcdefgh'[seed % 8]}{'abcdefgh'[int(place) % 8]}"
    return " ".join(made)


def slow_share(texts: list[list[str]], i: int, j: int) -> float:
    """Runs of five words on one site where every page is its own document."""
    runs = [{tuple(t[k : k + 5]) for k in range(len(t) - 4)} for t in texts]
    total = max(len(texts) - 2, 0) + PSEUDOCOUNT

    def weight(run: tuple[str, ...], beyond: int) -> float:
        frequency = max(sum(run in other for other in runs) - beyond, 0)
        of_set = (frequency + PSEUDOCOUNT * PRIOR) / total
        of_site = (frequency + PSEUDOCOUNT * of_set) / total
        return LEAST + (1 - LEAST) * math.prod([1 - of_site] * DRAWS)

    shared = sum(weight(run, 2) for run in runs[i] & runs[j])
    parts = [
        shared / (shared + sum(weight(run, 1) for run in runs[a] - runs[b]))
        for a, b in ((i, j), (j, i))
    ]
    return max(parts) ** LESSER * min(parts) ** (1 - LESSER)


def test_runs_of_one_site_agree_with_the_slow_version() -> None:
    template = made_text(0, 60)
    texts = [template + made_text(n, 40 + 5 * n) for n in range(1, 6)]
    texts.append([*texts[0][:90], *made_text(9, 20)])
    pages = [
        Page(id=str(n), url=f"https://site.example/{n}", page_title="A title", body=" ".join(text))
        for n, text in enumerate(texts)
    ]
    found = find_measure("rare_runs")(PageSet(pages).contents("full_text"), scope="on_site")
    for i in range(len(texts)):
        for j in range(i):
            slow = slow_share(texts, i, j)
            assert found[i, j] == pytest.approx(slow, abs=1e-5)


def test_words_count_by_their_first_second_and_fourth_occurrence() -> None:
    texts = ["owl " * 5 + "hawk", "owl hawk hawk", "", "hawk owl owl owl", "猫が好き猫が"]
    prepared = PageSet([Page(id=str(n), body=t) for n, t in enumerate(texts)]).texts(
        "full_text", "plain"
    )
    found, following = single_words(prepared)
    cells = found.toarray()
    common = cells @ cells.T
    assert np.diag(common).tolist() == [4, 3, 0, 3, 6]
    assert (common[0, 1], common[0, 3], common[1, 3]) == (2, 3, 2)
    again = np.flatnonzero(following >= 0)
    assert (cells[:, following[again]] <= cells[:, again]).all()
    assert cells[:, following[again]].sum(axis=1).tolist() == [2, 1, 0, 1, 1]
    forms, unspaced = word_forms(prepared)
    far = single_word_codes(forms, forms.numbers << 40, unspaced)
    near = single_word_codes(forms, forms.numbers, unspaced)
    assert np.bincount(far[0]).tolist() == np.bincount(near[0]).tolist()


def test_arabic_words_with_and_without_article_and_endings_are_one() -> None:
    texts = ["والكتاب في المدينة", "كتاب مدينة", "كاتب مدني"]
    page_set = PageSet([Page(id=str(n), body=text) for n, text in enumerate(texts)])
    cells = single_words(page_set.texts("full_text", "plain"))[0].toarray()
    assert (cells @ cells.T).tolist() == [[3, 2, 0], [2, 2, 0], [0, 0, 2]]


def test_scopes_divide_the_pairs_between_them() -> None:
    pages = [
        Page(id=str(n), url=url, body=" ".join(made_text(n, 50)))
        for n, url in enumerate(("https://a.com/1", "https://a.co.uk/2", "https://b.com/3", ""))
    ]
    contents = PageSet(pages).contents("full_text")
    every, on, off = (
        find_measure("rare_runs")(contents, scope=s) for s in ("all", "untitled", "off_site")
    )
    assert not np.isnan(on[0, 1])
    assert np.isnan(on[[0, 0, 2], [2, 3, 3]]).all()
    assert np.isnan(off[0, 1])
    np.testing.assert_array_equal(every, np.where(np.isnan(on), off, on))


def _sites(count: int) -> list[Page]:
    """Copies of a text on some sites, and pages of a template on the others."""
    pages = []
    for site in range(count):
        text = made_text(site, 300)
        for i in range(4):
            body = changed(text, i) if site % 2 else " ".join(text[:200] + made_text(99 + i, 150))
            url = f"https://site{site}.example/{site}-{i}"
            pages.append(Page(id=url, rank=len(pages) + 1, url=url, body=body, page_title=str(i)))
    return pages


def test_parts_of_a_set_give_what_the_whole_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured() -> tuple[list[int], np.ndarray]:
        page_set = PageSet(_sites(6))
        contents = page_set.contents("full_text")
        return documents_of(page_set).tolist(), find_measure("rare_runs")(contents)

    documents, whole = measured()
    monkeypatch.setattr("reducepp.text.preparation.PART_WORDS", 700)
    monkeypatch.setattr("reducepp.similarity.run_weights.PART_CELLS", 500)
    in_parts, found = measured()
    assert len(set(documents)) < len(documents)
    assert in_parts == documents
    np.testing.assert_array_equal(found, whole)


def test_a_crowded_site_does_not_hide_the_copies_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = _sites(2)
    crowd = [
        replace(page, id=f"{page.id}/{i}", body=pages[0].body)
        for i in range(9)
        for page in pages[:4]
    ]
    copies = documents_of(PageSet(pages))[4:]
    monkeypatch.setattr("reducepp.similarity.near_copies.MAX_PRODUCTS", 20_000)
    found = documents_of(PageSet([*pages, *crowd]))[4:8]
    assert len(set(copies.tolist())) == len(set(found.tolist())) == 1


@pytest.mark.parametrize("count", [3, 10, 40])
def test_copies_with_scattered_changes_are_one_document(count: int) -> None:
    text = made_text(1, 300)
    copies = [
        Page(id=str(n), url=f"https://site.example/{n}", body=changed(text, n))
        for n in range(count)
    ]
    assert len(set(documents_of(PageSet(copies)).tolist())) == 1


def test_pages_under_two_versions_of_a_long_menu_are_no_copies_of_one_text() -> None:
    menus = [made_text(1, 400), made_text(1, 400)]
    menus[1][100:220] = made_text(2, 120)
    pages = [
        Page(
            id=f"{version}-{n}",
            url=f"https://manual.example/{version}/{n}",
            body=" ".join([*menu[:20], *made_text(10 + n, 25), *menu[20:]]),
        )
        for version, menu in enumerate(menus)
        for n in range(6)
    ]
    assert len(set(documents_of(PageSet(pages)).tolist())) == len(pages)


def test_items_of_a_form_that_were_saved_twice_are_no_copies_of_one_text() -> None:
    form = made_text(1, 120)
    bodies = [" ".join([*form[:60], f"name{x}", f"mail{x}", *form[60:]]) for x in "abcde"]
    pages = [
        Page(id=f"{n}-{x}", url=f"https://app.example/user/{n}?t={x}", body=body)
        for n, body in enumerate(bodies)
        for x in "pq"
    ]
    assert len(set(documents_of(PageSet(pages)).tolist())) == len(bodies)


def test_pages_of_one_template_are_documents_of_their_own() -> None:
    frame = made_text(2, 200)
    pages = []
    for n in range(12):
        rows = [word for k in range(0, 200, 20) for word in (*frame[k : k + 20], f"fact{n}x{k}")]
        pages.append(Page(id=str(n), url=f"https://site.example/{n}", body=" ".join(rows)))
    assert len(set(documents_of(PageSet(pages)).tolist())) == 12


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.com/docs/Select.html", "select"),
        ("https://a.com/docs/05150100.html", "05150100"),
        ("https://a.com/index.php", ""),
        ("https://a.com/admin/user/4/change/", "user/4/change"),
        ("https://a.com/invoice/drop?yes=1", "invoice/drop"),
        ("https://a.com/docs/v2.1/en/install", "docs/install"),
        ("https://a.com/2024/05/council-saves-the-lighthouse", "council-saves-the-lighthouse"),
        ("https://a.com/about", "about"),
        ("https://a.com/article/17", ""),
        ("https://a.com/page/9cff0f95", ""),
        ("https://a.com/facade", "facade"),
        ("https://a.com/", ""),
        ("http://[bad", ""),
    ],
)
def test_file_names(url: str, name: str) -> None:
    assert file_name(url) == name


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("GPL-2.0", "GPL"),
        ("51.50. pg_shseclabel", "pg_shseclabel"),
        ("Python v3.11.2 documentation", "Python  documentation"),
        ("types-pytz 2025.1.0.20250318", "types-pytz"),
        ("iPhone 12", "iPhone 12"),
        ("3.1", "3.1"),
    ],
)
def test_versions_and_numbers_of_sections_are_no_part_of_a_name(title: str, bare: str) -> None:
    assert without_version(title) == bare


def _plain_pages(menus: tuple[list[str], list[str]], articles: tuple[str, str]) -> list[Page]:
    return [
        Page(id=str(n), url=f"https://crawl.example/{n}", body=" ".join([*menu, article]))
        for n, (menu, article) in enumerate(zip(menus, articles, strict=True))
    ]


def _similarity(pages: list[Page]) -> float:
    contents = PageSet(pages).contents("full_text")
    return float(find_measure("rare_runs")(contents, scope="untitled")[0, 1])


def _article(seed: int) -> str:
    """Made words with a function word in every run of five."""
    nouns = zip(made_text(seed, 300), made_text(seed + 50, 300), strict=True)
    return " ".join(f"the {first}{second}" for first, second in nouns)


def test_menus_count_little_beside_sentences() -> None:
    """One article under two menus is a near-duplicate; two articles under one menu are not."""
    menus = made_text(1, 500), made_text(2, 500)
    one_article = _similarity(_plain_pages(menus, (_article(3), _article(3))))
    one_menu = _similarity(_plain_pages((menus[0], menus[0]), (_article(3), _article(4))))
    assert one_article > 0.92
    assert one_menu < 0.25  # a share of one sixteenth on the scale of words


@pytest.mark.parametrize("unit", UNTITLED.units)
def test_a_share_is_rescaled_and_back(unit: str) -> None:
    shares = np.array([0.0, 0.09, 0.25, 1.0])
    back = [UNTITLED.least(unit, float(share)) for share in UNTITLED.rescale(unit, shares)]
    np.testing.assert_allclose(back, shares)
    assert UNTITLED.rescale(FIVE_WORDS, np.array(0.25)) == 0.25**UNTITLED.exponent
    assert UNTITLED.rescale(WORDS_UNIT, np.array(0.25)) == 0.25


def test_runs_without_function_words_are_compared_where_there_are_no_others() -> None:
    texts = made_text(1, 700), made_text(2, 700)
    assert _similarity(_plain_pages((texts[0], texts[0]), ("", ""))) == 1
    assert _similarity(_plain_pages(texts, ("", ""))) < 0.1


def test_as_many_letters_of_a_text_are_compared_however_short_its_words_are() -> None:
    pages = [Page(id="a", body="a " * 3000), Page(id="b", body="lettered " * 3000)]
    short, long = beginnings(PageSet(pages).contents("full_text").texts("plain"))
    assert short == " ".join("a" * (MAX_LETTERS // 2))
    assert len(long) == MAX_LETTERS


def test_the_share_of_a_pair_leans_to_the_text_that_has_less() -> None:
    assert weighted_share(np.array(1.0), np.array(0.0625)) == pytest.approx(0.5)
    assert weighted_share(np.array(0.0625), np.array(1.0)) == pytest.approx(0.5)
    assert weighted_share(np.array(0.4), np.array(0.4)) == pytest.approx(0.4)


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_reaches_a_share_without_the_gain_that_it_needs(seed: int) -> None:
    """The share is B / (B + W - A) of both texts; any weights, of which shared ones are higher."""
    random = np.random.default_rng(seed)
    own = random.uniform(0.3, 1.0, size=60)
    shared = own * random.uniform(1.0, 1.5, size=60)
    texts = random.random((80, 60)) < random.uniform(0.05, 1.0, size=(80, 1))
    weights, most = texts @ own, texts @ shared
    order = np.argsort(weights)
    for least in (0.1, 0.3, 0.6, 0.9):
        needs = Needs(share=least, weights=weights, most=most)
        for i, j in ((i, j) for place, i in enumerate(order) for j in order[place + 1 :]):
            common = texts[i] & texts[j]
            both, also = shared[common].sum(), own[common].sum()
            of_both = [both / max(both + weights[t] - also, 1e-9) for t in (i, j)]
            gain = (1 - least) * both + least * also
            if weighted_share(np.array(of_both[0]), np.array(of_both[1])) >= least:
                assert gain >= needs.beside(np.array([i]), weights[j])[0] - 1e-9
