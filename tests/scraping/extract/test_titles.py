"""Page titles and website titles, on pages in the manner of real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.titles import measure_folder, print_counts
from reducepp.scraping.extract.split import split_html
from reducepp.scraping.extract.title_text import host_fit, split_title

TEXT = "<p>" + "The harbour was closed on Monday, and nobody could say for how long. " * 6 + "</p>"


def titles(head: str, body: str = "", url: str = "https://www.baynews.example/a/17") -> list[str]:
    page = split_html(f"<html><head>{head}</head><body>{body}{TEXT}</body></html>", url=url)
    return [page.page_title, page.site_title]


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Ships - The Bay", ["Ships", "The Bay"]),
        ("Le port : une histoire", ["Le port : une histoire"]),
        ("Il dit « non » hier", ["Il dit « non » hier"]),
        ("« A - B » au port | Le Cap", ["« A - B » au port", "Le Cap"]),
        ("Le Cap » Port » Ships", ["Le Cap", "Port", "Ships"]),
        ("الميناء مغلق | أخبار الخليج", ["الميناء مغلق", "أخبار الخليج"]),
        ("The Bay » Blog Archive » Ships", ["The Bay", "Ships"]),
        ("well-known ships", ["well-known ships"]),
        ("港口关闭_海湾新闻", ["港口关闭", "海湾新闻"]),
        ("", []),
    ],
)
def test_parts_of_a_title(title: str, parts: list[str]) -> None:
    assert split_title(title) == parts


@pytest.mark.parametrize(
    ("name", "host", "least", "most"),
    [
        ("The Bay News", "baynews.example", 1.0, 1.0),
        ("Bay News", "thebaynews.example", 1.0, 1.0),
        ("Bäy Nöws", "baeynoews.example", 1.0, 1.0),
        ("North Bay Times", "nbtimes.example", 0.9, 0.9),
        ("Council for the Bay and Harbour", "cbh.example", 0.9, 0.9),
        ("أخبار الخليج", "akhbaralkhaleej.example", 0.9, 0.9),
        ("صحيفة الخليج", "alkhaleej.example", 0.9, 0.9),
        ("Bay News Radio", "baynews.example", 0.8, 0.8),
        ("Ships and weather", "baynews.example", 0.0, 0.0),
        ("WordPress", "harbour.wordpress.com", 0.0, 0.0),
        ("Harbour", "harbour.wordpress.com", 1.0, 1.0),
        ("Blog", "blog.baynews.example", 0.0, 0.0),
        ("YouTube", "www.youtube.com", 1.0, 1.0),
        ("BayNews.org", "science.baynews.org", 1.0, 1.0),
        ("wordpress.com", "harbour.wordpress.com", 0.0, 0.0),
        ("Bay News", "", 0.0, 0.0),
    ],
)
def test_how_a_name_fits_a_host(name: str, host: str, least: float, most: float) -> None:
    assert least <= host_fit(name, host) <= most


@pytest.mark.parametrize(
    ("head", "body", "page", "site"),
    [
        # the usual order, and the other one
        ("<title>Ships - Bay News</title>", "<h1>Ships</h1>", "Ships", "Bay News"),
        ("<title>Bay News - Ships</title>", "<h1>Ships</h1>", "Ships", "Bay News"),
        ("<title>Bay News: Ships are late</title>", "", "Ships are late", "Bay News"),
        # a logo in h1, with and without the title as a lower heading
        (
            "<title>Ships are late | Bay News</title>",
            '<h1><a href="/">Bay News</a></h1><h2>Ships are late</h2>',
            "Ships are late",
            "Bay News",
        ),
        ("<title>Ships | Bay News</title>", "<h1>Bay News</h1>", "Ships", "Bay News"),
        # a section heading that is a part of the title does not make the h1 a logo
        (
            "<title>Ships are late - Harbour - Bay News</title>",
            "<h1>Ships are late</h1><h2>Harbour</h2><h3>Bay News</h3>",
            "Ships are late",
            "Bay News",
        ),
        # links home that say nothing, in three languages
        ("<title>Ships</title>", '<a href="/">FRONT PAGE</a><h1>Ships</h1>', "Ships", ""),
        ("<title>Ships</title>", '<a href="/">Accéder au menu</a>', "Ships", ""),
        ("<title>السفن</title>", '<a href="/">الرئيسية</a><a href="/">English</a>', "السفن", ""),
        # a link home, a feed, a copyright line that the host confirms
        ("<title>Ships</title>", '<a href="/"><img alt="Bay News logo"></a>', "Ships", "Bay News"),
        (
            '<title>Ships</title><link rel="alternate" type="application/rss+xml" '
            'title="Bay News » Feed" href="/f">',
            "<h1>Ships</h1>",
            "Ships",
            "Bay News",
        ),
        # the words of a slogan that spell the host
        (
            "<title>Ships are late - all that happens on the water at Bay News</title>",
            "<h1>Ships are late</h1>",
            "Ships are late",
            "Bay News",
        ),
        # a heading shortened elsewhere does not win over the whole one
        (
            "<title>Ships are late in the bay once more - Bay News</title>",
            "<h1>Bay News</h1><h3>Ships are late in the bay...</h3>"
            "<h2>Ships are late in the bay once more</h2>",
            "Ships are late in the bay once more",
            "Bay News",
        ),
        # a name that holds a separator itself stands whole in the title and as the feed's name
        (
            "<title>Ships are late - Bay News - all of the coast</title>"
            '<link rel="alternate" type="application/rss+xml" href="/f"'
            ' title="Bay News - all of the coast » Feed">',
            "<h1>Ships are late</h1>",
            "Ships are late",
            "Bay News - all of the coast",
        ),
        # but a feed of a section is not the website, nor is what an embedded page is called
        (
            "<title>Ships are late | Harbour | Bay News</title>"
            '<link rel="alternate" type="text/xml" title="Bay News | Harbour" href="/f">',
            "<h1>Ships are late</h1>",
            "Ships are late",
            "Bay News",
        ),
        (
            "<title>Cup final - Ships are late - Bay Online</title>"
            '<link rel="alternate" type="text/xml+oembed" title="Cup final - Ships" href="/o">',
            "",
            "Cup final - Ships are late",
            "Bay Online",
        ),
        # a forum's name in the h1, the topic below it, in a title with a separator of its own
        (
            "<title>Late ships - what now? - Sailors' Table</title>",
            "<h1>Sailors' Table</h1><h2>Late ships - what now?</h2>",
            "Late ships - what now?",
            "Sailors' Table",
        ),
        (
            "<title>Sailors' Table • View topic - Late ships</title>",
            "<h1>Sailors' Table</h1><h3>Late ships</h3>",
            "Late ships",
            "Sailors' Table",
        ),
        # the only h1, a sentence, though <title> alone says it otherwise; a label is none
        (
            "<title>Harbour closed until Monday - Bay News</title>",
            "<h1>Nobody knows when the ships will leave</h1>",
            "Nobody knows when the ships will leave",
            "Bay News",
        ),
        (
            "<title>Harbour closed until Monday - Bay News</title>",
            "<h1>Coast and sea</h1>",
            "Harbour closed until Monday",
            "Bay News",
        ),
        # a <title> that only names the website, and one whose headline has a word of the host
        (
            "<title>Bay News</title>",
            "<h1>Ships wait for Bay News reporters</h1>",
            "Ships wait for Bay News reporters",
            "Bay News",
        ),
        (
            "<title>Ships leave for Baynew - Economy - Bay News</title>",
            "<h1>Ships leave for Baynew</h1>",
            "Ships leave for Baynew",
            "Bay News",
        ),
        # a generic last part after the website's name
        ("<title>Ships are late – Bay News – Blog</title>", "", "Ships are late", "Bay News"),
    ],
)
def test_titles_of_a_page(head: str, body: str, page: str, site: str) -> None:
    assert titles(head, body) == [page, site or "baynews.example"]


def test_a_copyright_line_names_the_site_where_the_host_agrees() -> None:
    page = split_html(
        f"<title>Ships</title><h1>Ships</h1>{TEXT}"
        "<footer><p>© 2021 Bay News, Inc. All rights reserved.</p></footer>",
        url="https://baynews.example/a",
    )
    assert page.site_title == "Bay News"


def test_the_copyright_sign_is_no_part_of_a_name() -> None:
    home = "<a href='https://www.baynews.example/'>© Bay News</a>"
    assert titles("<title>Ships</title>", home) == ["Ships", "Bay News"]


@pytest.mark.parametrize(
    ("title", "body", "page"),
    [
        ("Home | Bay News", "", "Bay News"),
        ("Bay News | All about the sea", "<h1>Bay News</h1>", "Bay News"),
        ("Bay News - All about the sea", "", "Bay News - All about the sea"),
        ("Ships and weather | Bay News", "", "Ships and weather"),
        ("Jobs at sea | Bay News", "<h1>Bay News</h1>", "Jobs at sea"),
        ("Bay News – The sea", "<h1>Bay News – The sea</h1>", "Bay News – The sea"),
        # headings of a home page are those of stories
        (
            "Ships, weather and fish | Bay News",
            "<h1>Storm and fish: <b>all about the weather</b></h1>",
            "Ships, weather and fish",
        ),
    ],
)
def test_titles_of_a_home_page(title: str, body: str, page: str) -> None:
    for url in ("https://baynews.example", "https://www.baynews.example/fr/index.html"):
        assert titles(f"<title>{title}</title>", body, url) == [page, "Bay News"]


def test_stated_names_win_unless_they_are_addresses_or_titles() -> None:
    stated = '<title>Ships</title><meta property="og:site_name" content="{}">'
    assert titles(stated.format("The Bay"))[1] == "The Bay"
    assert titles(stated.format("www.baynews.example"))[1] == "baynews.example"
    named = stated.format("Ships") + '<meta name="application-name" content="The Bay">'
    assert (
        titles(named.replace("<title>Ships", "<title>Ships | X"), "<h1>Ships</h1>")[1] == "The Bay"
    )


@pytest.mark.parametrize(
    ("heading", "page"),
    [
        ("<h1><span>Harbour</span>Ships are late again</h1>", "Ships are late again"),
        ("<h1>Ships are late<br>again</h1>", "Ships are late again"),
        ("<h1>Ships are late</h1><h1>Ships are late again</h1>", "Ships are late again"),
        ("<h1>Ships are late again ¶</h1>", "Ships are late again"),
        ("<h1>Why ships are late again, and again</h1>", "Why ships are late again, and again"),
    ],
)
def test_a_heading_with_more_or_less_than_the_title(heading: str, page: str) -> None:
    assert titles("<title>Ships are late again | Bay News</title>", heading)[0] == page


def test_a_kicker_that_the_title_has_stays() -> None:
    head = (
        '<title>Harbour: Ships are late</title><meta property="og:title" content="Ships are late">'
    )
    assert titles(head, "<h1>Harbour: Ships are late</h1>")[0] == "Harbour: Ships are late"


def test_who_owns_a_site_does_not_name_it() -> None:
    owner = (
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Ships",'
        ' "publisher": {"@type": "Organization", "name": "%s"}}</script>'
    )
    title = "<title>Ships - Bay News</title>"
    assert titles(title + owner % "Coastal Holding")[1] == "Bay News"
    assert titles("<title>Ships</title>" + owner % "Coastal &amp; Sons")[1] == "Coastal & Sons"


def test_the_benchmark_takes_away_what_it_asks_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One page that keeps its names without tags, one that has them nowhere else."""
    head = (
        '<html lang="en"><link rel="canonical" href="https://{0}.example/a">'
        '<meta property="og:site_name" content="{1}"><meta property="og:title" content="{2}">'
        "<title>{2} - {3}</title><h1>{2}</h1>" + TEXT
    )
    (tmp_path / "a.html").write_text(head.format("baynews", "Bay News", "Ships", "Bay News"))
    (tmp_path / "b.html").write_text(head.format("xq", "Coast", "Ships", "All on water"))
    counts = measure_folder(tmp_path)
    ours = [counts[field, "reducepp"] for field in ("site", "near", "page", "language")]
    assert ours == [1, 1, 2, 2]
    assert [counts[field, "known"] for field in ("site", "page", "language")] == [2, 2, 2]
    print_counts(counts)
    assert (
        "website title, no tag states it    reducepp             1 of 2" in capsys.readouterr().out
    )


def test_a_name_is_preferred_to_its_address() -> None:
    url = "https://www.baynews.de/a/17"
    home = "<a href='https://www.baynews.de/'>BayNews</a>"
    assert titles("<title>Ships | BayNews.de</title>", home, url) == ["Ships", "BayNews"]
