"""Dates that pages state in tags, and dates that they only show."""

from __future__ import annotations

import pytest

from reducepp.scraping.extract.dates import parse_written_date
from reducepp.scraping.extract.split import split_html


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Published: 3 May 2021 by the desk", "2021-05-03"),
        ("May 3rd, 2021", "2021-05-03"),
        ("Publié le 1er août 2019 à 10h", "2019-08-01"),
        ("نشر في ١٢ كانون الثاني ٢٠٢٠", "2020-01-12"),
        ("12 مايو 2018", "2018-05-12"),
        ("am 3. März 2018", "2018-03-03"),
        ("03.05.2021", "2021-05-03"),
        ("25/12/2020", "2020-12-25"),
        ("12/25/2020", "2020-12-25"),
        ("04/05/2020", ""),
        ("31 February 2020", ""),
        ("3 May 1850", ""),
        ("no date at all", ""),
        ("الأحد 3 مايو/ أيار 2021، 10:20", "2021-05-03"),
        ("5 марта 2020", "2020-03-05"),
        ("3 de maio de 2021", "2021-05-03"),
        ("2021/5/3", "2021-05-03"),
        ("page 12 3 May 20211", ""),
    ],
)
def test_written_dates(text: str, date: str) -> None:
    assert parse_written_date(text) == date


@pytest.mark.parametrize("text", ["04/05/2020", "4-5-2020", "4 / 5 / 2020"])
def test_the_day_stands_first_where_the_language_says_so(text: str) -> None:
    assert parse_written_date(text) == ""
    assert parse_written_date(text, "fr") == "2020-05-04"


@pytest.mark.parametrize(
    ("text", "language", "date"),
    [
        ("Stand: 03.11.26", "de", "2026-11-03"),
        ("03/11/26 à 10:30", "fr", "2026-11-03"),
        ("3/11/26", "es", "2026-11-03"),
        ("03-11-98", "nl", "1998-11-03"),
        ("26.03.11", "ja", "2026-03-11"),
        ("26. 3. 11. 오전 10:15", "ko", "2026-03-11"),
        ("2026年3月11日", "", "2026-03-11"),
        ("2026년 3월 11일", "ko", "2026-03-11"),
        ("11/25/26", "en", "2026-11-25"),
        ("25/11/26", "en", "2026-11-25"),
        ("11/03/26", "en", ""),
        ("11.03.26", "", ""),
        ("99/03/11", "fa", ""),
        ("Version 3.11.26", "de", ""),
        ("03.11.26.12", "de", ""),
        ("Tel. 05/11/26/33", "fr", ""),
        ("03.11.77", "de", ""),
        ("13.13.26", "de", ""),
        ("10:30/11/26", "de", ""),
    ],
)
def test_years_of_two_digits(text: str, language: str, date: str) -> None:
    assert parse_written_date(text, language) == date


PROSE = "<p>The council met on 9 June 1999 and spoke of the lighthouse until late at night.</p>"


@pytest.mark.parametrize(
    ("markup", "date"),
    [
        ('<p class="post-date">12 June 2020</p>', "2020-06-12"),
        ("<time>12 juin 2020</time>", "2020-06-12"),
        ('<div id="entryDate"><b>12</b> <i>June</i> 2020</div>', "2020-06-12"),
        ('<p class="update-notes">12 June 2020</p>', ""),
        (f'<div class="date">{PROSE}{PROSE}</div>', ""),
        ('<meta name="date" content="2020-07-01"><p class="date">12 June 2020</p>', "2020-07-01"),
        ('<meta name="date" content="20200701">', "2020-07-01"),
        ('<meta name="date" content="20200701T055000+0900">', "2020-07-01T05:50:00+09:00"),
    ],
)
def test_dates_that_are_shown(markup: str, date: str) -> None:
    page = split_html(
        f"<title>Lighthouse</title><p>News</p>{markup}{PROSE}", url="https://a.example/x"
    )
    assert page.posted_at == date


def test_many_nested_dates_take_no_long() -> None:
    nested = "<div class=date>" * 1500 + "<p>word</p>" * 20_000
    assert split_html(f"<title>Deep</title>{nested}", url="https://a.example/x").posted_at == ""


TITLE = "<h1>The Keeper of the Bay</h1>"


@pytest.mark.parametrize(
    ("markup", "date"),
    [
        (f"{TITLE}<p>12 June 2020</p>", "2020-06-12"),
        (f"<p>12 June 2020</p>{TITLE}", "2020-06-12"),
        (f"{TITLE}<p>By Ann Keeper | June 12, 2020, 10:15 am | News</p>", "2020-06-12"),
        (f"{TITLE}<p>jeudi 12 juin 2020, par Anne</p>", "2020-06-12"),
        (f"{TITLE}<p>The storm of 12 June 2020 broke it.</p>", ""),
        (f"{TITLE}<div><time datetime=2020-06-12>Friday</time></div>", "2020-06-12"),
        (
            f"<aside><time datetime=2019-01-01>x</time></aside>{TITLE}<p>12 June 2020</p>",
            "2020-06-12",
        ),
        (f"{TITLE}{PROSE * 7}<div class='recent posts'><p class=date>1 May 2019</p></div>", ""),
        (f"{TITLE}{PROSE}<p>Last updated: 12 June 2020</p>", "2020-06-12"),
        (f"{TITLE}{PROSE}<dl><dt>Datum</dt><dd>12.06.2020</dd></dl>", "2020-06-12"),
        (f"{TITLE}{PROSE}<p>The next meeting is on 12 June 2020 in the hall</p>", ""),
    ],
)
def test_dates_beside_the_title_and_labelled_ones(markup: str, date: str) -> None:
    page = split_html(
        f"<title>The Keeper of the Bay</title>{markup}{PROSE}", url="https://a.example/x"
    )
    assert page.posted_at == date


def test_a_comment_states_no_date_of_the_page() -> None:
    objects = (
        '[{"@type": "Comment", "dateModified": "2022-01-01"}, {"datePublished": "2020-06-12"}]'
    )
    script = f'<script type="application/ld+json">{objects}</script>'
    assert (
        split_html(f"{script}{TITLE}{PROSE}", url="https://a.example/x").posted_at == "2020-06-12"
    )
