"""What pages are compared by, without the lines that belong to their site."""

from __future__ import annotations

from reducepp import Page, reduce
from reducepp.similarity.site_templates import comparable_texts

MENU = "\n".join(
    f"{word} {kind}"
    for kind in ("books", "toys", "games", "gifts", "cards")
    for word in ("New", "Old", "Cheap", "Best", "Used", "Rare", "Signed", "French", "Arabic")
)
LEGAL = "The shop is not responsible for the content of pages that it links to from here."
CARE = (
    "Twelve ways to care for parents who can no longer live alone, tried in practice by the "
    "author, who visited homes, day centres and shared flats, and spoke with the old, their "
    "families and the nurses about what each way costs and what it is like."
)
SCHOOL = (
    "Politics wants screens in every school. Whether pupils learn more by them is another "
    "matter, and the ban on telephones in French schools gives a sign. This fair asks where "
    "teachers can look for advice in the fog, and shows what a lesson needs."
)


def page(name: str, title: str, text: str, site: str = "shop.example") -> Page:
    return Page(id=name, url=f"https://{site}/{name}", page_title=title, visible=text)


def test_two_pages_of_a_shop_are_not_alike_by_their_menu() -> None:
    care = page("care", "Ways to care", f"{MENU}\n{CARE}\n{LEGAL}")
    school = page("school", "Fair for schools", f"{MENU}\n{SCHOOL}\n{LEGAL}")
    assert comparable_texts([care, school]) == (f"{CARE}\n{LEGAL}", f"{SCHOOL}\n{LEGAL}")
    assert not reduce([care, school]).dropped


def test_a_sentence_is_the_sites_from_the_third_title_on() -> None:
    pages = [page(n, n, f"{LEGAL}\n{n} {CARE}") for n in ("one", "two", "three")]
    assert comparable_texts(pages) == tuple(f"{n} {CARE}" for n in ("one", "two", "three"))


def test_what_stands_under_one_title_stays() -> None:
    text = f"{MENU}\n{CARE}"
    assert comparable_texts([page("a", "Ways", text), page("b", "Ways", text)]) == (text, text)


def test_the_same_menu_on_two_sites_stays() -> None:
    pages = [
        page("a", "Care", f"{MENU}\n{CARE}"),
        page("b", "School", f"{MENU}\n{SCHOOL}", "fair.example"),
    ]
    assert comparable_texts(pages) == tuple(p.visible for p in pages)


def test_copies_whose_text_is_all_short_lines_stay_alike() -> None:
    first, second = page("a", "List of goods", MENU), page("b", "Goods (print)", MENU)
    assert comparable_texts([first, second]) == (MENU, MENU)
    assert [d.id for d in reduce([first, second]).dropped] == ["b"]


def test_pages_that_show_next_to_nothing_are_not_alike_by_that() -> None:
    rome = page("rome", "History of Rome", "Loading...", "rome.example")
    garden = page("garden", "Garden tips", "Loading...", "garden.example")
    assert comparable_texts([rome, garden]) == ("History of Rome", "Garden tips")
    assert not reduce([rome, garden]).dropped


def test_a_page_that_shows_nothing_is_no_copy_of_an_article_of_its_title() -> None:
    shell = page("shell", "Iran", "Loading...", "rome.example")
    article = Page(id="article", url="https://a.example/iran", page_title="Iran", body=CARE)
    assert not reduce([shell, article]).dropped


def test_a_short_text_that_is_the_main_text_counts() -> None:
    short = [Page(id=name, body="Loading bay closed.") for name in ("a", "b")]
    assert comparable_texts(short) == ("Loading bay closed.",) * 2
