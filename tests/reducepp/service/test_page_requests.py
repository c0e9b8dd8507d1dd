"""What the page asks for, without a browser: files to a report, labels to a profile."""

import base64
import json
from typing import Any

import pytest

from reducepp.demo import label_rows, load_manifest
from reducepp.errors import InputError, LabelsError, UsageError
from reducepp.service.limits import ServiceLimits, ServiceSettings
from reducepp.service.page_requests import (
    GivenQuery,
    Label,
    LearnRequest,
    ViewRequest,
    learn_labels,
    view_files,
)
from reducepp.service.uploads import Upload
from reducepp.weights.profile import parse_profile
from tests.reducepp.plugins.samples import RESULTS


def given(name: str, data: str | bytes) -> Upload:
    raw = data.encode() if isinstance(data, str) else data
    return Upload(name=name, base64=base64.b64encode(raw).decode())


def settings_for(pages: int) -> ServiceSettings:
    return ServiceSettings(limits=ServiceLimits(pages=pages))


def view(*files: Upload, most: int = 100, **more: Any) -> dict[str, Any]:
    return view_files(ViewRequest(files=list(files), **more), settings_for(most))


@pytest.fixture(scope="module")
def demo() -> dict[str, Any]:
    return view(demo=True)


def test_the_demo_is_every_query_the_package_carries(demo: dict[str, Any]) -> None:
    assert [q["query"] for q in demo["queries"]] == [q.query for q in load_manifest()]
    assert demo["profile"] == "default"
    assert demo["report"]["format"] == "reducepp-report"


def test_forms_of_one_list_give_one_report() -> None:
    lines = "\n".join(json.dumps(r) for r in RESULTS)
    as_json = json.dumps({"query": "", "results": RESULTS})
    header = "title,url,snippet\n"
    rows = "".join('"{title}","{url}","{snippet}"\n'.format(**r) for r in RESULTS)
    reports = [
        view(given(name, data))["report"]["queries"][0]["tree"]
        for name, data in (("a.jsonl", lines), ("pasted", lines), ("b.json", as_json))
    ]
    reports.append(view(given("c.csv", header + rows))["report"]["queries"][0]["tree"])
    assert all(tree == reports[0] for tree in reports)


def test_a_query_of_which_no_page_can_be_used_shows_its_failures() -> None:
    lines = [{**RESULTS[0], "query": "light"}]
    lines += [{"query": "dark", "url": f"https://d.example/{n}", "html": "<p> </p>"} for n in "ab"]
    lines += [{**RESULTS[1], "query": "light"}, {"query": "light", "url": "u", "html": "<p>"}]
    found = view(given("a.jsonl", "\n".join(map(json.dumps, lines))))
    light, dark = found["report"]["queries"]
    assert (light["query"], len(light["pages"]), len(light["failures"])) == ("light", 2, 1)
    assert (dark["query"], dark["pages"]) == ("dark", [])
    assert [failure["url"] for failure in dark["failures"]] == [
        f"https://d.example/{n}" for n in "ab"
    ]
    assert found["queries"][1] == {"query": "dark", "pages": []}


def test_names_cannot_lead_anywhere() -> None:
    found = view(given("../../etc/x.html", "<title>T</title><p>Some text of a page."))
    assert found["queries"][0]["pages"][0]["id"] == "x.html"


@pytest.mark.parametrize(
    ("files", "error", "says"),
    [
        ([], UsageError, "at least one"),
        ([Upload(name="a.json", base64="*")], UsageError, "a.json: not base64"),
        ([given("a.gz", b"\x1f\x8b")], InputError, "damaged gzip"),
        ([given("a.jsonl", "{}\n" * 3)], InputError, "neither url"),
    ],
)
def test_what_is_wrong_is_named(files: list[Upload], error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        view(*files)


def test_too_many_pages_are_refused() -> None:
    with pytest.raises(UsageError, match="5 pages: at most 4"):
        view(given("a.jsonl", "\n".join(json.dumps(r) for r in RESULTS)), most=4)


def labelled(demo: dict[str, Any], most: int) -> LearnRequest:
    known = {page["id"] for query in demo["queries"] for page in query["pages"]}
    labels = []
    for query in load_manifest():
        rows = [row for row in label_rows(query) if {row[1], row[2]} <= known]
        for wanted in (1, 0):
            labels += [row for row in rows if row[3] == wanted][:most]
    return LearnRequest(
        queries=[GivenQuery(**query) for query in demo["queries"]],
        labels=[Label(query=q, a=a, b=b, duplicate=bool(d)) for q, a, b, d in labels],
    )


def test_labels_become_a_profile_that_can_be_read_back(demo: dict[str, Any]) -> None:
    found = learn_labels(labelled(demo, 8), settings_for(100))
    profile = parse_profile(found["toml"], where="learned")
    assert profile.threshold == found["threshold"]
    assert found["report"]["threshold"] == found["threshold"]
    assert set(found["figures"]) == {"precision", "recall", "f"}
    assert "Learned (linear)" in profile.provenance


def test_few_labels_of_one_query_are_learned_with_a_warning(demo: dict[str, Any]) -> None:
    request = labelled(demo, 8)
    first = request.queries[0].query
    few = [label for label in request.labels if label.query == first]
    few = [x for x in few if x.duplicate][:5] + [x for x in few if not x.duplicate][:5]
    found = learn_labels(request.model_copy(update={"labels": few}), settings_for(100))
    assert found["figures"] or found["why"].startswith("How well they do elsewhere")
    with pytest.raises(LabelsError, match="at least 5 of each"):
        learn_labels(request.model_copy(update={"labels": few[:6]}), settings_for(100))


def test_labels_of_unknown_pages_are_skipped_and_counted(demo: dict[str, Any]) -> None:
    request = labelled(demo, 8)
    strange = Label(query="elsewhere", a="https://x.example", b="https://y.example", duplicate=True)
    known = learn_labels(request, settings_for(100))
    found = learn_labels(
        request.model_copy(update={"labels": [strange, *request.labels]}), settings_for(100)
    )
    assert (known["skipped"], found["skipped"]) == (0, 1)
    assert found["figures"] == known["figures"]
    assert "[1.000, 1.000]" not in "".join(found["figures"].values())
