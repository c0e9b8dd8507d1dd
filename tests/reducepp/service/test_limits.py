"""How much the service takes on at once, and what becomes of the rest."""

import asyncio
import json
import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from reducepp.service.access import AccessMiddleware
from reducepp.service.limits import ServiceLimits, ServiceSettings
from tests.reducepp.plugins.samples import STORY
from tests.reducepp.service.running import Running, running
from tests.waiting import wait_until


def under_way(service: Running) -> float:
    """Requests that wait or are worked on."""
    found = re.findall(r"^reducepp_(?:waiting|running) (\S+)", service.get("metrics").text, re.M)
    return sum(map(float, found))


@contextmanager
def posting(service: Running, value: Any, times: int) -> Iterator[list[httpx.Response]]:
    """So many requests at once; all are answered when the block ends."""
    answers: list[httpx.Response] = []
    threads = [
        threading.Thread(target=lambda: answers.append(service.post("reduce", value)))
        for _ in range(times)
    ]
    for thread in threads:
        thread.start()
    yield answers
    for thread in threads:
        thread.join()


def test_bodies_in_memory_are_bounded_together() -> None:
    start = b"POST /reduce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with running("--jobs", "1", "--max-mib", "1") as service:
        waiting = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(8)]
        for connection in waiting:
            connection.sendall(start + b"Content-Length: %d\r\n\r\n" % 2**20 + b" " * (2**20 - 1))
        wait_until(lambda: service.post("reduce", {"pages": [{}] * 2}).status_code == 503)
        assert service.post("reduce", {"pages": [{}] * 2}).headers["retry-after"] == "1"
        assert service.get("healthz").status_code == 200
        assert 'reducepp_refused_total{status="503"}' in service.get("metrics").text
        for connection in waiting:
            connection.close()
        wait_until(lambda: service.post("reduce", {"pages": []}).status_code == 200)


def test_callers_who_announce_much_and_send_nothing_block_nobody(service: Running) -> None:
    start = b"Host: localhost\r\nContent-Type: application/json\r\n"
    waiting = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(20)]
    for number, connection in enumerate(waiting):
        line = b"GET /healthz" if number % 2 else b"POST /reduce"
        size = b"Transfer-Encoding: chunked" if number % 2 else b"Content-Length: 33000000"
        connection.sendall(line + b" HTTP/1.1\r\n" + start + size + b"\r\n\r\n")
    assert service.post("reduce", {"pages": []}).status_code == 200
    for connection in waiting:
        connection.close()


def test_too_many_connections_are_closed_at_once() -> None:
    with running("--jobs", "1", "--max-connections", "5") as service:
        held = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(5)]
        extra = socket.create_connection(("127.0.0.1", service.port))
        extra.settimeout(30)
        assert extra.recv(1) == b""
        for connection in (*held, extra):
            connection.close()
        wait_until(lambda: answers(service))


def test_half_open_connections_are_closed() -> None:
    with running("--jobs", "1", "--max-header-seconds", "1") as service:
        silent = socket.create_connection(("127.0.0.1", service.port))
        partial = socket.create_connection(("127.0.0.1", service.port))
        partial.sendall(b"POST /reduce HTTP/1.1\r\nHost: loc")
        for connection in (silent, partial):
            connection.settimeout(60)
            assert connection.recv(1) == b""
            connection.close()
        assert service.get("healthz").status_code == 200


def answers(service: Running) -> bool:
    try:
        return service.get("healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_limits_on_size_pages_and_time() -> None:
    limits = ("--jobs", "1", "--max-mib", "8", "--max-pages", "400", "--max-seconds", "1")
    with running(*limits) as service:
        assert service.post("reduce", {"query": "x" * 2**23, "pages": []}).status_code == 413
        many = service.post("reduce", {"pages": [{"body": "x"}] * 401})
        assert many.status_code == 422
        assert many.json()["error"] == "401 pages: at most 400 are taken at once"
        assert _send_in_pieces(service.port, 9 * 2**20) == b"413"
        text = " ".join(chr(97 + i % 26) + chr(97 + i // 26 % 26) for i in range(6_000))
        slow = {"pages": [{"body": f"{text} {i}"} for i in range(400)], "profile": "paper"}
        answer = service.post("reduce", slow)
        assert answer.status_code == 504, answer.text
        assert "took too long" in answer.json()["error"]
        assert service.post("reduce", {"pages": [{"body": STORY}] * 3}).status_code == 200


def test_a_refused_body_that_was_read_whole_is_not_waited_for() -> None:
    """After the refusal nothing more is received: a real server would block until a timeout."""
    limits = ServiceLimits(body_bytes=3)
    app = AccessMiddleware(unreachable, ServiceSettings(limits=limits))
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/reduce", "headers": headers}
    arriving = [
        {"type": "http.request", "body": b"12", "more_body": True},
        {"type": "http.request", "body": b"34"},
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return arriving.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 413
    assert not arriving
    assert not sent[-1].get("more_body")


async def unreachable(*_: object) -> None:
    raise AssertionError("a refused request reached the service")


def _send_in_pieces(port: int, size: int) -> bytes:
    """A body without a length, in chunks; the status that comes back."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(
            b"POST /reduce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        try:
            for _ in range(size // 0x10000 + 1):
                connection.sendall(piece)
        except OSError:
            pass
        return connection.recv(64).split(b" ")[1]


def test_a_full_queue_is_503_with_retry_after() -> None:
    with running("--jobs", "1", "--queue", "1") as service:
        heavy = {"pages": [{"body": f"{STORY} {i} " * 20} for i in range(60)]}
        with posting(service, heavy, 8) as answers:
            pass
        assert {answer.status_code for answer in answers} == {200, 503}
        full = next(answer for answer in answers if answer.status_code == 503)
        assert int(full.headers["retry-after"]) >= 1


def test_requests_under_way_finish_when_the_service_stops() -> None:
    with running("--jobs", "1") as service:
        heavy = {"pages": [{"body": f"{STORY} {i} " * 20} for i in range(100)]}
        with posting(service, heavy, 3) as answers:
            wait_until(lambda: under_way(service) + len(answers) == 3)
            service.process.send_signal(signal.SIGTERM)
        assert [answer.status_code for answer in answers] == [200] * 3
        assert service.process.wait(60) == 0


def test_callers_who_neither_send_nor_read_do_not_hold_up_the_stop() -> None:
    start = b"POST /reduce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    pages = [{"id": f"{i}" * 50_000, "body": STORY} for i in range(100, 140)]
    large = json.dumps({"pages": pages}).encode()
    with running("--jobs", "1", "--max-seconds", "3000") as service:
        sending, silent, unread = (socket.socket() for _ in range(3))
        unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for connection in (sending, silent, unread):
            connection.connect(("127.0.0.1", service.port))
        sending.sendall(start + b"Content-Length: 1000\r\n\r\n{")
        unread.sendall(start + b"Content-Length: %d\r\n\r\n" % len(large) + large)
        done = 'reducepp_requests_total{route="reduce",status="200"} 1.0'
        wait_until(lambda: done in service.get("metrics").text)
        service.process.send_signal(signal.SIGTERM)
        assert sending.recv(9) == silent.recv(9) == b""
        assert service.process.wait(60) == 0  # far below the limit of 3,005 s
        for connection in (sending, silent, unread):
            connection.close()
