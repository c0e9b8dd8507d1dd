"""The default profile on small sets, copies, templates, results and posts."""

import math
from dataclasses import replace

import numpy as np
import pytest

from reducepp import reduce
from reducepp.api import compare_records, find_profile
from reducepp.clustering.tree import build_tree
from reducepp.comparison import compare_pages
from reducepp.input_kinds import detect_kind
from reducepp.types import Page

STORIES = {
    "en": "The harbour authority said on Monday that the ferry between the two islands would run "
    "again next week, once divers had looked at the piles of the damaged pier and engineers had "
    "signed the papers that the insurer asked for after the storm of early March.",
    "de": "Die Hafenbehörde teilte am Montag mit, dass die Fähre zwischen den beiden Inseln in der "
    "kommenden Woche wieder fährt, sobald Taucher die Pfähle des beschädigten Stegs untersucht und "
    "Fachleute die Papiere unterschrieben haben, die der Versicherer nach dem Sturm verlangt.",
    "fr": "L'autorité portuaire a annoncé lundi que le bac entre les deux îles reprendrait son "
    "service la semaine prochaine, dès que des plongeurs auront examiné les pieux du ponton et "
    "que des ingénieurs auront signé les documents demandés par l'assureur après la tempête.",
    "ar": "أعلنت سلطة الميناء يوم الاثنين أن العبّارة بين الجزيرتين ستعود إلى العمل الأسبوع المقبل "
    "بعد أن يفحص الغواصون أعمدة الرصيف المتضرر ويوقّع المهندسون الأوراق التي طلبتها شركة التأمين "
    "عقب عاصفة مطلع مارس التي أغلقت الطريق الساحلي يومين كاملين أمام الشاحنات والحافلات.",
    "zh": "港务局星期一表示，两座岛屿之间的渡轮将于下周恢复运营，届时潜水员将检查受损码头的桩柱，"
    "工程师也将签署保险公司在三月初的风暴之后要求提供的各项文件，沿海公路则已经重新开放给卡车和公共汽车通行。",
}


def article(language: str, seed: int) -> str:
    """Twelve sentences' worth of text; every seed gives another order of clauses."""
    order = np.random.default_rng(seed).permutation(4)
    text = STORIES[language]
    quarter = len(text) // 4
    parts = [text[k * quarter : (k + 1) * quarter] for k in range(4)]
    return text + " " + " ".join(parts[k] for k in order)


def addressed(number: int, where: str) -> str:
    return {"bare": "", "apart": f"https://h{number}.com/x", "site": f"https://s.com/{number}"}[
        where
    ]


@pytest.mark.parametrize("language", sorted(STORIES))
@pytest.mark.parametrize("where", ["bare", "apart", "site"])
@pytest.mark.parametrize("count", [2, 3, 5, 10, 100])
def test_sets_of_nothing_but_copies(language: str, where: str, count: int) -> None:
    text = article(language, 1)
    pages = [Page(id=str(n), rank=n, url=addressed(n, where), body=text) for n in range(count)]
    reduction = reduce(pages)
    assert reduction.after == 1
    assert {dropped.score for dropped in reduction.dropped} <= {1.0}


def test_texts_without_address_are_compared_as_those_of_one_site() -> None:
    codes = sorted(STORIES.keys() - {"zh"})  # its texts are as short as results
    bare = [Page(id=f"{code}{n}", body=article(code, n)) for code in codes for n in (1, 2)]
    hosted = [replace(page, url=f"https://s.example/{page.id}") for page in bare]
    titled = [replace(page, page_title=page.id) for page in bare]
    alike = [replace(page, page_title=page.id[:2]) for page in bare]
    profile = find_profile("default")
    scores = [compare_pages(pages, profile).scores for pages in (bare, hosted, titled, alike)]
    assert np.array_equal(scores[0], scores[1])
    different = ~np.eye(len(bare), dtype=bool)
    assert (scores[2] < scores[0])[different].all()  # other titles are other names
    assert scores[3][0, 1] > scores[0][0, 1]


def test_notes_of_several_lines_are_no_posts() -> None:
    note = "# plugin-{0}\n> Compiles {0}.\n## Install\nUsing npm:\nnpm install {0}\n## Use\nload it"
    notes = [Page(id=name, body=note.format(name)) for name in ("arrows", "classes", "spread")]
    assert detect_kind(notes) == "texts"
    assert (
        detect_kind([replace(page, body=page.body.replace("\n", " ")) for page in notes]) == "posts"
    )


def test_a_thousand_copies_among_others() -> None:
    others = [Page(id=n, rank=1, body=article(n, 3)) for n in ("de", "fr", "ar")]
    copies = [Page(id=str(n), rank=10 + n, body=article("en", 2)) for n in range(1000)]
    reduction = reduce([*others, *copies], explain=False)
    assert [len(cluster.members) for cluster in reduction.clusters] == [1, 1, 1, 1000]


def test_unrelated_pages_stay_in_sets_of_any_size() -> None:
    for count in (2, 3, 5):
        names = list(STORIES)[:count]
        pages = [Page(id=n, rank=i, body=article(n, 1)) for i, n in enumerate(names)]
        assert reduce(pages).after == count


def test_identical_texts_and_equal_addresses_score_one() -> None:
    same = [Page(id=n, rank=i, body=article("en", 1)) for i, n in enumerate("ab")]
    assert compare_records(same).scores[0, 1] == 1
    spelt = ["https://www.a.com/b%20c/?utm_source=x", "http://m.a.com/B c/index.html"]
    shown = [
        {"url": url, "title": f"Title {n}", "snippet": snippet}
        for n, (url, snippet) in enumerate(
            zip(spelt, ("Whales sing.", "Rain on Monday."), strict=True)
        )
    ]
    assert compare_records(shown).scores[0, 1] == 1


@pytest.mark.parametrize("title", ["", "The harbour"])
def test_chunks_of_one_page_are_kept_and_its_copies_are_not(title: str) -> None:
    url = "https://a.example/story"
    texts = [article(name, 1) for name in STORIES]
    chunks = [Page(id=str(n), url=url, page_title=title, body=t) for n, t in enumerate(texts)]
    assert reduce(chunks).after == len(chunks)
    again = [replace(p, id=f"again {p.id}", url="http://www.a.example/story?") for p in chunks]
    assert reduce([*chunks, *again]).after == len(chunks)


def test_a_result_or_a_wall_under_the_address_of_a_page_is_that_page() -> None:
    page = Page(id="page", url="https://a.example/story", page_title="Story", body=article("en", 1))
    result = {"url": "https://m.a.example/story", "title": "Other", "snippet": "Rain on Monday."}
    wall = replace(page, id="wall", body="Log in to go on.", content_class="login")
    assert compare_records([page, result]).scores[0, 1] == 1
    assert compare_records([page, wall]).scores[0, 1] > 0.99


@pytest.mark.parametrize("query", ["", "?id={}"])
def test_states_of_one_program_are_other_pages_and_results_of_one_address_one(query: str) -> None:
    languages = list(STORIES)
    clauses = [part for name in languages for part in STORIES[name].replace("，", ", ").split(", ")]
    menu = ("Home", "Add an entry", "Groups", "Next birthdays", "Print all", "Log out")
    states = [
        Page(
            id=str(n),
            rank=n,
            url="https://book.example/edit.php" + query.format(n),
            page_title="Address book",
            subtitles=("Address book",),
            body=" ".join((*menu, clauses[n])),
        )
        for n in range(12)
    ]
    assert reduce(states).after == 12
    results = [
        {"url": states[0].url, "title": f"Address book {n}", "snippet": clauses[n]}
        for n in range(12)
    ]
    assert reduce(results).after == 1


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("How to mend a wooden chair", 1),
        ("How to mend a wooden chair | The Joiner", 2),
        ("How to mend two wooden chairs", 2),
    ],
)
def test_results_without_text_on_two_sites_are_one_under_equal_titles_alone(
    title: str, shown: int
) -> None:
    titles = ("How to mend a wooden chair", title)
    results = [{"title": t, "url": f"https://s{n}.com/{n}x"} for n, t in enumerate(titles)]
    assert reduce(results).after == shown


def test_forms_of_one_program_without_addresses_are_other_pages() -> None:
    menu = "".join(
        f"<li><a href='#'>{name}</a>" for name in ("Home", "Owners", "Vets", "Pet types")
    )
    forms = (
        "New owner",
        "New pet",
        "Edit pet type",
        "Add visit",
        "New veterinarian",
        "Specialties",
    )
    frame = f"<title>Pet clinic: a demonstration</title><nav><ul>{menu}</ul></nav>"
    states = [{"html": f"{frame}<h2>{form}</h2>"} for form in forms]
    reduction = reduce([*states, states[0]])
    assert {page.content_class for page in reduction.pages} == {"empty"}
    assert reduction.after == len(forms)


@pytest.mark.parametrize("field", ["snippet", "body"])
def test_equal_snippets_of_one_site_or_under_unlike_titles_are_other_pages(field: str) -> None:
    snippet = "All films of the week with ratings, showtimes and tickets for every cinema in ..."
    results = [
        {"title": title, "url": f"https://films.com/{n}", field: snippet}
        for n, title in enumerate(("Alien", "Brazil", "Casablanca"))
    ]
    assert reduce(results).after == 3
    apart = [{**r, "url": f"https://films{n}.com/"} for n, r in enumerate(results)]
    assert reduce(apart).after == 3
    assert reduce([{**r, "title": f"Alien - site {n}"} for n, r in enumerate(apart)]).after == 1


@pytest.mark.parametrize("count", [2, 5, 30, 60])
def test_equal_results_under_other_addresses_of_one_site_are_other_pages(count: int) -> None:
    snippet = "All films of the week with ratings, showtimes and tickets for every cinema in town."
    results = [
        {"title": "Films of the week", "url": f"https://films.com/{n}", "snippet": snippet}
        for n in range(count)
    ]
    assert reduce(results).after == count


def test_short_bare_texts_are_posts_also_by_name() -> None:
    posts = [{"body": "Big storm over the harbour tonight, stay home"}, {"body": "I like cake"}]
    assert reduce(posts).profile == reduce(posts, profile="default").profile == "posts"
    texts = [{"body": " ".join([STORIES["en"]] * 3)}, {"body": " ".join([STORIES["de"]] * 3)}]
    assert reduce(texts).profile == "default"


def test_contributions_and_background_are_the_scores_log_odds() -> None:
    longer = f"{article('en', 4)} {STORIES['fr']}"
    pages = [
        Page(id="a", rank=1, url="https://a.com/x", page_title="Ferry", body=article("en", 1)),
        Page(id="b", rank=2, url="https://b.com/y", page_title="Ferry", body=longer),
    ]
    (dropped,) = reduce(pages).dropped
    assert 0.5 <= dropped.score < 0.9999
    total = sum(s.contribution for s in dropped.by_signal.values()) + dropped.background
    assert total == pytest.approx(math.log(dropped.score / (1 - dropped.score)), rel=1e-6)
    assert (
        dropped.tests[-1] == f"background gives {find_profile('default').model['background']:+.2f}"
    )


def test_no_page_is_dropped_for_a_representative_below_the_threshold() -> None:
    words = article("en", 1).split()
    slide = [" ".join(words[n * 12 : n * 12 + 45]) for n in range(4)]
    pages = [Page(id=str(n), rank=n, url=f"https://h{n}.com/", body=t) for n, t in enumerate(slide)]
    for threshold in (0.05, 0.2, 0.5, 0.8):
        reduction = reduce(pages, threshold=threshold)
        assert all(dropped.score >= threshold for dropped in reduction.dropped)
        assert not any(cluster.chained for cluster in reduction.clusters)


def test_what_resembles_one_copy_resembles_the_page() -> None:
    scores = np.array([[1, 1, 0.9, 0], [1, 1, 0, 0], [0.9, 0, 1, 0.2], [0, 0, 0.2, 1.0]])
    tree = build_tree("abcd", scores, linkage="complete", join=True)
    assert tree.clusters_at(0.85) == ((0, 1, 2), (3,))
    assert scores[1, 2] == 0


def test_a_page_without_content_is_not_merged_with_content_that_contains_its_text() -> None:
    notice = article("en", 1)
    content = Page(id="a", rank=1, url="https://a.com/x", body=notice + " A word more.")
    wall = Page(id="b", rank=2, url="https://b.com/y", body=notice, content_class="consent")
    reduction = reduce([content, wall])
    assert reduction.after == 2
    assert reduction.warnings == ("1 of 2 pages have no content of their own: 1 consent",)
    assert reduce([content, replace(wall, content_class="")]).after == 1
    assert reduce([wall, replace(wall, id="c", url="https://c.com/z")]).after == 1


@pytest.mark.parametrize("content_class", ["consent", "login", "error", "robot"])
def test_results_that_show_one_wall_are_duplicates_under_one_title_only(content_class: str) -> None:
    notice = "We use cookies to improve your experience. Accept all cookies or manage them."
    titles = ("Town of Leeds", "Town of York", "Town of Leeds")
    pages = [
        Page(
            id=str(i),
            url=f"https://host{i}.com/page{i}",
            page_title=title,
            snippet=notice,
            body=notice,
            content_class=content_class,
        )
        for i, title in enumerate(titles)
    ]
    assert [page.id for page in reduce(pages).dropped] == ["2"]


def test_equal_pages_are_one_whatever_their_class() -> None:
    home = Page(id="a", rank=1, url="https://a.com/", body=article("fr", 1), content_class="home")
    copy = replace(home, id="b", url="https://a.com/accueil", content_class="")
    assert reduce([home, copy]).after == 1


def test_revised_texts_without_titles_are_one_also_under_one_host() -> None:
    words = STORIES["en"].split()
    revised = [w if n % 6 else f"{w}s" for n, w in enumerate(words)]
    bodies = [" ".join(words * 2), " ".join(revised * 2), " ".join(STORIES["fr"].split() * 2)]
    texts = [
        Page(id=str(n), rank=n, url=f"https://s.com/{n}", body=b) for n, b in enumerate(bodies)
    ]
    assert reduce(texts).after == 2
    titled = [replace(page, page_title=f"Page number {page.id}") for page in texts]
    assert reduce(titled).after == 3
