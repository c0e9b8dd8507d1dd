"""The routes over real HTTP: what they answer, what they refuse, and who may call."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from reducepp.library import find_profile, reduce
from reducepp.output import reduction_to_dict
from tests.reducepp.plugins.samples import ARABIC, RESULTS, STORY
from tests.reducepp.service.running import ROOT, Running, running
from weights.profile import dump_profile

TEXTS = [STORY * 2, RESULTS[1]["snippet"] * 3, STORY * 2 + " More soon."]
PAGES = [{"id": f"p{i}", "page_title": f"T{i}", "body": text} for i, text in enumerate(TEXTS)]


def test_results_are_reduced_as_the_library_says(service: Running) -> None:
    answer = service.post("reduce", {"results": RESULTS, "query": "rooftop bees"})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["query"], found["profile"]) == ("rooftop bees", "snippets")
    assert [r["url"] for r in found["results"]] == [RESULTS[i]["url"] for i in (0, 1, 3)]
    assert found["results"][0]["similar"] == [RESULTS[2]["url"], RESULTS[4]["url"]]


def test_pages_are_reduced_as_the_library_says(service: Running) -> None:
    found = service.post("reduce", {"pages": PAGES}).json()
    assert found == json.loads(json.dumps(reduction_to_dict(reduce(PAGES))))
    assert found["after"] == 2


def test_many_html_pages_and_arabic_results(service: Running) -> None:
    pages = [
        {"url": f"https://{i}.example", "html": f"<title>T</title><p>{text}</p>"}
        for i, text in enumerate(TEXTS * 12)
    ]
    found = service.post("reduce", {"pages": pages}).json()
    assert (found["before"], found["after"], found["failures"]) == (36, 2, [])
    assert service.post("reduce", {"results": ARABIC}).json()["after"] == 2


def test_options(service: Running) -> None:
    body = {"results": RESULTS, "target_n": 1}
    assert service.post("reduce", body).json()["after"] == 1
    assert service.post("reduce", {**body, "target_n": 1.0}).json()["after"] == 1
    assert service.post("reduce", {**body, "threshold": 0.6}).json()["after"] == 3
    assert service.post("reduce", {"results": RESULTS, "threshold": 1.0}).json()["after"] == 5
    demoted = service.post("reduce", {"results": RESULTS, "mode": "demote"}).json()["results"]
    assert [bool(r.get("demoted")) for r in demoted] == [False, False, False, True, True]
    longest = service.post("reduce", {"pages": PAGES, "keep": "longest"}).json()
    assert longest["clusters"][0]["kept"] == "p1"
    assert longest["clusters"][1]["kept"] == "p2"


def test_nothing_and_broken_pages_are_answers(service: Running) -> None:
    assert service.post("reduce", {"pages": []}).json()["before"] == 0
    found = service.post("reduce", {"pages": [{}, {"html": "\x00"}, PAGES[0]]}).json()
    assert (found["before"], len(found["failures"])) == (1, 2)


def test_compare_sweep_split(service: Running) -> None:
    same = service.post("compare", {"a": PAGES[0], "b": PAGES[2], "threshold": 0.5}).json()
    assert same["duplicate"]
    assert set(same) >= {"score", "duplicate", "level", "signals"}
    assert not service.post("compare", {"a": PAGES[0], "b": {"body": ""}}).json()["duplicate"]
    assert service.post("compare", {"a": STORY, "b": STORY}).json()["score"] == 1.0
    rows = service.post("sweep", {"pages": PAGES, "thresholds": [0.0, 0.5, 1.0]}).json()["rows"]
    assert [row["clusters"] for row in rows] == [1, 2, 3]
    split = service.post("split", {"html": f"<title>Bees</title><p>{STORY}</p>"}).json()
    assert (split["page_title"], split["body"], split["language"]) == ("Bees", STORY, "en")


@pytest.mark.parametrize(
    ("route", "body", "status", "says"),
    [
        ("reduce", b"{", 400, "not JSON"),
        ("reduce", b"[1]", 400, "not a JSON object"),
        ("reduce", b'{"pages": [NaN]}', 400, "NaN"),
        ("reduce", b"\xff\xfe", 400, "not JSON"),
        ("reduce", b"[" * 100_000, 400, "not JSON"),
        ("reduce", b"{}", 422, 'give "pages" or "results"'),
        ("reduce", b'{"pages": [], "results": []}', 422, "one of the two"),
        ("reduce", b'{"pages": [1]}', 422, "pages.0"),
        ("reduce", b'{"pages": [], "treshold": 1}', 422, "treshold"),
        ("reduce", b'{"pages": [], "threshold": 7}', 422, "threshold"),
        ("reduce", b'{"pages": [], "target_n": 0}', 422, "target_n"),
        ("reduce", b'{"pages": [], "profile": "../paper"}', 422, "no profile '../paper'"),
        ("reduce", b'{"pages": [], "profile": "/etc/passwd"}', 422, "no profile"),
        ("reduce", b'{"pages": [], "keep": "oldest"}', 422, "keep"),
        ("sweep", b'{"pages": [], "thresholds": [2]}', 422, "thresholds"),
        ("compare", b'{"a": {"body": "x"}}', 422, "b"),
        ("split", b'{"url": "https://a.example"}', 422, "html"),
        ("split", b'{"html": ""}', 422, "html"),
    ],
)
def test_what_is_wrong_is_named(
    service: Running, route: str, body: bytes, status: int, says: str
) -> None:
    answer = httpx.post(
        f"{service.url}/{route}",
        content=body,
        headers={"content-type": "application/json"},
        trust_env=False,
        timeout=30,
    )
    assert answer.status_code == status, answer.text
    assert says in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_other_types_encodings_and_methods_are_refused(service: Running) -> None:
    def post(**headers: str) -> int:
        return httpx.post(
            f"{service.url}/reduce", content=b"{}", headers=headers, trust_env=False
        ).status_code

    assert post(**{"content-type": "text/plain"}) == 415
    assert post(**{"content-type": "application/json", "content-encoding": "gzip"}) == 415
    assert service.get("reduce").status_code == 405
    assert service.get("nothing").json() == {"error": "Not Found"}


def test_an_unknown_host_name_is_refused(service: Running) -> None:
    answer = service.get("healthz", headers={"host": "rebound.example"})
    assert answer.status_code == 421
    assert service.get("healthz", headers={"host": f"localhost:{service.port}"}).status_code == 200


def test_headers_health_and_metrics(service: Running) -> None:
    health = service.get("healthz")
    assert health.json()["status"] == "ok"
    assert health.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in health.headers["content-security-policy"]
    assert "server" not in health.headers
    service.post("reduce", {"pages": []})
    metrics = service.get("metrics").text
    assert 'reducepp_requests_total{route="reduce",status="200"}' in metrics
    assert "reducepp_waiting 0.0" in metrics


def test_openapi_has_an_example_for_every_route(service: Running) -> None:
    paths = service.get("openapi.json").json()["paths"]
    for route in ("reduce", "compare", "sweep", "split"):
        schema = paths[f"/{route}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        for example in schema["examples"]:
            assert service.post(route, example).status_code == 200


def test_the_example_of_the_docs_runs(service: Running, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "service.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(compile(example.replace(":8000", f":{service.port}"), "service.md", "exec"), {})
    assert capsys.readouterr().out == "2 → 1 ['https://mirror.example/77']\n"
    help_text = subprocess.run(
        [sys.executable, "-m", "reducepp", "serve", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout
    for option in re.findall(r"`(--[\w-]+)", page):
        assert option in help_text


def test_token() -> None:
    with running("--jobs", "1", token="s3cret") as service:
        assert service.get("healthz").status_code == 200
        refused = service.post("reduce", {"pages": []})
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert service.get("metrics").status_code == 401
        for wrong in ("Bearer s3cre", "Basic s3cret", "Bearer", "Bearer s3cret\xe9"):
            headers = {"authorization": wrong.encode("latin-1")}
            assert service.post("reduce", {"pages": []}, headers=headers).status_code == 401
        right = {"authorization": "Bearer s3cret"}
        assert service.post("reduce", {"pages": []}, headers=right).status_code == 200


def test_the_operators_profile_and_threshold_are_for_requests_that_name_none(
    tmp_path: Path,
) -> None:
    own = dump_profile(replace(find_profile("snippets"), name="own", threshold=0.9))
    (tmp_path / "own.toml").write_text(own, "utf-8")
    path = str(tmp_path / "own.toml")
    with running("--jobs", "1", "--profile", path, "--threshold", "1") as service:
        found = service.post("reduce", {"results": RESULTS}).json()
        assert (found["profile"], found["threshold"], found["after"]) == ("own", 1.0, 5)
        named = service.post("reduce", {"results": RESULTS, "profile": "snippets"}).json()
        assert named["threshold"] == find_profile("snippets").threshold
        assert service.post("reduce", {"pages": PAGES}).json()["profile"] == "own"


def test_bodies_that_wait_are_bounded_together(service: Running) -> None:
    waiting = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(8)]
    start = b"POST /reduce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for connection in waiting:
        connection.sendall(start + b"Content-Length: %d\r\n\r\n{" % (32 * 2**20))
    time.sleep(0.3)
    full = service.post("reduce", {"pages": []})
    assert (full.status_code, full.headers["retry-after"]) == (503, "1")
    assert service.get("healthz").status_code == 200
    for connection in waiting:
        connection.close()
    time.sleep(0.3)
    assert service.post("reduce", {"pages": []}).status_code == 200


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
        assert service.post("reduce", {"pages": PAGES}).status_code == 200


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
        answers: list[httpx.Response] = []
        threads = [
            threading.Thread(target=lambda: answers.append(service.post("reduce", heavy)))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        statuses = sorted(answer.status_code for answer in answers)
        assert set(statuses) == {200, 503}
        full = next(answer for answer in answers if answer.status_code == 503)
        assert int(full.headers["retry-after"]) >= 1


def test_requests_under_way_finish_when_the_service_stops() -> None:
    with running("--jobs", "1") as service:
        heavy = {"pages": [{"body": f"{STORY} {i} " * 20} for i in range(100)]}
        answers: list[httpx.Response] = []
        threads = [
            threading.Thread(target=lambda: answers.append(service.post("reduce", heavy)))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        service.process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join()
        assert [answer.status_code for answer in answers] == [200] * 3
        assert service.process.wait(20) == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--host", "0.0.0.0"], "REDUCEPP_TOKEN"),
        (["--port", "99999"], "--port 99999"),
        (["--token-file", "/nonexistent"], "/nonexistent"),
    ],
)
def test_what_it_will_not_start_with(arguments: list[str], says: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "reducepp", "serve", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert run.returncode in (1, 2)
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
