"""What holds for every engine, and how saved bytes become text."""

import gzip
from dataclasses import replace
from html import escape
from urllib.parse import parse_qs, urlsplit

import pytest

from reducepp.errors import ParseError, UsageError
from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search import ENGINES, Engine
from reducepp.scraping.search.result_tree import text_of
from reducepp.scraping.search.saved_pages import decode_page
from tests.scraping.extract.saved import part, saved

HTML = [engine for engine in ENGINES.values() if not engine.is_api]
KEY = "key:cx"
BASE = "https://instance.example/base/"


def ids(engine: Engine) -> str:
    return engine.name


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ids)
def test_the_query_is_in_the_address_and_pages_differ(engine: Engine) -> None:
    query = "tide & table ö?"
    engine = replace(engine, key=KEY, base=engine.base or BASE)
    urls = [engine.request_url(query, page=page, language="fr") for page in (1, 2, 3)]
    assert len(set(urls)) == 3
    for url in urls:
        values = [value for pair in parse_qs(urlsplit(url).query).values() for value in pair]
        assert query in values
        assert url.isascii()
        assert " " not in url


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ids)
def test_a_base_replaces_the_service(engine: Engine) -> None:
    url = replace(engine, key=KEY, base="http://127.0.0.1:8000/").request_url("tide")
    assert url.startswith("http://127.0.0.1:8000/")
    assert "//" not in urlsplit(url).path


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ids)
def test_pages_count_from_one(engine: Engine) -> None:
    with pytest.raises(UsageError, match="count from 1"):
        replace(engine, key=KEY, base=BASE).request_url("tide", page=0)


@pytest.mark.parametrize("engine", [e for e in ENGINES.values() if e.key_variable], ids=ids)
def test_a_missing_key_names_its_variable(engine: Engine) -> None:
    with pytest.raises(UsageError, match=engine.key_variable):
        engine.request_url("tide")


def test_how_keys_travel() -> None:
    assert "api_key=secret" in replace(ENGINES["serpapi"], key="secret").request_url("tide")
    assert "key=a&cx=b" in replace(ENGINES["google-api"], key="a:b").request_url("tide")
    brave = replace(ENGINES["brave-api"], key="secret")
    assert brave.request_headers()["X-Subscription-Token"] == "secret"
    assert "secret" not in brave.request_url("tide")
    assert "secret" not in repr(brave)
    with pytest.raises(UsageError, match="KEY:CX"):
        replace(ENGINES["google-api"], key="half").request_url("tide")


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
    monkeypatch.setattr("reducepp.scraping.search.engine.MAX_PAGE_CHARS", 10)
    with pytest.raises(ParseError, match="at most 10"):
        ENGINES["bing"].parse("x" * 11)


def test_ranks_go_on_from_page_to_page() -> None:
    page = '<li class="b_algo"><h2><a href="https://a.example/">A</a></h2></li>'
    assert ENGINES["bing"].parse(page, page=3).hits[0].rank == 21


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
            b'<meta charset="utf-8">' + "é".encode() * 30 + b"\xff",
            '<meta charset="utf-8">' + "é" * 30 + "\ufffd",
        ),
        (b'<meta charset="no-such">\xff', '<meta charset="no-such">ÿ'),
        (b'<meta charset="gb2312">' + "潮汐镕".encode("gb18030"), '<meta charset="gb2312">潮汐镕'),
    ],
)
def test_saved_bytes_become_text(data: bytes, text: str) -> None:
    assert decode_page(data) == text


LINE, NEXT = '<p class="é">Tides &amp; <b>moons</b>', "</p>"
LINED = '<tr><td class="line-number" value="1"></td><td class="line-content">{}</td></tr>'


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(f"{LINE}\n{NEXT}".encode()),
        saved(part(f"{LINE}\r\n{NEXT}"), part("<p>A frame", location="https://ads.example/")),
        gzip.compress(saved(part(f"{LINE}\r\n{NEXT}"))),
        "".join(("<table>", LINED.format(escape(LINE)), LINED.format(escape(NEXT)))).encode(),
        f'<body id="viewsource"><pre id="line1"><i>{escape(LINE)}</i>\n{escape(NEXT)}'.encode(),
    ],
    ids=["gzip", "mhtml", "packed mhtml", "source in Chromium", "source in Firefox"],
)
def test_wrapped_pages_are_unwrapped(data: bytes) -> None:
    assert decode_page(data).replace("\r", "") == f"{LINE}\n{NEXT}"


@pytest.mark.parametrize(
    "data", [b"\x1f\x8bno", saved(), b"<body id=viewsource>", b"<td" * 20_000, b""]
)
def test_what_wraps_nothing_stays(data: bytes) -> None:
    assert decode_page(data) == data.decode("windows-1252")


def test_text_sets_blocks_apart_and_inline_marks_not() -> None:
    body = parse_for_css("<div>a<b>b</b></div>c<br>d<script>x</script><p> e </p>").body
    assert text_of(body) == "ab c d e"
    assert text_of(None) == ""
