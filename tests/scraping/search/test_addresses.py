"""Where a result leads: redirects, ads and an engine's own pages, told from the address alone."""

import pytest

from reducepp.scraping.search import ENGINES, detect_engine


def unwrap(engine: str, href: str) -> str:
    parser = ENGINES[engine].parse_text
    return parser.unwrap(href)


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("/url?q=https://a.example/%3Fb%3D1&sa=U", "https://a.example/?b=1"),
        ("https://www.google.de/url?sa=t&q=&url=https%3A%2F%2Fa.example", "https://a.example"),
        ("https://www.google.com/amp/s/a.example/x", "https://a.example/x"),
        ("https://a.example/search?q=1", "https://a.example/search?q=1"),
        (
            "https://support.google.com/websearch/answer/1",
            "https://support.google.com/websearch/answer/1",
        ),
        ("https://www.google.com/photos/about/", "https://www.google.com/photos/about/"),
        ("https://accounts.google.com/signin", "https://accounts.google.com/signin"),
        ("https://www.google.com/search/about/", "https://www.google.com/search/about/"),
        ("/amp/a.example/x/amp", "http://a.example/x/amp"),
        ("https://a-example.cdn.ampproject.org/v/s/a.example/x?usqp=1", "https://a.example/x"),
        ("https://translate.google.com/translate?u=https://a.example/&tl=en", "https://a.example/"),
        ("https://b--c-example.translate.goog/x?y=1&_x_tr_sl=fr", "https://b-c.example/x?y=1"),
        ("/goto?url=CAES", "https://www.google.com/goto?url=CAES"),
        ("https://x.com/a?ref_src=twsrc%5Egoogle%7Ctwcamp%5Eserp", ""),
        ("/travel/hotels?q=sea", ""),
        ("", ""),
        ("#", ""),
        ("/search?q=more", ""),
        ("https://www.google.co.uk/search?q=more", ""),
        ("/url?q=/search%3Fq%3Dmore", ""),
        ("https://www.googleadservices.com/pagead/aclk?sa=L", ""),
        ("https://webcache.google.com/x", ""),
        ("javascript:void(0)", ""),
        ("http://[broken", ""),
    ],
)
def test_google_links(href: str, target: str) -> None:
    assert unwrap("google", href) == target


@pytest.mark.parametrize(
    ("href", "target"),
    [
        (
            "https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvPw&ntb=1",
            "https://a.example/?",
        ),
        ("/ck/a?!&&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvPw", "https://a.example/?"),
        ("https://www.bing.com/aclick?ld=1", ""),
        ("/search?q=x", ""),
        ("https://www.bing.com/news", "https://www.bing.com/news"),
        ("https://climbing.com/search/walls?", "https://climbing.com/search/walls?"),
        ("/ck/a?!&&u=a1aHR0cHM6Ly93d3cuYmluZy5jb20vYWNsaWNrP2xkPTE&ntb=1", ""),
        ("/ck/a?!&&u=a1L3ZpZGVvcy9yaXZlcnZpZXcveA==&ntb=1", ""),
        ("/ck/a?x=1&u=aHR0cHM6Ly9hLmV4YW1wbGUv%3d%3d&ntb=1", "https://a.example/"),
        ("/ck/a?!&&u=a1&ntb=1", "https://www.bing.com/ck/a?!&&u=a1&ntb=1"),
    ],
)
def test_bing_links(href: str, target: str) -> None:
    assert unwrap("bing", href) == target


@pytest.mark.parametrize(
    ("engine", "href", "target"),
    [
        ("duckduckgo", "//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("duckduckgo", "https://duckduckgo.com/y.js?ad_provider=1", ""),
        ("duckduckgo", "/html/?q=x", ""),
        ("duckduckgo", "https://duckduckgo.com/about", "https://duckduckgo.com/about"),
        (
            "yahoo",
            "https://r.search.yahoo.com/_ylt=A;_ylu=Y/RV=2/RE=1/RO=10/"
            "RU=https%3a%2f%2fa.example%2f/RK=2/RS=x",
            "https://a.example/",
        ),
        ("yahoo", "https://ard.yahoo.co.jp/SIG=1/*-https%3A//a.example/b", "https://a.example/b"),
        ("duckduckgo", "https://duckduckgo.com/", "https://duckduckgo.com/"),
        ("duckduckgo", "https://duckduckgo.com/?q=more", ""),
        ("duckduckgo", "/l/?uddg=https%3A%2F%2Fwww.bing.com%2Faclick%3Fld%3D1", ""),
        ("yandex", "/redir?url=https%3A%2F%2Fa.example%2F&text=1", "https://a.example/"),
        ("yandex", "https://yabs.yandex.ru/count/1", ""),
        ("yandex", "https://music.yandex.ru/chart", "https://music.yandex.ru/chart"),
        ("qwant", "/redirect/x==/https%3A%2F%2Fa.example%2Fb?position=1", "https://a.example/b"),
        # an engine can find itself
        ("brave", "https://search.brave.com/", "https://search.brave.com/"),
        ("brave", "/search?q=more", ""),
        ("swisscows", "https://swisscows.com/en", "https://swisscows.com/en"),
        ("swisscows", "/en/images?query=tide", ""),
        ("qwant", "https://www.qwant.com/", "https://www.qwant.com/"),
        ("qwant", "/?q=tide&t=images", ""),
        ("yahoo", "https://search.yahoo.com/", "https://search.yahoo.com/"),
        ("yahoo", "https://images.search.yahoo.com/search/images?p=tide", ""),
        ("ecosia", "https://www.bing.com/images/search?q=tide", ""),
        (
            "bing",
            "https://www.bing.com/images/search?q=tide",
            "https://www.bing.com/images/search?q=tide",
        ),
        ("bing", "/images/search?q=tide", ""),
    ],
)
def test_links_of_other_engines(engine: str, href: str, target: str) -> None:
    assert unwrap(engine, href) == target


def test_an_engine_is_recognised_by_its_address_first() -> None:
    assert detect_engine("<html></html>", "https://www.google.co.uk/search?q=x") == "google"
    assert detect_engine("<html></html>", "https://yandex.com.tr/search/?text=x") == "yandex"
    saved = "<!DOCTYPE html>\n<!-- saved from url=(0034)https://www.bing.com/search?q=x -->"
    assert detect_engine(saved) == "bing"
    assert detect_engine("<p>nothing</p>") == ""
    assert detect_engine("<p>x</p>", "https://notgoogle.example/") == ""


def test_a_page_from_an_archive_has_its_own_addresses() -> None:
    link = "https://web.archive.org/web/20190412101112/https://a.example/"
    wrapped = f'<li class="b_algo"><h2><a href="{link}">A</a></h2></li>'
    toolbar = "<!-- BEGIN WAYBACK TOOLBAR INSERT -->"
    assert [hit.url for hit in ENGINES["bing"].parse(wrapped).hits] == [link]
    assert [hit.url for hit in ENGINES["bing"].parse(toolbar + wrapped).hits] == [
        "https://a.example/"
    ]
    ad = '<li class="b_algo"><h2><a href="/web/2019im_/https://www.bing.com/aclick?ld=1">B</a></h2>'
    assert len(ENGINES["bing"].parse(toolbar + ad + wrapped).hits) == 1
