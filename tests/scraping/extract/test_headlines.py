"""Page titles are the headlines that readers see."""

from __future__ import annotations

import pytest

from reducepp.scraping.extract.split import split_html
from tests.scraping.extract.test_titles import titles


def test_the_only_headline_among_labels_and_repeats_is_the_title() -> None:
    headline = "Keeper counts more ships in one winter than in the ten years before"
    h1 = "".join(f"<h1>{text}</h1>" for text in ("World", "World", headline, headline))
    text = "<p>The keeper counted every ship that passed in January, and wrote them all down.</p>"
    html = f"<html><title>Winter at the lighthouse</title><body>{h1}{text * 5}"
    assert split_html(html, url="https://bay.example/world/winter").page_title == headline


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        (  # a title for search engines beside the headline that readers see
            "<title>Harbour test 2018 | Bay News</title>"
            "<meta property=og:title content='Harbour test'>",
            "<h1>18 quays inspected: four of them fail</h1>",
            "18 quays inspected: four of them fail",
        ),
        (  # the declared title is displayed too, in a lower heading
            "<title>Ear Candy! | Bay News</title>",
            "<h1>Ear Candy alert</h1><h2>Ear Candy!</h2>",
            "Ear Candy!",
        ),
        (  # the h1 is a whole part of the declared title; what follows it is a lower heading
            "<title>Why quays fail? - From stone to concrete and back</title>",
            "<h1>Why quays fail?</h1><h1>My talk</h1><h2>From stone to concrete and back</h2>",
            "Why quays fail?",
        ),
        (  # words without spaces between them
            "<title>港口将在春天重新开放，渔民表示欢迎_社会</title>",
            "<h1>海湾日报</h1><h2>港口将在春天重新开放，渔民表示欢迎</h2>",
            "港口将在春天重新开放，渔民表示欢迎",
        ),
        (
            "<title>The quay is shut for a week: Bay News</title>",
            "<h2>Weather</h2>",
            "The quay is shut for a week",
        ),
        (
            "<title>News - Der Kai bleibt zu - Bay News</title>",
            "<h2>Wetter</h2>",
            "Der Kai bleibt zu",
        ),
        (
            "<title>Ships of E-Bay</title><meta property=og:site_name content=Bay>",
            "",
            "Ships of E-Bay",
        ),
        (  # a kicker in an element of its own, and more words that are part of the headline
            "<title>Why the quay is shut - Bay News</title>",
            "<h1><span>On the coast</span> Why the old quay is shut</h1>",
            "Why the old quay is shut",
        ),
        (
            "<title>Quay is shut for a week - Bay News</title>",
            "<h1>Northern quay is shut for a week</h1>",
            "Northern quay is shut for a week",
        ),
        (  # the website's name inside <title>, with a slogan behind it
            "<title>Log in - Bay News - boats, fish and weather</title>"
            "<meta property=og:site_name content='Bay News'>",
            "",
            "Log in",
        ),
        (  # tags that only name the website
            "<title>Log in - Bay News</title><meta property=og:title content='Bay News'>",
            "",
            "Log in",
        ),
        ("<title>Bay News</title>", "<h1>Contact us</h1>", "Contact us"),
        (  # a part of <title> is displayed as a lower heading
            "<title>How to count ships | Numbers | Bay News</title>",
            "<h1>Hello, I am Ann.</h1><h2>How to count ships</h2>",
            "How to count ships",
        ),
        (  # escaped twice; soft hyphens, which German pages set
            "<title>Ships</title><meta property=og:title content='Ships &amp;amp; b&amp;ouml;gen'>",
            "",
            "Ships & bögen",
        ),
        (
            "<title>Hafen&shy;verwaltung schlie&szlig;t - Bay News</title>",
            "<h1>Hafen&shy;ver&shy;waltung\u200b schließt</h1>",
            "Hafenverwaltung schließt",
        ),
    ],
)
def test_the_headline_is_the_page_title(head: str, body: str, title: str) -> None:
    assert titles(head, body)[0] == title


@pytest.mark.parametrize(
    ("title", "body", "page"),
    [
        (  # no tag states the title; one of several headings is the slug's
            "Bay News",
            "<h1>Why the old quay is shut</h1><h1>Write to us</h1><h2>More to read</h2>",
            "Why the old quay is shut",
        ),
        (
            "Bay News",
            "<h2>More to read</h2><h2>Why the öld quay is shut</h2>",
            "Why the öld quay is shut",
        ),
        # the part of <title> that the slug begins with
        ("Group in the council - Why the old quay is shut", "", "Why the old quay is shut"),
        # an h1 of the website that shares a word with <title>, but none with the slug
        (
            "Why the old quay is shut | Boats and weather",
            "<h1>Weather . Sailing . Boats</h1><h2>Why the old quay was shut</h2>",
            "Why the old quay was shut",
        ),
    ],
)
def test_the_slug_is_made_of_the_title(title: str, body: str, page: str) -> None:
    url = "https://www.baynews.example/2021/why-the-old-quay-is-shut.html"
    assert titles(f"<title>{title}</title>", body, url)[0] == page


@pytest.mark.parametrize(
    ("title", "body", "page"),
    [
        # the title without its section and author, in an element that is no heading
        ("Why ships sink - All ships - Bay News", "<div>Why ships sink</div>", "Why ships sink"),
        ("Why ships sink, by A. Mate", "<div>Why ships sink</div>", "Why ships sink"),
        ("All ships - Why ships sink - Bay News", "<div>Why ships sink</div>", "Why ships sink"),
        # a label is not what readers see of the title, nor is a link
        ("Why: a long report on ships that sink", "<div>Why</div>", ""),
        ("Why ships sink: a report", "<a href='/t'>Why ships sink</a>", ""),
        # a folder of the address is a section
        ("Why ships sink - Boats & Ports - Bay News", "", "Why ships sink"),
        ("Boats & ports | Why ships sink | Bay News", "", "Why ships sink"),
    ],
)
def test_the_part_of_a_title_that_readers_see(title: str, body: str, page: str) -> None:
    url = "https://www.baynews.example/boats-ports/17"
    assert titles(f"<title>{title}</title>", body, url)[0] == (page or title)


def test_the_heading_of_the_comments_is_not_the_title() -> None:
    head, url = "Why the old quay is shut | Bay News", "https://baynews.example/why-old-quay-shut"
    comments = "<h2>5 thoughts on “Why the old quay is shut”</h2>"
    assert titles(f"<title>{head}</title>", comments, url)[0] == "Why the old quay is shut"
