"""What the service refuses, and says why: wrong requests, callers and settings."""

import re

import httpx
import pytest
from pydantic import ValidationError

from reducepp.service.handlers import WORK
from reducepp.service.requests import explain_refusal
from tests.programs import run_reducepp
from tests.reducepp.service.running import Running, running


@pytest.mark.parametrize(
    ("route", "body", "status", "says"),
    [
        ("reduce", b"{", 400, "not JSON"),
        ("reduce", b"[1]", 400, "not a JSON object"),
        ("reduce", b'{"pages": [NaN]}', 400, "NaN"),
        ("reduce", b"\xff\xfe", 400, "not JSON: not UTF-8"),
        ("reduce", b"[" * 100_000, 400, "not JSON"),
        ("reduce", b"{}", 422, 'give "pages" or "results"'),
        ("reduce", b'{"pages": [], "results": []}', 422, "one of the two"),
        ("reduce", b'{"pages": [1]}', 422, "pages.0: an object is needed, not 1"),
        ("reduce", b'{"pages": [], "treshold": 1}', 422, "did you mean threshold?"),
        ("reduce", b'{"results": [], "suggestion": []}', 422, "suggestion"),
        ("reduce", b'{"organic_results": [], "treshold": 1}', 422, "treshold"),
        ("reduce", b'{"items": [1]}', 422, "results.0"),
        ("compare", b'{"a": "x", "b": "y", "answers": []}', 422, "answers"),
        (
            "reduce",
            b'{"pages": [], "threshold": 7}',
            422,
            "threshold: a number from 0 to 1 is needed",
        ),
        ("reduce", b'{"pages": [], "target_n": 0}', 422, "target_n: a whole number from 1 on is"),
        ("reduce", b'{"pages": [], "profile": "../paper"}', 422, "no profile '../paper'"),
        ("reduce", b'{"pages": [], "profile": "/etc/passwd"}', 422, "no profile"),
        ("reduce", b'{"pages": [], "keep": "oldest"}', 422, "keep"),
        (
            "sweep",
            b'{"pages": [], "thresholds": [2]}',
            422,
            "thresholds.0: a number from 0 to 1 is",
        ),
        (
            "compare",
            b'{"a": {"body": "x"}}',
            422,
            "b: an object or a text is needed, and is missing",
        ),
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


GOOD: dict[str, dict[str, object]] = {
    "reduce": {"results": []},
    "compare": {"a": "x", "b": "y"},
    "sweep": {"results": []},
    "seen": {"page": "x"},
    "split": {"html": "x"},
    "view": {},
    "learn": {"queries": [], "labels": []},
    "labels": {"set": "1-a"},
}


@pytest.mark.parametrize(("route", "good"), GOOD.items())
def test_every_field_says_what_it_takes(route: str, good: dict[str, object]) -> None:
    """The names and sentences of pydantic are not shown."""
    model, _ = WORK[route]
    model.model_validate(good, strict=True)
    for name in model.model_fields:
        with pytest.raises(ValidationError) as refused:
            model.model_validate({**good, name: [[7]]}, strict=True)
        said = explain_refusal(refused.value, model)
        assert re.fullmatch(rf"{name}(\.0)?: [^:]+ is needed, not \[+7\]+", said), said


def test_other_types_encodings_and_methods_are_refused(service: Running) -> None:
    def post(**headers: str) -> int:
        return httpx.post(
            f"{service.url}/reduce", content=b"{}", headers=headers, trust_env=False
        ).status_code

    assert post(**{"content-type": "text/plain"}) == 415
    assert post(**{"content-type": "application/json", "content-encoding": "gzip"}) == 415
    assert service.get("reduce").status_code == 405
    assert service.get("nothing").json() == {
        "error": "GET /nothing: Not Found; GET /openapi.json lists the routes"
    }


def test_an_unknown_host_name_is_refused(service: Running) -> None:
    assert service.get("healthz", headers={"host": "rebound.example"}).status_code == 421
    assert service.get("healthz", headers={"host": f"localhost:{service.port}"}).status_code == 200


def test_token() -> None:
    with running("--jobs", "1", token="s3cret") as service:
        assert service.get("healthz").status_code == 200
        refused = service.post("reduce", {"pages": []})
        assert refused.status_code == 401
        assert refused.json() == {"error": "a bearer token is needed"}
        assert refused.headers["www-authenticate"] == "Bearer"
        assert service.get("metrics").status_code == 401
        for wrong in ("Bearer s3cre", "Basic s3cret", "Bearer", "Bearer s3cret\xe9"):
            headers = {"authorization": wrong.encode("latin-1")}
            refused = service.post("reduce", {"pages": []}, headers=headers)
            assert refused.status_code == 401
            assert refused.json() == {"error": "the bearer token is wrong"}
        right = {"authorization": "Bearer s3cret"}
        assert service.post("reduce", {"pages": []}, headers=right).status_code == 200


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--host", "0.0.0.0"], "REDUCEPP_TOKEN"),
        (["--port", "99999"], "--port 99999"),
        (["--token-file", "/nonexistent"], "/nonexistent"),
    ],
)
def test_what_it_will_not_start_with(arguments: list[str], says: str) -> None:
    run = run_reducepp("serve", *arguments, timeout=60)
    assert run.returncode in (1, 2)
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
