"""What holds for every engine, and what is told from an address alone."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from reducepp.errors import InputError, ParseError, UsageError
from scraping.engines import (
    ENGINES,
    Engine,
    bing,
    brave,
    duckduckgo,
    engine_from_file,
    google,
    qwant,
    recognise,
    swisscows,
    yahoo,
    yandex,
)
from scraping.engines.decode import decode_page
from scraping.engines.tree import parse_html, text_of

HTML = [engine for engine in ENGINES.values() if not engine.is_api]
KEY = "key:cx"
BASE = "https://instance.example/base/"
MAPPED = """
name = "intranet"
url = "https://search.example/api?q={query}&from={offset}&size={count}&lang={language}"
results_per_page = 20
key_variable = "INTRANET_KEY"
headers = { Authorization = "Bearer {key}" }
[paths]
results = "data.items"
url = "link"
title = "name"
snippet = "about.text"
error = "error.message"
"""


def ids(engine: Engine) -> str:
    return engine.name


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ids)
def test_the_query_is_in_the_address_and_pages_differ(engine: Engine) -> None:
    query = "tide & table ö?"
    urls = [
        engine.request_url(query, page=page, language="fr", key=KEY, base=engine.base or BASE)
        for page in (1, 2, 3)
    ]
    assert len(set(urls)) == 3
    for url in urls:
        values = [value for pair in parse_qs(urlsplit(url).query).values() for value in pair]
        assert query in values
        assert url.isascii()
        assert " " not in url


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ids)
def test_a_base_replaces_the_service(engine: Engine) -> None:
    url = engine.request_url("tide", key=KEY, base="http://127.0.0.1:8000/")
    assert url.startswith("http://127.0.0.1:8000/")
    assert "//" not in urlsplit(url).path


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ids)
def test_pages_count_from_one(engine: Engine) -> None:
    with pytest.raises(UsageError, match="count from 1"):
        engine.request_url("tide", page=0, key=KEY, base=BASE)


@pytest.mark.parametrize("engine", [e for e in ENGINES.values() if e.needs_key], ids=ids)
def test_a_missing_key_names_its_variable(engine: Engine) -> None:
    with pytest.raises(UsageError, match=engine.key_variable):
        engine.request_url("tide")


def test_how_keys_travel() -> None:
    assert "api_key=secret" in ENGINES["serpapi"].request_url("tide", key="secret")
    assert "key=a&cx=b" in ENGINES["google-api"].request_url("tide", key="a:b")
    assert ENGINES["brave-api"].request_headers("secret")["X-Subscription-Token"] == "secret"
    assert "secret" not in ENGINES["brave-api"].request_url("tide", key="secret")
    with pytest.raises(UsageError, match="KEY:CX"):
        ENGINES["google-api"].request_url("tide", key="half")


def test_an_instance_must_be_named() -> None:
    with pytest.raises(UsageError, match="instance"):
        ENGINES["searxng"].request_url("tide")


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ids)
@pytest.mark.parametrize(
    "text", ["", " ", "{}", "[]", "null", "<html></html>", "<p>A page about the sea.</p>", "\x00"]
)
def test_a_strange_answer_is_not_called_empty(engine: Engine, text: str) -> None:
    with pytest.raises(ParseError, match="nothing recognised"):
        engine.parse(text)


@pytest.mark.parametrize("engine", HTML, ids=ids)
def test_hostile_pages_end(engine: Engine) -> None:
    for text in ("<div class=g>" * 50_000, "<a href='//['><h3>x</h3></a>" * 2_000):
        with pytest.raises(ParseError, match="nothing recognised"):
            engine.parse(text)


def test_what_stands_in_a_script_does_not_nest() -> None:
    page = '<li class="b_algo"><h2><a href="https://a.example/">A</a></h2></li>'
    script = "<SCRIPT>" + "if (a<b) {}" * 30_000 + "</Script>"
    assert len(ENGINES["bing"].parse(script + page).hits) == 1


def test_an_answer_beyond_all_measure_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scraping.engines.engine.MAX_CHARACTERS", 10)
    with pytest.raises(ParseError, match="at most 10"):
        ENGINES["bing"].parse("x" * 11)


def test_ranks_go_on_from_page_to_page() -> None:
    page = '<li class="b_algo"><h2><a href="https://a.example/">A</a></h2></li>'
    assert ENGINES["bing"].parse(page, page=3).hits[0].rank == 21


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
    assert google.unwrap(href) == target


@pytest.mark.parametrize(
    ("href", "target"),
    [
        (
            "https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvPw&ntb=1",
            "https://a.example/?",
        ),
        ("/ck/a?!&&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvPw", "https://a.example/?"),
        ("https://www.bing.com/aclick?ld=1", ""),
        ("https://www.bing.com/search?q=x", ""),
        ("https://www.bing.com/news", "https://www.bing.com/news"),
        ("https://climbing.com/search/walls?", "https://climbing.com/search/walls?"),
        ("/ck/a?!&&u=a1aHR0cHM6Ly93d3cuYmluZy5jb20vYWNsaWNrP2xkPTE&ntb=1", ""),
        ("/ck/a?!&&u=a1L3ZpZGVvcy9yaXZlcnZpZXcveA==&ntb=1", ""),
        ("/ck/a?x=1&u=aHR0cHM6Ly9hLmV4YW1wbGUv%3d%3d&ntb=1", "https://a.example/"),
        ("/ck/a?!&&u=a1&ntb=1", "https://www.bing.com/ck/a?!&&u=a1&ntb=1"),
    ],
)
def test_bing_links(href: str, target: str) -> None:
    assert bing.unwrap(href) == target


def test_other_wrapped_links() -> None:
    assert (
        duckduckgo.unwrap("//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F")
        == "https://a.example/"
    )
    assert duckduckgo.unwrap("https://duckduckgo.com/y.js?ad_provider=1") == ""
    assert duckduckgo.unwrap("/html/?q=x") == ""
    assert duckduckgo.unwrap("https://duckduckgo.com/about") == "https://duckduckgo.com/about"
    wrapped = "https://r.search.yahoo.com/_ylt=A;_ylu=Y/RV=2/RE=1/RO=10/RU=https%3a%2f%2fa.example%2f/RK=2/RS=x"
    assert yahoo.unwrap(wrapped) == "https://a.example/"
    japan = "https://ard.yahoo.co.jp/SIG=1/*-https%3A//a.example/b"
    assert yahoo.unwrap(japan) == "https://a.example/b"
    assert duckduckgo.unwrap("https://duckduckgo.com/") == "https://duckduckgo.com/"
    assert duckduckgo.unwrap("https://duckduckgo.com/?q=more") == ""
    assert duckduckgo.unwrap("/l/?uddg=https%3A%2F%2Fwww.bing.com%2Faclick%3Fld%3D1") == ""
    assert yandex.unwrap("/redir?url=https%3A%2F%2Fa.example%2F&text=1") == "https://a.example/"
    assert yandex.unwrap("https://yabs.yandex.ru/count/1") == ""
    assert yandex.unwrap("https://music.yandex.ru/chart") == "https://music.yandex.ru/chart"
    assert (
        qwant.unwrap("/redirect/x==/https%3A%2F%2Fa.example%2Fb?position=1")
        == "https://a.example/b"
    )


def test_an_engine_can_find_itself() -> None:
    assert brave.unwrap("https://search.brave.com/") == "https://search.brave.com/"
    assert brave.unwrap("/search?q=more") == ""
    assert swisscows.unwrap("https://swisscows.com/en") == "https://swisscows.com/en"
    assert swisscows.unwrap("/en/images?query=tide") == ""
    assert qwant.unwrap("https://www.qwant.com/") == "https://www.qwant.com/"
    assert qwant.unwrap("/?q=tide&t=images") == ""
    assert yahoo.unwrap("https://search.yahoo.com/") == "https://search.yahoo.com/"
    assert yahoo.unwrap("https://images.search.yahoo.com/search/images?p=tide") == ""
    search = "https://www.bing.com/images/search?q=tide"
    assert (bing.unwrap(search), bing.unwrap_result(search)) == ("", search)
    assert bing.unwrap_result("/images/search?q=tide") == ""


def test_an_engine_is_recognised_by_its_address_first() -> None:
    assert recognise("<html></html>", "https://www.google.co.uk/search?q=x") == "google"
    assert recognise("<html></html>", "https://yandex.com.tr/search/?text=x") == "yandex"
    saved = "<!DOCTYPE html>\n<!-- saved from url=(0034)https://www.bing.com/search?q=x -->"
    assert recognise(saved) == "bing"
    assert recognise("<p>nothing</p>") == ""
    assert recognise("<p>x</p>", "https://notgoogle.example/") == ""


def test_a_service_described_in_toml(tmp_path: Path) -> None:
    path = tmp_path / "intranet.toml"
    path.write_text(MAPPED, "utf-8")
    engine = engine_from_file(path)
    url = engine.request_url("tide & table", page=2, language="fr", key="k")
    assert url == "https://search.example/api?q=tide%20%26%20table&from=20&size=20&lang=fr"
    assert engine.request_headers("k") == {"Authorization": "Bearer k"}
    answer = (
        '{"data": {"items": [{"link": "https://a.example/", "name": "A <b>b</b>", '
        '"about": {"text": "c"}}, {"link": "mailto:x"}]}}'
    )
    page = engine.parse(answer, page=2)
    assert [(h.rank, h.url, h.title, h.snippet) for h in page.hits] == [
        (21, "https://a.example/", "A b", "c")
    ]
    assert engine.parse('{"data": {"items": []}}').outcome == "empty"
    refused = engine.parse('{"error": {"message": "no credit"}}')
    assert (refused.outcome, refused.reason) == ("blocked", "block (no credit)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 'x'", "needs name, url"),
        ("name='x'\nurl='https://a.example?q={query}'\n[paths]\nurl='u'", "needs results"),
        ("name='x'\nurl='https://a.example'\n[paths]\nresults='r'", "no {query}"),
        ("name='x'\nurl='{query}'\ncolour=1\n[paths]\nresults='r'", "unknown"),
        ("name = ", "not a readable TOML"),
    ],
)
def test_a_wrong_description_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        engine_from_file(path)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("\ufefföä".encode(), "öä"),
        ("ö".encode("utf-16"), "ö"),
        (
            '<meta charset="windows-1251">Прилив'.encode("windows-1251"),
            '<meta charset="windows-1251">Прилив',
        ),
        (b"<p>caf\xe9</p>", "<p>café</p>"),
        (
            b'<meta charset="utf-8">' + b"x" * 1000 + b"\xff",
            '<meta charset="utf-8">' + "x" * 1000 + "\ufffd",
        ),
        (b'<meta charset="no-such">\xff', '<meta charset="no-such">ÿ'),
        (
            b'<meta charset="gb2312">' + "潮汐镕".encode("gb18030"),
            '<meta charset="gb2312">潮汐镕',
        ),
    ],
)
def test_saved_bytes_become_text(data: bytes, text: str) -> None:
    assert decode_page(data) == text


def test_a_page_from_an_archive_has_its_own_addresses() -> None:
    link = "https://web.archive.org/web/20190412101112/https://a.example/"
    wrapped = f'<li class="b_algo"><h2><a href="{link}">A</a></h2></li>'
    toolbar = "<!-- BEGIN WAYBACK TOOLBAR INSERT -->"
    assert [hit.url for hit in bing.ENGINE.parse(wrapped).hits] == [link]
    assert [hit.url for hit in bing.ENGINE.parse(toolbar + wrapped).hits] == ["https://a.example/"]
    ad = '<li class="b_algo"><h2><a href="/web/2019im_/https://www.bing.com/aclick?ld=1">B</a></h2>'
    assert len(bing.ENGINE.parse(toolbar + ad + wrapped).hits) == 1


def test_text_sets_blocks_apart_and_inline_marks_not() -> None:
    body = parse_html("<div>a<b>b</b></div>c<br>d<script>x</script><p> e </p>").body
    assert text_of(body) == "ab c d e"
    assert text_of(None) == ""
