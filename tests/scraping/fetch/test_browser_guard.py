"""Every way a page has to reach a private address, tried in a real Chromium; none arrives."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from reducepp.demo.web_server import Reply, Request, Sites
from reducepp.errors import GuardError
from reducepp.scraping.fetch.browser import Browser
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.scraping.fetch.guard import AddressGuard

PROGRAMS = find_programs()

PAGE = """<html><head><title>Ways in</title>
<link rel=stylesheet href='http://127.0.0.1:{tcp}/style'>
<link rel=prefetch href='http://127.0.0.1:{tcp}/prefetch'>
<link rel=preconnect href='http://127.0.0.1:{tcp}'>
<link rel=preload as=script href='http://127.0.0.1:{tcp}/preload'>
<script type=speculationrules>{{"prerender": [{{"source": "list", "urls":
  ["http://127.0.0.1:{tcp}/prerender"]}}]}}</script></head><body><p>Text of the page.</p>
<script src='http://localhost:{tcp}/script'></script>
<object data='http://127.0.0.1:{tcp}/object'></object>
<iframe width=99 height=99 src='http://2130706433:{tcp}/decimal'></iframe>
<iframe width=99 height=99 src='http://0177.0.0.1:{tcp}/octal'></iframe>
<iframe width=99 height=99 src='http://0x7f.1:{tcp}/hexadecimal'></iframe>
<iframe width=99 height=99 src='http://[::ffff:127.0.0.1]:{tcp}/mapped'></iframe>
<iframe width=99 height=99 src='http://0.0.0.0:{tcp}/zero'></iframe>
<iframe width=99 height=99 src='http://localhost.:{tcp}/dot'></iframe>
<iframe width=99 height=99 src='http://me:you@127.0.0.1:{tcp}/login'></iframe>
<script>
const inside = 'http://127.0.0.1:{tcp}/';
fetch(inside + 'fetch', {{mode: 'no-cors'}}).catch(() => 0);
navigator.sendBeacon(inside + 'beacon', 'x');
new EventSource(inside + 'events');
new WebSocket('ws://127.0.0.1:{tcp}/socket');
new WebSocket('wss://127.0.0.1:{tcp}/socket');
new Worker(URL.createObjectURL(new Blob([`fetch('${{inside}}worker', {{mode: 'no-cors'}})`])));
for (const url of [inside + 'window', 'view-source:' + inside, 'file:///etc/passwd'])
  window.open(url);
const servers = ['stun:127.0.0.1:{udp}', 'turn:127.0.0.1:{tcp}?transport=tcp']
  .map(urls => ({{urls, username: 'a', credential: 'b'}}));
const call = new RTCPeerConnection({{iceServers: servers}});
call.createDataChannel('x');
call.createOffer().then(async offer => {{
  await call.setLocalDescription(offer);
  await call.setRemoteDescription(
    {{type: 'answer', sdp: offer.sdp.replace('setup:actpass', 'setup:active')}});
  const candidate = 'candidate:1 1 udp 2113937151 127.0.0.1 {udp} typ host';
  await call.addIceCandidate({{candidate, sdpMid: '0'}});
}});
setTimeout(() => document.body.append('all tried'), 1500);
</script></body></html>"""


@contextmanager
def trap() -> Iterator[tuple[int, int, list[bytes]]]:
    """A loopback port for connections, one for packets, and what arrives at either."""
    arrived: list[bytes] = []
    stream, packets = socket.create_server(("127.0.0.1", 0)), socket.socket(type=socket.SOCK_DGRAM)
    packets.bind(("127.0.0.1", 0))

    def accept() -> None:
        while True:
            try:
                with stream.accept()[0] as connection:
                    connection.settimeout(0.5)
                    arrived.append(connection.recv(100))
            except TimeoutError:
                continue
            except OSError:
                return

    def receive() -> None:
        while data := packets.recv(100):
            arrived.append(data)

    threads = [threading.Thread(target=accept), threading.Thread(target=receive)]
    for thread in threads:
        thread.start()
    try:
        yield stream.getsockname()[1], packets.getsockname()[1], arrived
    finally:
        packets.sendto(b"", packets.getsockname())
        stream.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
        stream.close()
        packets.close()


@pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here")
@pytest.mark.browser
@pytest.mark.parametrize("allowed", [False, True])
def test_no_way_leads_inside_unless_allowed(allowed: bool) -> None:
    assert PROGRAMS is not None
    with trap() as (tcp, udp, arrived):

        def answer(request: Request) -> Reply:
            return Reply(body=PAGE.format(tcp=tcp, udp=udp).encode())

        with Sites(answer) as sites:
            guard = AddressGuard(connect_to={"site.example": ("127.0.0.1", sites.port)})
            if allowed:
                guard = AddressGuard(connect_to=guard.connect_to, allow_private=True)
            with Browser(PROGRAMS, guard, timeout=30) as browser:
                html = browser.render("http://site.example/").html
    assert "Text of the page." in html
    assert "root:" not in html
    if not allowed:
        assert "all tried" in html
        assert arrived == []
        return
    seen = b"\n".join(arrived)
    ways = (b"style", b"script", b"decimal", b"octal", b"hexadecimal", b"fetch", b"worker")
    assert [way for way in ways if b"GET /" + way not in seen] == []
    assert not any(data.startswith(b"\0\1") for data in arrived), "packets know no proxy"


@pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here")
@pytest.mark.browser
def test_what_one_page_may_reach_is_closed_to_the_next() -> None:
    """A private search service is rendered, then a result page that leads to it."""
    assert PROGRAMS is not None

    def answer(request: Request) -> Reply:
        leads = f"<script>location = '{service}'</script>".encode()
        return Reply(body=leads if "site.example" in request.url else b"<p>The service</p>")

    with Sites(answer) as sites:
        service = f"http://localhost:{sites.port}/service"
        guard = AddressGuard(connect_to=sites.connect_to)
        allowed = replace(guard, allow_hosts=frozenset({f"localhost:{sites.port}"}))
        with Browser(PROGRAMS, guard, timeout=30) as browser:
            for _ in range(2):
                assert "The service" in browser.render(service, allowed).html
                asked = len(sites.requests)
                with pytest.raises(GuardError, match="not a public address"):
                    browser.render("http://site.example/")
                later = [request.url for request in sites.requests[asked:]]
                assert service not in later
