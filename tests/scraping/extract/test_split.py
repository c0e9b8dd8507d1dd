"""One page, and many: what comes out, in which order, and what fails with which reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reducepp.errors import SplitError, UsageError
from reducepp.sandbox import CHUNK
from reducepp.scraping.extract.site_title import share_site_titles
from reducepp.scraping.extract.split import split_html, split_page
from reducepp.scraping.extract.split_many import split_many
from reducepp.types import Failure, Page, RawPage, SearchHit

TEXT = (
    "The river rose by two metres in a single night, and the lower town woke up under water. "
    "Volunteers carried sandbags to the school, where forty families had slept on the floor. "
)
PAGE = f"""<!doctype html><html lang="en"><head><title>Flood in the lower town | Valley Post</title>
<meta property="article:published_time" content="2024-03-02T08:00:00Z"></head>
<body><nav><a href="/">Valley Post</a> <a href="/sport">Sport</a></nav>
<article><h1>Flood in the lower town</h1><p>{TEXT}</p><h2>The school</h2>
<p>{TEXT[::1]} <a href="/river?utm_source=x#top">River levels</a></p></article>
<footer><a href="/legal">Legal notice</a></footer></body></html>"""
URL = "https://www.valleypost.example/news/flood"


def raw(html: str = PAGE, rendered: str = "") -> RawPage:
    hit = SearchHit(url=URL, query="flood", rank=3, snippet="s")
    return RawPage(hit=hit, fetched=html.encode(), rendered=rendered)


@pytest.mark.parametrize("url", ["http://[bad/news", "https://[::1", "http://valley]post/"])
def test_a_malformed_address_loses_no_page(url: str) -> None:
    page = split_html(PAGE, url=url)
    assert (page.id, page.url, page.page_title) == (url, url, "Flood in the lower town")


def test_every_content_type_of_a_page() -> None:
    page = split_page(raw())
    assert page.id == page.url == URL
    assert (page.query, page.rank, page.snippet) == ("flood", 3, "s")
    assert page.page_title == "Flood in the lower town"
    assert page.site_title == "Valley Post"
    assert page.subtitles == ("The school",)
    assert page.links == ("https://www.valleypost.example/river",)
    assert page.language == "en"
    assert page.posted_at == "2024-03-02T08:00:00+00:00"
    assert "Legal notice" not in page.body
    assert page.body.count("The river rose") == 2


def test_all_links_come_after_those_of_the_content() -> None:
    links = split_page(raw(), links="all").links
    assert links[0].endswith("/river")
    assert {link.rsplit("/", 1)[-1] for link in links} == {"river", "", "sport", "legal"}


def test_unknown_links_are_refused() -> None:
    with pytest.raises(UsageError, match="content, all"):
        split_page(raw(), links="some")


def test_text_and_bytes_give_the_same_page() -> None:
    text, data = split_html(PAGE, url=URL), split_html(PAGE.encode(), url=URL)
    assert text == data == replace(split_page(raw()), query="", rank=0, snippet="")


def test_given_facts_win() -> None:
    page = split_html(PAGE, url=URL, id="7", query="q", rank=2, language="fr")
    assert (page.id, page.query, page.rank, page.language) == ("7", "q", 2, "fr")


def test_a_rendered_page_gives_titles_and_links_and_its_own_body() -> None:
    shell = "<html><title>Loading</title><body><div id=app></div></body></html>"
    page = split_page(raw(shell, rendered=PAGE))
    assert page.page_title == "Flood in the lower town"
    assert page.body == page.rendered_body != ""
    assert (page.fetched_title, page.fetched_body) == ("Loading", "")
    assert page.rendered_title == "Flood in the lower town"
    both = split_page(raw(PAGE, rendered=PAGE.replace("Volunteers", "Soldiers")))
    assert "Volunteers" in both.body
    assert "Soldiers" in both.rendered_body
    assert both.fetched_body == both.body


@pytest.mark.parametrize(
    ("data", "content_type", "reason"),
    [
        (b"", "", "empty"),
        (b"\x89PNG\r\n", "", "PNG"),
        (b"x", "image/webp", "image/webp"),
        (b"PK\x03\x04 something", "", "zip"),
        (b"<html><body></body></html>", "text/html", "no text"),
        (b"%PDF-1.4 broken", "", "PDF"),
    ],
)
def test_what_is_no_page_says_why(data: bytes, content_type: str, reason: str) -> None:
    page = RawPage(hit=SearchHit(url=URL), fetched=data, content_type=content_type)
    with pytest.raises(SplitError, match=reason):
        split_page(page)


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_keep_their_order_and_fail_alone(jobs: int) -> None:
    items = [{"url": f"{URL}/{n}", "html": PAGE, "id": str(n)} for n in range(4 * CHUNK + 3)]
    items[5]["html"] = ""
    results = list(split_many(items, jobs=jobs))
    assert len(results) == len(items)
    for number, result in enumerate(results):
        if number == 5:
            assert result == Failure(url=f"{URL}/5", stage="split", reason="page is empty")
        else:
            assert isinstance(result, Page)
            assert result.id == str(number)


def test_many_reads_no_further_than_it_must() -> None:
    read = 0

    def endless():  # type: ignore[no-untyped-def]
        nonlocal read
        while True:
            read += 1
            yield {"url": URL, "html": PAGE}

    next(split_many(endless(), jobs=1))
    assert read < 1000


def test_site_titles_are_settled_between_pages_of_a_host() -> None:
    pages = [
        Page(id="1", url="https://a.org/1", site_title="a.org", page_title="One - The Herald"),
        Page(id="2", url="https://a.org/2", site_title="a.org", page_title="Two - The Herald"),
        Page(id="3", url="https://b.org/3", site_title="b.org", page_title="Three - The Herald"),
    ]
    shared = share_site_titles(pages)
    assert [p.site_title for p in shared] == ["The Herald", "The Herald", "b.org"]
    assert [p.page_title for p in shared] == ["One", "Two", "Three - The Herald"]
    assert pages[0].site_title == "a.org"


def test_a_line_keeps_its_domain() -> None:
    line = {"url": "https://a.example/", "html": "<p>Some text here.</p>", "domain": "science"}
    (page,) = split_many([line], jobs=1)
    assert isinstance(page, Page)
    assert page.domain == "science"


@pytest.mark.parametrize("first", ["nav", "header", "main", "article", "section", "amp-img"])
def test_pages_that_leave_out_where_the_head_ends(first: str) -> None:
    prose = "<p>The keeper counted every ship that passed, and he wrote them all down. " * 5
    html = (
        f"<!doctype html><meta charset=utf-8><title>Ships</title><{first}>{prose}"
        f"<a href=/more>More</a></{first}><p>Text after it.</p>"
    )
    page = split_html(html, url="https://a.example/x")
    assert page.page_title == "Ships"
    assert page.body.count("counted every ship") == 5
    assert "Text after it." in page.visible
    assert split_html(html, url="https://a.example/x", links="all").links


@pytest.mark.parametrize(
    ("base", "href", "link"),
    [
        ("/other/", "x", "https://a.example/other/x"),
        ("https://b.example/q/", "../x", "https://b.example/x"),
        ("javascript:void(0)//", "x", "https://a.example/d/x"),
        ("", "   ", ""),
        ("", " JavaScript:alert(1)", ""),
        ("", "MAILTO:a@b.example", ""),
        ("", "y?b=1&amp;UTM_source=z#part", "https://a.example/d/y?b=1"),
    ],
)
def test_links_by_base_and_scheme(base: str, href: str, link: str) -> None:
    prose = "<p>The keeper counted every ship that passed, and he wrote them all down. " * 5
    html = f"<base href='{base}'><article>{prose}<a href='{href}'>More</a></article>"
    found = split_html(html, url="https://a.example/d/page").links
    assert found == ((link,) if link else ())


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<a href=/a>Home</a><a href=/b>Hives</a><a href=/c>Clothing</a>", "Home Hives Clothing"),
        ("<span>Beehive</span><span>$40</span><span>Add to cart</span>", "Beehive $40 Add to cart"),
        (
            "<a href=/a>شروط الاستخدام</a><a href=/b>بيان الخصوصية</a>",
            "شروط الاستخدام بيان الخصوصية",
        ),
        ("<span>Price</span><span>19.99 €</span><span>Sale</span>", "Price 19.99 € Sale"),
        ("<span>الأخبار</span><span>الرياضة</span>", "الأخبار الرياضة"),
        ("<span>ال</span>كتاب", "الكتاب"),
        ("<span>T</span>he <span>i</span><span>Phone</span>", "The iPhone"),
        ("un<span>believ</span>able <b>H</b>arbour", "unbelievable Harbour"),
        ("note<a href=#1>s</a> and (<a href=/x>more</a>)", "notes and (more)"),
        ("<strong>Ann Berg</strong><small>Keeper</small>", "Ann Berg Keeper"),
        ("<cite>Bay Images</cite>Ships at the quay", "Bay Images Ships at the quay"),
        ("<b>What now?</b>Nobody knows", "What now? Nobody knows"),
        ("<b>W</b>ithout a <b>quay</b>.", "Without a quay."),
        ("<span>home</span><span>hives</span><span>clothing</span>", "home hives clothing"),
        ("<span>$12.50</span><span>$9.99</span> a jar", "$12.50 $9.99 a jar"),
        ("<del>12,50 €</del><ins>9,99 €</ins> Honig", "12,50 € 9,99 € Honig"),
        ("<span>40 EUR</span><span>In den Korb</span>", "40 EUR In den Korb"),
        ("<time>1 May 2020</time><time>2 May 2020</time> by Ann", "1 May 2020 2 May 2020 by Ann"),
        ("<span>3</span><span>items</span>", "3 items"),
        ("<span>1</span><span>st</span> of <span>1</span><span>234</span>", "1st of 1234"),
        ("<a href=/g><span>a.example/hi</span><span>ves</span></a> here", "a.example/hives here"),
        ("<i class=icon></i>Home<i class=icon></i>Hives", "Home Hives"),
        ("Take<select><option>two</option></select>hives", "Take hives"),
    ],
)
def test_inline_texts_are_separated_as_a_browser_shows_them(markup: str, text: str) -> None:
    page = split_html(f"<title>Shop</title><body><main><div>{markup}</div></main>")
    assert page.body == text


def test_a_division_in_a_heading_is_the_heading() -> None:
    text = "<p>The harbour was closed on Monday, and nobody could say for how long.</p>" * 5
    page = split_html(
        "<title>Ships | Bay</title><div><h1><div>Ships</div></h1><ul><li><a href='/t'>Tags</a></ul>"
        "<div><p>What the keeper saw from the tower on that day.</p></div></div>"
        f"<div class=article-body>{text}<h2><div>In the harbour</div></h2>{text}</div>",
        url="https://bay.example/a",
    )
    assert page.subtitles == ("In the harbour",)
    assert page.body.startswith("What the keeper saw")


def test_the_trail_that_ends_in_the_title_is_no_text() -> None:
    text = "<p>The harbour was closed on Monday, and nobody could say for how long.</p>" * 5
    title = "Ships are late in all the harbours of the northern bay, the keepers say"
    trail = f"<p><a href='/'>Home</a> > <a href='/n'>News</a> > {title}</p>"
    page = split_html(f"<title>{title}</title><div>{trail}<h1>{title}</h1>{text}</div>")
    assert page.body.startswith("The harbour")
