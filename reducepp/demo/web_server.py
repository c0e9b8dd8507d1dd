"""Made-up web sites on loopback, for the demo and the end-to-end tests.

One server responds for every host name: `AddressGuard.connect_to` maps all names to it, so that
no request leaves the machine and no name is resolved.
"""

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Self
from urllib.parse import parse_qs, quote_plus, urlsplit

from reducepp.types import SearchHit

RESULTS_PER_PAGE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request that the server received."""

    url: str
    headers: Mapping[str, str]
    at: float

    @property
    def arguments(self) -> dict[str, str]:
        """The query string, first value of each name."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.url).query).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A response; a body that is an iterable is sent in chunks until it ends."""

    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    body: bytes | Iterable[bytes] = b""
    headers: Mapping[str, str] = field(default_factory=dict)


Responder = Callable[[Request], Reply | None]


class Sites(ThreadingHTTPServer):
    """The server, running in the background inside ``with Sites(respond) as sites``."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, respond: Responder) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.respond = respond
        self.requests: list[Request] = []

    @property
    def port(self) -> int:
        """The loopback port on which every host is served."""
        return int(self.server_address[1])

    @property
    def connect_to(self) -> dict[str, tuple[str, int]]:
        """For `AddressGuard`: every name is this server."""
        return {"*": ("127.0.0.1", self.port)}

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that disconnect early are expected: print nothing."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Sites

    def do_GET(self) -> None:
        url = f"http://{self.headers.get('Host', '')}{self.path}"
        request = Request(url=url, headers=dict(self.headers), at=time.monotonic())
        self.server.requests.append(request)
        reply = self.server.respond(request) or Reply(status=404, body=b"<h1>Not found</h1>")
        self.send_response(reply.status)
        for name, value in {"Content-Type": reply.content_type, **reply.headers}.items():
            self.send_header(name, value)
        if isinstance(reply.body, bytes):
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in reply.body:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing: standard error is for progress."""


def search_page(request: Request, results: Mapping[str, Sequence[SearchHit]]) -> Reply:
    """A result page as SearXNG writes it, ten results per page, for ``/search?q=...&pageno=N``."""
    query = request.arguments.get("q", "")
    page = int(request.arguments.get("pageno", "1"))
    found = list(results.get(query, ()))[(page - 1) * RESULTS_PER_PAGE : page * RESULTS_PER_PAGE]
    article = _template("result.html")
    articles = "".join(
        article.format(url=escape(hit.url), title=escape(hit.title), snippet=escape(hit.snippet))
        for hit in found
    )
    empty = (
        '<div class="dialog-error-block" role="alert"><p><strong>Sorry!</strong></p>'
        "<p>No results were found.</p></div>"
    )
    body = _template("result_page.html").format(
        title=escape(query), quoted=quote_plus(query), next=page + 1, results=articles or empty
    )
    return Reply(body=body.encode())


@cache
def _template(name: str) -> str:
    """A page as SearXNG writes it, with names in braces."""
    return files("reducepp.demo").joinpath(name).read_text("utf-8")
