"""Pages in clothes that no layout knows, and pages that are no result pages at all."""

import json

import pytest
from selectolax.lexbor import LexborNode

from reducepp.errors import ParseError
from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search import ENGINES, Engine, result_tree
from reducepp.scraping.search.html_results import HtmlParser, read_headings
from reducepp.scraping.search.result_links import is_within

HTML = [engine for engine in ENGINES.values() if not engine.is_api]
LAYOUTS = [engine for engine in HTML if engine.name != "google"]
"""Google's pages are read by structure in the first place."""


def heading(number: int, words: str = "High and low water.") -> str:
    return (
        f"<section><b>site{number}</b><h3><a href='https://site{number}.example/'>Tide {number}</a>"
        f"</h3><div><p>{words}</p></div></section>"
    )


@pytest.mark.parametrize("engine", LAYOUTS, ids=lambda engine: engine.name)
def test_new_clothes_still_give_hits(engine: Engine) -> None:
    aside = "<div class='RelatedBox'><h3><a href='https://other.example/'>Other</a></h3></div>"
    page = engine.parse(f"<main>{heading(1)}{heading(2)}{aside}{heading(3)}</main>")
    assert page.outcome == "results"
    assert [(hit.url, hit.title, hit.snippet) for hit in page.hits] == [
        (f"https://site{number}.example/", f"Tide {number}", "High and low water.")
        for number in (1, 2, 3)
    ]


def test_results_inside_results_cost_no_more_than_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 nested ones took 150,000 readings of a text, and 16 s."""
    read = []

    def collect(top: LexborNode, pieces: list[str]) -> None:
        read.append(top.mem_id)

    monkeypatch.setattr(result_tree, "_collect_text", collect)
    links = "<h2><a href='https://a.example/'></a></h2>" * 2
    with pytest.raises(ParseError):
        ENGINES["bing"].parse("<ol>" + f"<li class='b_algo'><div>{links}<ul>" * 60)
    assert 100 < len(read) < 2_000


@pytest.mark.parametrize("engine", HTML, ids=lambda engine: engine.name)
def test_an_error_page_says_so(engine: Engine) -> None:
    with pytest.raises(ParseError, match="an error page: the service is not available"):
        engine.parse("<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>")


@pytest.mark.parametrize("number", [400, 404, 500, 502])
def test_googles_error_pages_say_so_in_any_language(number: int) -> None:
    for words in (f"Error {number} (Bad Request)!!1", f"Fehler {number} (Ungültig)!!1"):
        with pytest.raises(ParseError, match="an error page"):
            ENGINES["google"].parse(f"<title>{words}</title><p><b>{number}.</b>")


@pytest.mark.parametrize("box", ["dialog-error' role='alert'><svg></svg", "alert alert-danger'"])
def test_an_instance_whose_engines_are_silent_is_an_error(box: str) -> None:
    page = f"<main id='main_results'><div class='{box}><p>Fehler! Keine Antwort.</p></div></main>"
    with pytest.raises(ParseError, match="no engine answered the instance"):
        ENGINES["searxng"].parse(page)


@pytest.mark.parametrize("engine", HTML, ids=lambda engine: engine.name)
def test_a_gate_before_any_engine_is_a_block(engine: Engine) -> None:
    page = engine.parse("<title>Just a moment...</title><p>Verifying you are human.</p>")
    assert (page.outcome, page.hits) == ("blocked", ())


@pytest.mark.parametrize("engine", HTML, ids=lambda engine: engine.name)
def test_words_for_nothing_found_are_an_empty_page(engine: Engine) -> None:
    for words in ("There are no results for tide tables.", "Es wurden keine Ergebnisse gefunden."):
        page = engine.parse(f"<title>tide tables</title><main><p>{words}</p></main>")
        assert (page.outcome, page.hits) == ("empty", ())


def test_many_results_outweigh_words_and_few_do_not() -> None:
    signs = ENGINES["mojeek"]
    words = "Tides: no results found in the tables of 1900"
    few = "".join(heading(number, words) for number in range(3))
    many = "".join(heading(number, words) for number in range(5))
    assert signs.parse(few).outcome == "empty"
    assert len(signs.parse(many).hits) == 5


def test_plain_headings_leave_the_engines_own_pages_out() -> None:
    tree = parse_for_css(heading(1) + "<h2><a href='https://help.engine.example/'>Help</a></h2>")
    found = read_headings(tree, str, ("engine.example",))
    assert [one.url for one in found] == ["https://site1.example/"]
    assert HtmlParser()("<p>nothing</p>").outcome == ""


def test_a_domain_is_not_the_end_of_another() -> None:
    assert is_within("https://www.bing.com/x", "bing.com")
    assert not is_within("https://climbing.com/x", "bing.com")
    assert not is_within("https://[broken", "bing.com")


def test_no_results_because_no_engine_answered_is_an_error() -> None:
    silent = [["google", "timeout"], ["bing", "CAPTCHA"]]
    answer = {"query": "x", "results": [], "infoboxes": [], "unresponsive_engines": silent}
    with pytest.raises(ParseError, match=r"no answer from google \(timeout\), bing \(CAPTCHA\)"):
        ENGINES["searxng-api"].parse(json.dumps(answer))
