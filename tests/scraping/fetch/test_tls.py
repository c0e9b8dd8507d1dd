"""HTTPS and HTTP/2 to an address the guard chose: the name stays in TLS and in the headers."""

import asyncio
import datetime
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import h2.config
import h2.connection
import h2.events
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from reducepp.demo.web_server import Reply, Sites
from reducepp.errors import GuardError
from reducepp.scraping.fetch import chromium
from reducepp.scraping.fetch.browser import Browser
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.scraping.fetch.guard import AddressGuard, TransientError
from reducepp.scraping.fetch.http import Fetcher, FetchLimits, FetchResponse

NAME = "secure.example"


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A certificate for one name that this test trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, secret = tmp_path / "cert.pem", tmp_path / "key.pem"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    return pem, secret


async def _read(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read(65536)
    except (OSError, asyncio.CancelledError):  # a browser does not take leave
        return b""


@asynccontextmanager
async def http2_server(certificate: tuple[Path, Path], seen: list[str]) -> AsyncIterator[int]:
    """Speaks HTTP/2 only, notes the name asked for in TLS and in the request."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    context.set_alpn_protocols(["h2"])
    context.sni_callback = lambda _sock, name, _context: seen.append(f"sni {name}")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        while data := await _read(reader):
            for event in connection.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    headers: dict[Any, Any] = dict(event.headers)
                    seen.append(f"authority {headers[b':authority'].decode()}")
                    head = [(":status", "200"), ("content-type", "text/html")]
                    connection.send_headers(event.stream_id, head)
                    connection.send_data(event.stream_id, b"over HTTP/2", end_stream=True)
            writer.write(connection.data_to_send())
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


def get(certificate: tuple[Path, Path], host: str, seen: list[str]) -> FetchResponse:
    async def run() -> FetchResponse:
        async with http2_server(certificate, seen) as port:
            guard = AddressGuard(connect_to={"*": ("127.0.0.1", port)})
            limits = FetchLimits(timeout=30, retries=0)
            async with Fetcher(guard, limits, user_agent="x") as fetcher:
                return await fetcher.get(f"https://{host}/page")

    return asyncio.run(run())


def test_http2_keeps_the_name(certificate: tuple[Path, Path]) -> None:
    seen: list[str] = []
    assert get(certificate, NAME, seen).body == b"over HTTP/2"
    assert seen == [f"sni {NAME}", f"authority {NAME}"]


def test_a_certificate_for_another_name_is_refused(certificate: tuple[Path, Path]) -> None:
    with pytest.raises(TransientError, match="certificate"):
        get(certificate, "other.example", [])


def answers(*addresses: str) -> list[Any]:
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in addresses]


def test_a_name_is_resolved_once_and_every_address_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that answers with another address the second time is not asked a second time."""
    asked: list[str] = []

    def look_up(host: Any, *_: Any, **__: Any) -> list[Any]:
        asked.append(str(host))
        if str(host) == "mixed.example":
            return answers("93.184.215.14", "10.0.0.7")
        return answers("127.0.0.1" if len(asked) == 1 else "10.0.0.7")

    async def fetch(url: str) -> FetchResponse:
        allowed = f"rebind.example:{urlsplit(url).port}"
        guard = AddressGuard(allow_hosts=frozenset({allowed}))
        async with Fetcher(guard, FetchLimits(timeout=30), user_agent="x") as fetcher:
            return await fetcher.get(url)

    with Sites(lambda request: Reply(body=request.headers["Host"].encode())) as sites:
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        answer = asyncio.run(fetch(f"http://rebind.example:{sites.port}/"))
        assert answer.body.decode() == f"rebind.example:{sites.port}"
        assert asked == ["rebind.example"]
        with pytest.raises(GuardError, match=r"mixed\.example is 10\.0\.0\.7"):
            asyncio.run(fetch(f"http://mixed.example:{sites.port}/"))


@pytest.mark.skipif(find_programs() is None, reason="no chromium and chromedriver here")
@pytest.mark.browser
def test_the_browser_goes_through_the_proxy_to_https(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tunnel keeps the name, and an address inside gets none."""
    programs = find_programs()
    assert programs is not None
    monkeypatch.setattr(chromium, "FLAGS", (*chromium.FLAGS, "--ignore-certificate-errors"))
    seen: list[str] = []

    async def run() -> str:
        async with http2_server(certificate, seen) as port:
            guard = AddressGuard(connect_to={NAME: ("127.0.0.1", port)})
            with Browser(programs, guard, timeout=30) as browser:
                with pytest.raises(GuardError):
                    await asyncio.to_thread(browser.render, f"https://127.0.0.1:{port}/")
                return (await asyncio.to_thread(browser.render, f"https://{NAME}/page")).html

    assert "over HTTP/2" in asyncio.run(run())
    assert set(seen) == {f"sni {NAME}", f"authority {NAME}"}
