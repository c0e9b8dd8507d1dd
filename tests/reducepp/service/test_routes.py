"""The routes over real HTTP: what they answer."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from reducepp.api import find_profile, reduce
from reducepp.index import Index
from reducepp.io.writers import reduction_to_dict
from reducepp.service.app import ROUTES
from reducepp.types import Page
from reducepp.weights.profile import dump_profile
from tests.programs import run_reducepp
from tests.reducepp.plugins.samples import ARABIC, RESULTS, STORY
from tests.reducepp.service.running import ROOT, Running, running

TEXTS = [STORY * 2, RESULTS[1]["snippet"] * 3, STORY * 2 + " More soon."]
PAGES = [{"id": f"p{i}", "page_title": f"T{i}", "body": text} for i, text in enumerate(TEXTS)]


def test_results_are_reduced_as_the_library_says(service: Running) -> None:
    answer = service.post("reduce", {"results": RESULTS, "query": "rooftop bees"})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["query"], found["profile"]) == ("rooftop bees", "default")
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


SEARXNG = {
    "query": "rooftop bees",
    "number_of_results": 0,
    "results": [
        {"title": r["title"], "url": r["url"], "content": r["snippet"], "engine": "mojeek"}
        for r in RESULTS
    ],
    "answers": [],
    "corrections": [],
    "infoboxes": [{"infobox": "Bees"}],
    "suggestions": ["bees"],
    "unresponsive_engines": [["brave", "timeout"]],
}
NAMED = [{"name": r["title"], "url": r["url"], "snippet": r["snippet"]} for r in RESULTS]
OTHERS = [
    {"query": {"original": "rooftop bees"}, "web": {"results": RESULTS}, "mixed": {}},
    {"search_parameters": {"q": "rooftop bees"}, "organic_results": RESULTS, "pagination": {}},
    {"queryContext": {"originalQuery": "rooftop bees"}, "webPages": {"value": NAMED}},
    {"queries": {"request": [{"searchTerms": "rooftop bees"}]}, "items": RESULTS, "kind": "x"},
    {"query": "rooftop bees", "answer": None, "images": [], "response_time": 1, "results": RESULTS},
]


@pytest.mark.parametrize("answer", [SEARXNG, *OTHERS], ids=["searxng", *"abcde"])
def test_whole_answers_of_search_services_are_taken(
    service: Running, answer: dict[str, Any]
) -> None:
    plain = service.post("reduce", {"query": "rooftop bees", "results": RESULTS}).json()
    assert service.post("reduce", answer).json() == plain
    assert service.post("reduce", {**answer, "threshold": 1.0}).json()["after"] == 4
    assert service.post("sweep", {**answer, "thresholds": [1.0]}).json()["rows"][0]["pages"] == 5


def test_options(service: Running) -> None:
    body = {"results": RESULTS, "target_n": 1}
    assert service.post("reduce", body).json()["after"] == 1
    assert service.post("reduce", {**body, "target_n": 1.0}).json()["after"] == 1
    cut = service.post("reduce", {**body, "threshold": 0.6}).json()
    assert (len(cut["dropped"]), len(cut["cut"])) == (2, 2)
    assert service.post("reduce", {"results": RESULTS, "threshold": 1.0}).json()["after"] == 4
    demoted = service.post("reduce", {"results": RESULTS, "mode": "demote"}).json()["results"]
    assert [bool(r.get("demoted")) for r in demoted] == [False, False, False, True, True]
    longest = service.post("reduce", {"pages": PAGES, "keep": "longest"}).json()
    assert longest["clusters"][0]["kept"] == "p1"
    assert longest["clusters"][1]["kept"] == "p2"


def test_nothing_and_broken_pages_are_answers(service: Running) -> None:
    for nothing in ({"pages": []}, {"search_parameters": {"q": "bees"}, "search_metadata": {}}):
        assert service.post("reduce", nothing).json()["before"] == 0
    found = service.post("reduce", {"pages": [{}, {"html": "\x00"}, PAGES[0]]}).json()
    assert (found["before"], len(found["failures"])) == (1, 2)


def check_schema(service: Running, route: str, answer: Any) -> None:
    """An answer has the fields that the OpenAPI states, of their types, and no others."""
    schemas = service.get("openapi.json").json()["components"]
    schema = {"$ref": f"#/components/schemas/{ROUTES[route][1]}", "components": schemas}
    jsonschema.validate(answer, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**answer, "other": 1}, schema)


def test_a_page_is_looked_for_in_the_index_of_the_service(service: Running, tmp_path: Path) -> None:
    refused = service.post("seen", {"page": {"body": STORY}})
    assert (refused.status_code, "--index FILE" in refused.text) == (422, True)
    path = tmp_path / "seen.idx"
    with Index(path) as index, running("--index", str(path), "--jobs", "1") as started:
        assert started.post("seen", {"page": STORY}).json()["new"]
        index.add([Page(id="a", query="bees", body=STORY)], shown_at="2026-11-16")
        found = started.post("seen", {"page": {"body": STORY + " More."}})
        check_schema(started, "seen", found.json())
        assert found.json()["matches"][0]["query"] == "bees"
        index.add([Page(id="b", body=f"{STORY} It cost 14 pounds.")])
        found = started.post("seen", {"page": {"body": f"{STORY} It cost 17 pounds."}})
        check_schema(started, "seen", found.json())
        (match,) = (match for match in found.json()["matches"] if match["id"] == "b")
        assert match["level"] == "same text, other facts"
        assert match["facts"]["differ"][0].items() >= {"a": "17 pounds", "b": "14 pounds"}.items()
        assert started.post("seen", {"page": STORY, "index": "/etc/passwd"}).status_code == 422


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


def body_schema(openapi: Any, route: str) -> Any:
    """Name and schema of a route's body."""
    content = openapi["paths"][f"/{route}"]["post"]["requestBody"]["content"]
    name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
    return name, openapi["components"]["schemas"][name]


def test_openapi_has_an_example_for_every_route(service: Running) -> None:
    openapi = service.get("openapi.json").json()
    for route in ("reduce", "compare", "sweep", "split"):
        for example in body_schema(openapi, route)[1]["examples"]:
            assert service.post(route, example).status_code == 200


def test_generators_of_clients_see_typed_bodies_and_short_names(service: Running) -> None:
    """openapi-python-client drops the fields of a body that has `oneOf` or `anyOf` beside them."""
    openapi = service.get("openapi.json").json()
    for route in ("reduce", "sweep", "compare", "split"):
        assert openapi["paths"][f"/{route}"]["post"]["operationId"] == route
        name, body = body_schema(openapi, route)
        assert name == f"{route.capitalize()}Request"
        assert body["properties"]
        assert not {"oneOf", "anyOf", "allOf"} & set(body)


def test_the_example_of_the_docs_runs(service: Running, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "service.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(compile(example.replace(":8000", f":{service.port}"), "service.md", "exec"), {})
    assert capsys.readouterr().out == "2 → 1 ['https://mirror.example/77']\n"
    help_text = run_reducepp("serve", "--help").stdout
    for option in re.findall(r"`(--[\w-]+)", page):
        assert option in help_text


def test_operators_profile_and_threshold_are_for_requests_that_name_none(tmp_path: Path) -> None:
    own = dump_profile(replace(find_profile("snippets"), name="own", threshold=0.9))
    (tmp_path / "own.toml").write_text(own, "utf-8")
    path = str(tmp_path / "own.toml")
    with running("--jobs", "1", "--profile", path, "--threshold", "1") as service:
        found = service.post("reduce", {"results": RESULTS}).json()
        assert (found["profile"], found["threshold"], found["after"]) == ("own", 1.0, 5)
        named = service.post("reduce", {"results": RESULTS, "profile": "snippets"}).json()
        assert named["threshold"] == find_profile("snippets").threshold
        assert service.post("reduce", {"pages": PAGES}).json()["profile"] == "own"


POSTS = [
    {"body": "The lighthouse will shine again, says the council", "followers": 10**400, "rank": 1},
    {"body": "the lighthouse will shine again says the council!", "followers": 90, "rank": 10**400},
]


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("reduce", {"results": RESULTS, "target_n": 1, "mode": "demote"}),
        ("reduce", {"pages": PAGES, "profile": "paper"}),
        ("reduce", {"pages": [{}, *POSTS], "profile": "posts"}),
        ("reduce", {"pages": []}),
        ("compare", {"a": PAGES[0], "b": PAGES[1]}),
        ("sweep", {"results": RESULTS}),
        ("split", {"html": f"<title>Bees</title><p>{STORY}</p>", "url": "https://a.example/"}),
    ],
)
def test_real_answers_have_exactly_the_fields_of_the_openapi(
    service: Running, route: str, body: dict[str, Any]
) -> None:
    answer = service.post(route, body)
    assert answer.status_code == 200, answer.text
    check_schema(service, route, answer.json())


def test_a_title_alone_is_kept_in_the_answer(service: Running) -> None:
    found = service.post("reduce", {"results": [{"title": "Bees", "url": "https://a.example"}]})
    assert found.json()["results"][0]["title"] == "Bees"


def test_head_is_answered_like_get_without_a_body(service: Running) -> None:
    for path in ("", "healthz", "metrics", "assets/page.css"):
        answer = httpx.head(f"{service.url}/{path}", trust_env=False)
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-type"] == service.get(path).headers["content-type"]


def test_behind_a_proxy_under_another_name_and_prefix_and_from_another_origin() -> None:
    words = ("--allowed-host", "Search.Example", "--root-path", "/dedupe/")
    with running(*words, "--cors-origin", "https://app.example", token="secret") as service:
        assert service.get("healthz", headers={"host": "search.example"}).status_code == 200
        assert service.get("healthz", headers={"host": "evil.example"}).status_code == 421
        schema = service.get("openapi.json").json()
        assert schema["servers"] == [{"url": "/dedupe"}]
        assert schema["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
        assert schema["paths"]["/reduce"]["post"]["security"]
        assert "security" not in schema["paths"]["/healthz"]["get"]
        page = service.get("").text
        assert 'src="assets/' in page
        assert 'src="/' not in page
        asked = {"origin": "https://app.example", "access-control-request-method": "POST"}
        allowed = httpx.options(f"{service.url}/reduce", headers=asked, trust_env=False)
        assert allowed.headers["access-control-allow-origin"] == "https://app.example"
        asked["origin"] = "https://evil.example"
        other = httpx.options(f"{service.url}/reduce", headers=asked, trust_env=False)
        assert "access-control-allow-origin" not in other.headers
        assert service.post("reduce", {"pages": []}).status_code == 401
        bearer = {"authorization": "Bearer secret"}
        assert service.post("reduce", {"pages": []}, headers=bearer).status_code == 200
