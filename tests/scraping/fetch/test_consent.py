"""Consent banners of every build, in a real Chromium: refused where one can, gone in any case."""

from collections.abc import Iterator

import pytest

from reducepp.demo.web_server import Reply, Request, Sites
from reducepp.scraping.fetch.browser import Browser
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.scraping.fetch.guard import AddressGuard

PROGRAMS = find_programs()
ARTICLE = "<article><p>" + "The text of the page, as it was written. " * 20 + "</p></article>"
ASKS = "<p>We and our 842 partners would like to store cookies.</p>"
FIXED = "style='position:fixed; width:500px; height:300px'"


def button(says: str, does: str = "") -> str:
    act = f"document.body.className = '{does}'; this.parentNode.remove()"
    return f'<button onclick="{act}">{says}</button>'


BANNERS = {
    "french": f"<div class='bandeau-cookies' {FIXED}>{ASKS}{button('Tout accepter', 'agreed')}"
    f"{button('Continuer sans accepter →', 'refused')}</div>",
    "arabic": f"<div id='cookie-bar' {FIXED}>{ASKS}{button('موافق', 'agreed')}</div>",
    "dialog": f"<dialog open class='modal'>{ASKS}{button('Accept all', 'agreed')}"
    f"{button('Only necessary cookies', 'refused')}</dialog>",
    "role": f"<div role='dialog' aria-label='Your consent' {FIXED}>{ASKS}"
    f"{button('Reject optional', 'refused')}</div>",
    "frame": f"<div id='sp_message_container_7' {FIXED}>"
    "<iframe src='/frame-inside' width=400 height=200></iframe></div>",
    "foreign-frame": f"<iframe title='Consent' src='http://cmp.example/frame-inside' {FIXED}>"
    "</iframe>",
    "part": "<div id='usercentrics-root'></div><script>document.getElementById("
    "'usercentrics-root').attachShadow({mode: 'open'}).innerHTML = document.getElementById("
    f"'inside').innerHTML</script><template id='inside'><div {FIXED}>{ASKS}</div></template>",
    "no-button": f"<div class='gdpr' {FIXED}>{ASKS}</div>",
}
HOW = {"french": "refused", "arabic": "agreed", "dialog": "refused", "role": "refused"}


def answer(request: Request) -> Reply:
    path = request.url.rpartition("/")[2]
    body = ASKS if path == "frame-inside" else ARTICLE + BANNERS.get(path, "")
    return Reply(body=f"<html><head><title>T</title></head><body>{body}</body></html>".encode())


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAMS is not None
    with (
        Sites(answer) as sites,
        Browser(PROGRAMS, AddressGuard(connect_to=sites.connect_to), timeout=30) as running,
    ):
        yield running


@pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here")
@pytest.mark.browser
@pytest.mark.parametrize("name", BANNERS)
def test_banners_are_refused_or_taken_away(browser: Browser, name: str) -> None:
    html = browser.render(f"http://site.example/{name}").html.replace("<template", "<!--")
    assert "The text of the page" in html
    assert "842 partners" not in html.partition("<!--")[0] + html.partition("</template>")[2]
    if name in HOW:
        assert f'<body class="{HOW[name]}">' in html
