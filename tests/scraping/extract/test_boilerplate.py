"""Lines that no content says, and content that looks like them."""

from __future__ import annotations

import pytest

from reducepp.scraping.extract.boilerplate import is_notice, is_prompt_or_legal
from reducepp.scraping.extract.split import split_html

NOTICES = (
    "Read more",
    "© 2021 The Herald. All rights reserved.",
    "We use cookies to remember what you read. By going on you accept all cookies, here and later.",
    "Voyages LLC n'est pas responsable du contenu d'autres sites. Taxes et frais non compris.",
    "The shop is not responsible for the content of external pages.",
    "الموقع غير مسؤول عن محتوى المواقع الأخرى.",
    "Nous utilisons des cookies pour mesurer l'audience du site et améliorer votre expérience ici.",
    "Please enable JavaScript in the settings of the program with which you look at this page now.",
    "نستخدم ملفات تعريف الارتباط لتحسين تجربتك في الموقع، "
    "ويمكنك معرفة المزيد عنها في صفحة الخصوصية",
)
BAKING = (
    "Bake the cookies on a low shelf for twelve minutes and leave the cookies on the tray to cool.",
    "Mes cookies préférés sont ceux de ma tante : des cookies aux noix, jamais trop sucrés, "
    "et mous au milieu.",
    "The cookies of my aunt "
    + "were flat, dark and full of nuts, " * 12
    + "and nobody counted cookies.",
)


@pytest.mark.parametrize("text", NOTICES)
def test_notices_say_nothing(text: str) -> None:
    assert is_prompt_or_legal(text) or is_notice(text)


@pytest.mark.parametrize("text", BAKING)
def test_recipes_speak_of_cookies_too(text: str) -> None:
    assert len(text) > 90
    assert not is_prompt_or_legal(text)
    assert not is_notice(text)


def test_a_page_of_lists_is_no_menu() -> None:
    places = "".join(f"<div><a href=/p{i}>Quay {i} in the bay</a></div>" for i in range(12))
    lists = "".join(
        f"<section><h3>{name}</h3>{places}</section>" for name in ("Week-ends", "Trips")
    )
    html = f"<title>Bay</title><div><h2>Where to go</h2><div>See the bay.</div>{lists}</div>"
    body = split_html(f"{html}<div>USD</div>").body
    assert body.startswith("Where to go\nSee the bay.")
    assert "Quay 3" not in body


STEP = "<p>Stir the honey into the warm milk and leave it on the lowest shelf for an hour.</p>"


CHECK_BOXES = "".join(
    f"<li><input type=checkbox id=c{n}><label for=c{n}>{n} spoons of honey</label></li>"
    for n in range(2, 6)
)


@pytest.mark.parametrize("markup", [CHECK_BOXES, CHECK_BOXES.replace("<li>", "<li><span>")])
def test_labels_of_a_list_with_check_boxes_are_text(markup: str) -> None:
    body = split_html(f"<article><h1>Honey milk</h1><ul>{markup}</ul>{STEP * 4}</article>").body
    assert [f"{n} spoons of honey" in body for n in range(2, 6)] == [True] * 4


@pytest.mark.parametrize(
    "markup",
    [
        f"<form><ul>{CHECK_BOXES}</ul></form>",
        f"<ul>{CHECK_BOXES.replace('checkbox', 'text')}</ul>",
        CHECK_BOXES.replace("li>", "p>"),
    ],
)
def test_labels_of_other_controls_are_no_text(markup: str) -> None:
    body = split_html(f"<article><h1>Honey milk</h1>{markup}{STEP * 4}</article>").body
    assert "spoons" not in body


def beside(side: str) -> str:
    """The body of a page with something in a column beside its text."""
    text = f"<div class=col-8>{STEP * 5}</div><div class=col-4>{side}</div>"
    return split_html(
        f"<title>Honey</title><div><h1>Honey milk</h1></div><div>{text}</div><div>x</div>"
    ).body


@pytest.mark.parametrize(
    "markup", ["<ul><li>{}</ul>", "<table><tr><td>{}</table>", "<h2>What</h2><ol><li>{}</ol>"]
)
def test_a_list_in_a_column_beside_the_text_belongs_to_it(markup: str) -> None:
    separator = "<tr><td>" if "table" in markup else "<li>"
    lines = [f"{n} spoons of honey" for n in range(2, 8)]
    assert set(lines) <= set(beside(markup.format(separator.join(lines))).split("\n"))


@pytest.mark.parametrize(
    "side",
    [
        "<ul>" + "<li><a href=/x>Other honey</a></li>" * 6 + "</ul>",
        "<ul><li>Reviews<li>Questions</ul>",
        "<ul>" + "".join(f"<li>Country {n}" for n in range(100)) + "</ul>",
    ],
)
def test_menus_tabs_and_long_choices_beside_the_text_do_not(side: str) -> None:
    assert beside(side) == beside("")


def test_the_anchor_of_a_heading_is_no_navigation() -> None:
    text = f"<h1>Honey</h1>{STEP * 3}<h3 id='nav_slow_stirring'>Slow stirring</h3>{STEP * 3}"
    assert split_html(f"<article>{text}</article>").subtitles == ("Slow stirring",)


def test_a_list_with_a_heading_above_the_main_text_stays_and_a_date_does_not() -> None:
    items = "".join(f"<li><div>{n} spoons</div></li><li>honey {n}</li>" for n in range(9))
    head = f"<h1>Honey</h1><ul><li>3 May 2021</li></ul><div><h2>You need</h2><ul>{items}</ul></div>"
    page = split_html(f"<main>{head}<div><h2>Steps</h2>{STEP * 9}</div></main>")
    assert page.subtitles == ("You need", "Steps")
    assert "honey 8" in page.body
    assert "2021" not in page.body


def test_a_linked_line_of_a_list_is_text_and_a_linked_title_in_a_list_is_a_teaser() -> None:
    lines = (
        "<li>Two cups of milk</li><li><a href=/oats>Rolled oats</a></li><li>A pinch of salt</li>"
    )
    titles = "".join(
        f"<li><h3><a href=/{name}>How we keep our {name} dry</a></h3>In winter</li>"
        for name in ("hives", "honey", "frames")
    )
    steps = f"<h2>Steps</h2>{STEP * 4}"
    body = split_html(f"<article><ul>{lines}</ul>{steps}<ul>{titles}</ul></article>").body
    assert "Two cups of milk\nRolled oats\nA pinch of salt" in body
    assert "How we keep" not in body


def test_a_long_table_stands_between_title_and_main_text() -> None:
    rows = "".join(f"<tr><td>{i} g</td><td>Flower {i}</td></tr>" for i in range(40))
    table = f"<div><h2>Flowers</h2><table>{rows}</table></div>"
    body = split_html(f"<main><h1>Tea</h1>{table}<div>{STEP * 12}</div></main>").body
    assert "39 g\nFlower 39" in body
    assert body.startswith("Flowers\n0 g\nFlower 0")


def test_text_named_as_the_main_text_is_never_hidden() -> None:
    text = f"<div class='entry-content print-only'>{STEP * 4}</div><p class='print-only'>Inky</p>"
    body = split_html(f"<h1>Honey</h1>{text}").body
    assert "warm milk" in body
    assert "Inky" not in body


def test_the_forum_below_an_article_of_spip_is_its_comments() -> None:
    posts = f"<li class='forum-fil'><div class='forum-message'>{STEP.replace('honey', 'wax')}</div>"
    page = f"<h1>Honey</h1><div class='texte'>{STEP * 5}</div><ul class='forum'>{posts * 9}</ul>"
    assert "wax" not in split_html(page).body


def test_an_embedded_post_is_a_quotation_and_a_box_of_share_links_is_not() -> None:
    post = "<p>The lamp of the harbour is lit again, after nine years.</p>"
    text = "<p>The keeper counted every ship that passed in January, and wrote them down.</p>" * 5
    quoted = f"<blockquote class='twitter-tweet'>{post}</blockquote>"
    found = split_html(f"<title>Lamp</title><article>{text}{quoted}{text}</article>")
    assert "lit again" in found.body
    shared = quoted.replace("blockquote", "div")
    found = split_html(f"<title>Lamp</title><article>{text}{shared}{text}</article>")
    assert "lit again" not in found.body


def test_teasers_are_the_text_of_a_page_that_lists_articles_and_not_of_an_article() -> None:
    sentence = "<p>Ships pass the bay by night, and the keeper of the lamp counts them all.</p>"
    title = "<h3><a href=/x>A linked title of article number {}</a></h3>"
    teasers = "".join(
        f"<li>{title.format(i)}{sentence.replace('Ships', f'{i} ships')}</li>" for i in range(6)
    )
    whole = f"<li>{title.format(7)}{sentence * 8}</li>"
    listing = split_html(f"<title>May</title><main><ul>{teasers}{whole}</ul></main>")
    assert "5 ships" in listing.body
    article = split_html(f"<title>May</title><main>{sentence * 8}<ul>{teasers}</ul></main>")
    assert "5 ships" not in article.body


def test_what_a_headline_is_about_is_no_notice() -> None:
    notice = (
        "Cookies are small files that a site stores on your device. Advertisers use them to follow "
        "you, and you accept the use of cookies by the largest button of the banner."
    )
    assert is_notice(notice)
    text = "<p>A study of two thousand sites found that one in three ignores its visitors.</p>" * 3
    page = f"<title>T</title><article><h1>{{}}</h1><p>{notice}</p>{text}</article>"
    assert "small files" in split_html(page.format("How cookies track you")).body
    assert "small files" not in split_html(page.format("How sites track you")).body


def test_a_short_page_of_a_manual_is_shown_without_its_template() -> None:
    items = "".join(f"<li><a href=/{i}>Chapter {i}</a></li>" for i in range(40))
    html = (
        '<meta name=generator content="Sphinx 7"><title>Quays - Harbour 2</title>'
        "<div class=body role=main><h1>Quays</h1><h2>Reference</h2><p>harbour.Quay</p></div>"
        f"<div class=sidebar role=navigation><h3>Navigation</h3><ul>{items}</ul></div>"
        "<div class=footer>© 2024 The harbour and all who helped. Built with the usual tools.</div>"
    )
    page = split_html(html)
    assert page.body == "Reference\nharbour.Quay"
    assert page.visible == "Quays\nReference\nharbour.Quay"
