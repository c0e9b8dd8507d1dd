"""A small made-up web with everything that goes wrong on the real one, and a search engine."""

import itertools
import time
from collections.abc import Iterator

from reducepp.demo.web_server import Reply, Request, search_page
from reducepp.types import SearchHit

QUERY = "lighthouse keepers"
TEXT = (
    "The keeper of the northern light climbed the tower every evening, trimmed the lamp and "
    "wrote the weather into the book. Ships far out at sea counted the seconds between two "
    "flashes and knew where they were. When the light was automated, the last keeper stayed on "
    "as a guide and told visitors about storms, letters and the long quiet winters. "
)
ARTICLE = (
    "<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p></body></html>"
)

SPECIAL = {
    "http://script.example/app": "script-built",
    "http://frames.example/story": "frames",
    "http://moved.example/old": "meta refresh",
    "http://chain.example/1": "redirect chain",
    "http://slow.example/page": "slow",
    "http://endless.example/feed": "endless",
    "http://gone.example/missing": "404",
    "http://latin.example/cafe": "wrong charset",
    "http://banner.example/news": "consent banner",
    "http://closed.example/private/page": "robots-forbidden",
    "http://inside.example/lan": "leads to a private address",
}
PLAIN = [f"http://site{n}.example/keepers" for n in range(1, 15)]
URLS = [*SPECIAL, *PLAIN]
BUILT = "Built in the browser. " + TEXT
PHARE = (
    "Le gardien du phare montait chaque soir jusqu'à la lanterne, réglait la mèche et notait le "
    "temps dans son registre. Les navires, très loin en mer, comptaient les secondes entre deux "
    "éclats. Quand la lumière fut automatisée, le dernier gardien resta comme guide et parlait "
    "aux visiteurs des tempêtes et des longs hivers où rien n'arrivait. "
)

RESULTS = {QUERY: [SearchHit(url=url, title=f"Result {url}", snippet=TEXT[:80]) for url in URLS]}


def article(title: str, text: str = TEXT) -> Reply:
    return Reply(body=ARTICLE.format(title=title, text=text).encode())


def drip() -> Iterator[bytes]:
    for _ in range(300):
        time.sleep(0.2)
        yield b"<p>...</p>"


def endless() -> Iterator[bytes]:
    return itertools.repeat(b"<p>" + TEXT.encode() * 20 + b"</p>")


PAGES = {
    "http://script.example/app": Reply(
        body=b"<html><head><title>App</title></head><body><div id='root'></div><script>"
        b"fetch('/data').then(r => r.text()).then(t => {"
        b" document.getElementById('root').innerHTML = '<h1>App</h1><p>' + t + '</p>' })"
        b"</script></body></html>"
    ),
    "http://script.example/data": Reply(body=BUILT.encode(), content_type="text/plain"),
    "http://frames.example/story": Reply(
        body=b"<html><head><title>Framed</title></head><frameset cols='30%,70%'>"
        b"<frame src='/menu'><frame src='http://other.example/text'></frameset></html>"
    ),
    "http://frames.example/menu": Reply(
        body=b"<html><body><p>Menu of the frames</p></body></html>"
    ),
    "http://other.example/text": article("In a frame", "Framed text. " + TEXT),
    "http://moved.example/old": Reply(
        body=b"<html><head><meta http-equiv='refresh' content='0; url=/new'></head></html>"
    ),
    "http://moved.example/new": article("Moved", "Moved text. " + TEXT),
    "http://chain.example/1": Reply(status=301, headers={"Location": "/2"}),
    "http://chain.example/2": Reply(status=302, headers={"Location": "http://end.example/3"}),
    "http://end.example/3": Reply(status=307, headers={"Location": "//end.example/text"}),
    "http://end.example/text": article("End of the chain"),
    "http://latin.example/cafe": Reply(
        body=ARTICLE.format(title="Café du phare", text=PHARE).encode("windows-1252"),
        content_type="text/html; charset=utf-8",
    ),
    "http://banner.example/news": Reply(
        body=(
            f"<html><head><title>News</title></head><body><article><p>{TEXT}</p></article>"
            "<div id='onetrust-banner-sdk' class='cookie-consent' style='position:fixed'>"
            "We and our partners store cookies. <button id='onetrust-reject-all-handler' "
            "onclick=\"document.getElementById('onetrust-banner-sdk').remove()\">Reject</button>"
            "</div></body></html>"
        ).encode()
    ),
    "http://closed.example/robots.txt": Reply(
        body=b"User-agent: *\nDisallow: /private\n", content_type="text/plain"
    ),
    "http://closed.example/private/page": article("Not for robots"),
    "http://inside.example/lan": Reply(
        status=302, headers={"Location": "http://192.168.1.1/admin"}
    ),
} | {url: article(f"Keepers {n}", f"Page number {n}. {TEXT}") for n, url in enumerate(PLAIN)}


def answer(request: Request) -> Reply | None:
    """The web: search engine, pages, and two that would never end."""
    if request.url.startswith("http://search.example/"):
        return search_page(request, RESULTS)
    if request.url == "http://slow.example/page":
        return Reply(body=drip())
    if request.url == "http://endless.example/feed":
        return Reply(body=endless())
    return PAGES.get(request.url)
