"""How much the service takes on at once, and what becomes of the rest."""

from __future__ import annotations

import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

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


def test_bodies_that_wait_are_bounded_together(service: Running) -> None:
    waiting = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(8)]
    start = b"POST /reduce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for connection in waiting:
        connection.sendall(start + b"Content-Length: %d\r\n\r\n{" % (32 * 2**20))
    wait_until(lambda: service.post("reduce", {"pages": []}).status_code == 503)
    assert service.post("reduce", {"pages": []}).headers["retry-after"] == "1"
    assert service.get("healthz").status_code == 200
    for connection in waiting:
        connection.close()
    wait_until(lambda: service.post("reduce", {"pages": []}).status_code == 200)


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
        statuses = sorted(answer.status_code for answer in answers)
        assert set(statuses) == {200, 503}
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
