"""The same input gets the same answer through every door: library, command line, HTTP, the
service's page, post-processor and estimator."""

import base64
import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reducepp import ReduceClusterer, postprocess, reduce
from reducepp.api import ReduceOptions, compare_query, find_profile, without_file
from reducepp.cluster.part_runs import read_result
from reducepp.input_kinds import PROFILE_OF_KIND
from reducepp.inputs import as_pages
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.labelled.signals import measure_pairs
from reducepp.service.handlers import Work
from reducepp.service.limits import ServiceSettings
from reducepp.text import lexicons
from tests.programs import Cli, run_reducepp

WORK = Work(ServiceSettings())

ROOFS = "Beekeepers on the roofs of the old town harvested more honey this year than the farms."
STORY = (
    "The council voted on Monday to repair the old lighthouse, which has been dark for nine years. "
    "Engineers found cracks in the gallery and rust in the lamp room, and the harbour master asked "
    "for a light that ships can see from beyond the sandbank. Work begins after the winter storms."
)
HIKE = (
    "A path leads over the cliffs to the northern bay. Bring water and a map, because the signs "
    "end behind the chapel and the fog comes in quickly when the wind turns in the afternoon."
)
COOKIES = "We value your privacy. We and our partners store and access information on a device."


def page(number: int, title: str, body: str) -> dict[str, Any]:
    return {"url": f"https://site{number}.example/{number}", "page_title": title, "body": body}


def result(number: int, title: str, snippet: str) -> dict[str, Any]:
    return {"title": title, "url": f"https://site{number}.example/{number}", "snippet": snippet}


PAGES = [
    page(1, "Lighthouse to be repaired", STORY),
    page(2, "Cliff walk", HIKE),
    page(3, "Old lighthouse gets new lamp", f"HARBOUR TOWN - {STORY}"),
]
SNIPPETS = [
    result(1, "Rooftop bees beat field bees | Herald", ROOFS),
    result(2, "Lighthouse to be repaired", COOKIES),
    result(3, "Rooftop bees beat field bees", f"{ROOFS} More soon."),
    result(4, "Timetable of the ferries", COOKIES),
    result(5, "Bees", ""),
]
TEXTS = [{"body": STORY * 2}, {"body": HIKE * 3}, {"body": STORY * 2}]
POSTS = [
    {"body": "The lighthouse will shine again, says the council", "followers": 12, "client": "web"},
    {"body": "Fog on the cliffs today, take a map with you", "followers": 3, "client": "web"},
    {"body": "the lighthouse will shine again says the council!", "followers": 90},
]
ASKED = (
    "We use cookies to measure visits. By clicking accept you agree that we and our partners "
    "store information on your device; you can change your choice at any time in the settings."
)
WALLS = [
    page(1, "Lighthouse to be repaired", f"{STORY[:95]}\n{ASKED}"),
    page(2, "The Bay", ASKED),
    page(3, "Harbour", "You have been blocked. Please enable cookies and reload the page."),
]
SEARXNG = [{"title": r["title"], "url": r["url"], "content": r["snippet"]} for r in SNIPPETS]
SERPAPI = [
    {"title": r["title"], "link": r["url"], "snippet": r["snippet"], "position": i}
    for i, r in enumerate(SNIPPETS, 1)
]
LISTS: list[dict[str, Any]] = [
    {"id": 1, "url": "https://a.example/1", "title": "Bees", "highlights": [ROOFS, HIKE]},
    {"id": 2, "url": "https://b.example/2", "title": "Bees", "highlights": [ROOFS, HIKE]},
    {"id": 2, "title": "Bay", "subtitles": ["The path", "The fog"], "links": ["https://c.example"]},
    {"title": "Bay", "body": HIKE, "subtitles": ["The path", "The fog"], "publishedDate": None},
    {"url": "https://d.example", "snippet": HIKE, "html": "<title>Cliff walk</title><p>Sign in"},
]
"""Values that are no texts, as services, stores and data frames give them."""
MIXED = [PAGES[0], SNIPPETS[0], PAGES[2], SNIPPETS[1], {"body": HIKE}]


def html(entry: dict[str, Any]) -> str:
    title, body = entry["page_title"], entry["body"]
    return f"<html><head><title>{title}</title></head><body><p>{body}</p></body></html>"


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@dataclass(frozen=True)
class Given:
    """One input: its records, and the same as a file for the command line and the page."""

    records: list[dict[str, Any]]
    write: Callable[[Path], Path]
    kind: str


def as_file(name: str, text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_text(text, "utf-8")
        return folder / name

    return write


def as_csv(records: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]))
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


def as_folder(folder: Path) -> Path:
    for number, entry in enumerate(PAGES, 1):
        (folder / f"{number}.html").write_text(html(entry), "utf-8")
    return folder


HTML = [{"id": f"{n}.html", "html": html(entry)} for n, entry in enumerate(PAGES, 1)]

INPUTS = {
    "pages": Given(PAGES, as_file("pages.jsonl", lines(PAGES)), "pages"),
    "walls": Given(WALLS, as_file("walls.jsonl", lines(WALLS)), "pages"),
    "snippets": Given(SNIPPETS, as_file("snippets.jsonl", lines(SNIPPETS)), "results"),
    "texts": Given(TEXTS, as_file("texts.jsonl", lines(TEXTS)), "texts"),
    "posts": Given(POSTS, as_file("posts.jsonl", lines(POSTS)), "posts"),
    "serpapi": Given(
        SERPAPI, as_file("serpapi.json", json.dumps({"organic_results": SERPAPI})), "results"
    ),
    "searxng": Given(SEARXNG, as_file("searxng.json", json.dumps({"results": SEARXNG})), "results"),
    "csv": Given(SNIPPETS, as_file("snippets.csv", as_csv(SNIPPETS)), "results"),
    "html folder": Given(HTML, as_folder, "pages"),
    "lists": Given(LISTS, as_file("lists.jsonl", lines(LISTS)), "pages"),
    "mixed": Given(MIXED, as_file("mixed.jsonl", lines(MIXED)), "pages"),
}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"threshold": 0.9},
    {"min_score": 0.95},
    {"target_n": 1},
    {"target_n": 2, "threshold": 0.99, "min_score": 0.3},
    {"keep": "longest", "linkage": "average", "mode": "demote"},
    {"profile": "default", "keep": "walk"},
    {"kind": "results"},
]


def answer(data: dict[str, Any]) -> dict[str, Any]:
    """What must agree: all but passages and facts, explanations that not every door asks for."""
    explained = ("passages", "facts")
    dropped = [{k: v for k, v in d.items() if k not in explained} for d in data["dropped"]]
    return {**data, "dropped": dropped}


def by_library(records: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    from reducepp.io.writers import reduction_to_dict

    return answer(reduction_to_dict(reduce(records, **options)))


def by_command(words: list[str], cli: Cli) -> dict[str, Any]:
    (found,) = json.loads(cli(*words).out)["reductions"]
    return answer(found)


def by_http(body: dict[str, Any]) -> dict[str, Any]:
    status, text = WORK("reduce", json.dumps(body).encode())
    assert status == 200, text
    return answer(json.loads(text))


def words_for(options: dict[str, Any]) -> list[str]:
    return [w for k, v in options.items() for w in (f"--{k.replace('_', '-')}", str(v))]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", INPUTS)
def test_library_command_http_and_postprocessor_agree(
    name: str, options: dict[str, Any], tmp_path: Path, cli: Cli
) -> None:
    given = INPUTS[name]
    expected = by_library(given.records, **options)
    if "profile" not in options and "kind" not in options:
        assert expected["profile"] == PROFILE_OF_KIND[given.kind]
    words = ["reduce", str(given.write(tmp_path)), "--format", "json", *words_for(options)]
    assert by_command(words, cli) == expected
    assert by_http({"pages": given.records, **options}) == expected
    assert by_http({"results": given.records, **options}) == expected
    assert answer(postprocess(given.records, **options).report()) == expected


@pytest.mark.parametrize("name", INPUTS)
def test_the_page_uses_the_same_profile_and_scores(name: str, tmp_path: Path) -> None:
    given = INPUTS[name]
    path = given.write(tmp_path)
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    sent = [{"name": f.name, "base64": base64.b64encode(f.read_bytes()).decode()} for f in files]
    status, text = WORK("view", json.dumps({"files": sent}).encode())
    assert status == 200, text
    report = json.loads(text)["report"]
    assert report["profile"]["name"] == PROFILE_OF_KIND[given.kind]
    assert report["threshold"] == by_library(given.records)["threshold"]


@pytest.mark.parametrize("name", INPUTS)
def test_the_estimator_finds_the_same_clusters(name: str) -> None:
    records = INPUTS[name].records
    reduction = reduce([{**r, "id": str(i)} for i, r in enumerate(records)])
    labels = ReduceClusterer().fit_predict(records)
    clusters = [
        [str(i) for i, label in enumerate(labels) if label == number]
        for number in range(max(labels) + 1)
    ]
    assert sorted(map(list, (c.members for c in reduction.clusters))) == sorted(clusters)


def test_standard_input_is_read_like_a_file(tmp_path: Path) -> None:
    given = INPUTS["searxng"]
    text = given.write(tmp_path).read_bytes()
    run = run_reducepp("reduce", "-", "--format", "json", input=text)
    (found,) = json.loads(run.stdout)["reductions"]
    assert answer(found) == by_library(given.records)


def test_a_data_frame_is_read_like_its_rows() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(SNIPPETS)
    assert by_library(frame) == by_library(SNIPPETS)
    assert list(ReduceClusterer().fit_predict(frame)) == list(
        ReduceClusterer().fit_predict(SNIPPETS)
    )


def test_empty_list_through_every_door(tmp_path: Path, cli: Cli) -> None:
    expected = by_library([])
    assert (expected["before"], expected["after"], expected["profile"]) == (0, 0, "default")
    assert by_http({"pages": []}) == by_http({"results": []}) == expected
    assert answer(postprocess([]).report()) == expected
    source = tmp_path / "empty.jsonl"
    source.write_text("", "utf-8")
    assert "no page in it" in cli("reduce", source, status=1).err


def test_results_with_cookie_notices_stay_apart_through_every_door(
    tmp_path: Path, cli: Cli
) -> None:
    titles = ["Lighthouse repaired", "Ferry timetable", "Bees on roofs", "Cliff walk", "Bakery"]
    results = [result(i, title, COOKIES) for i, title in enumerate(titles, 1)]
    assert by_library(results)["after"] == len(titles)
    assert by_http({"results": results})["after"] == len(titles)
    source = as_file("answer.json", json.dumps({"results": results}))(tmp_path)
    assert by_command(["reduce", str(source), "--format", "json"], cli)["after"] == len(titles)


def test_walls_given_as_texts_are_counted_and_not_merged_with_content() -> None:
    found = by_library(WALLS)
    assert found["after"] == len(WALLS)
    (note,) = (note for note in found["warnings"] if "no content of their own" in note)
    assert note.startswith("2 of 3 pages")
    assert not by_library([{"body": entry["body"]} for entry in WALLS])["warnings"]


def test_the_report_lists_the_representative_policies_of_the_front_door() -> None:
    from reducepp.api import CHOICES
    from reducepp.service.requests import ReduceRequest

    schema = ReduceRequest.model_json_schema()["properties"]
    for name in ("kind", "keep", "mode"):
        assert tuple(schema[name]["enum"]) == CHOICES[name]
        assert schema[name]["default"] == CHOICES[name][0]
    assert tuple(schema["linkage"]["enum"]) == (*CHOICES["linkage"][1:], None)


def test_missing_packages_are_named_to_those_who_chose_what_needs_them(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lexicons, "_lookup_table", lambda _: {})
    lexicons._log_missing.cache_clear()
    texts = ["The council voted to repair the lighthouse.", "The council repaired the lighthouse."]
    reduce(texts)
    assert caplog.text == ""
    reduce([f"{text} It shines." for text in texts], profile="posts")
    assert "spacy-lookups-data (lemmas) not installed" in caplog.text


TOLD = (
    "The council of {} voted with {} to {} for a pool with {} lanes that costs {} million euros. "
    "The baths by the station were built in 1936 and close in May. About 4,200 people signed a "
    "letter to keep them, and 15 schools will use the pool once the work of 18 months is done."
)
UPDATES = [
    page(1, "New pool", TOLD.format("Fairhaven", 31, 12, 6, 14.2)),
    page(2, "New pool approved", TOLD.format("Fairhaven", 31, 12, 6, 12.4)),
]
SHORT_UPDATES = [result(n, e["page_title"], e["body"][:95]) for n, e in enumerate(UPDATES)]


@pytest.mark.parametrize("records", [UPDATES, SHORT_UPDATES], ids=["pages", "results"])
def test_the_facts_of_a_pair_are_the_same_wherever_they_are_asked_for(
    records: list[dict[str, Any]], tmp_path: Path, cli: Cli
) -> None:
    """Of a dropped page and of the pair compared: by library, command line and HTTP."""
    records = [{**record, "id": str(n)} for n, record in enumerate(records)]
    (tmp_path / "pages.jsonl").write_text(lines(records), "utf-8")
    (by_library,) = reduce(records, threshold=0).dropped
    pair = {"a": records[int(by_library.id)], "b": records[int(by_library.kept)]}
    (tmp_path / "pairs.jsonl").write_text(lines([pair]), "utf-8")
    words = ["reduce", str(tmp_path / "pages.jsonl"), "--threshold", "0", "--format", "json"]
    (by_command,) = json.loads(cli(*words).out)["reductions"][0]["dropped"]
    compared = json.loads(cli("compare", tmp_path / "pairs.jsonl").out)
    asked = json.dumps({"pages": records, "threshold": 0}).encode()
    (by_http,) = json.loads(WORK("reduce", asked)[1])["dropped"]
    compared_by_http = json.loads(WORK("compare", json.dumps(pair).encode())[1])
    answers = [by_command, compared, by_http, compared_by_http]
    assert all(one["facts"] == by_library.facts for one in answers)
    assert by_library.facts["differ"] or records[0].get("snippet")


LONG = [
    {**page(n, title, f"{text} {HIKE * n}"), "snippet": text[:90]}
    for n, (title, text) in enumerate([("Lamp", STORY), ("Old lamp", STORY), ("Walk", HIKE)], 1)
]


@pytest.mark.parametrize("profile", ["auto", "snippets"])
def test_a_sweep_has_the_same_rows_in_the_terminal_and_over_http(
    profile: str, tmp_path: Path, cli: Cli
) -> None:
    path = as_file("long.jsonl", lines(LONG))(tmp_path)
    words = ["--profile", profile, "--from", "0.2", "--to", "0.8", "--step", "0.3"]
    printed = json.loads(cli("sweep", path, *words, "--format", "json").out)["rows"]
    body = {"pages": LONG, "thresholds": [0.2, 0.5, 0.8]}
    status, text = WORK("sweep", json.dumps(body | {"profile": profile}).encode())
    assert status == 200, text
    for row, shown in zip(json.loads(text)["rows"], printed, strict=True):
        assert {name: shown[name] for name in row} == pytest.approx(row, nan_ok=True)


def test_labelled_pairs_of_results_are_scored_by_their_snippets() -> None:
    pages, _ = as_pages([{**entry, "id": str(n)} for n, entry in enumerate(LONG)])
    labels = [PairLabel(a="0", b=b, grade=b == "1") for b in "12"]
    options = ReduceOptions(profile="snippets")
    expected = compare_query(pages, options).similarities.by_signal["snippet"][0, 1:]
    found = measure_pairs(find_pairs([pages], labels), find_profile("snippets"))
    assert found.by_signal["snippet"].tolist() == expected.tolist()
    assert expected[0] == 1.0  # the same snippet, under texts that differ


def test_the_pages_decide_where_the_profile_is_auto_or_default(tmp_path: Path, cli: Cli) -> None:
    path = as_file("posts.jsonl", lines([*POSTS, *POSTS]))(tmp_path)
    for profile in ("auto", "default"):
        out = tmp_path / profile
        cli("reduce", path, "--parts", out, "--profile", profile)
        (row,) = read_result(out / "posts.jsonl.parquet").to_pylist()
        assert json.loads(row["reduction"])["profile"] == "posts"
        work = Work(ServiceSettings(profile=without_file(profile)))
        assert (
            json.loads(work("reduce", json.dumps({"pages": POSTS}).encode())[1])["profile"]
            == "posts"
        )
    learned = cli("weights", "learn", path, "--model", "separation").out
    assert 'description = "Signals of posts, separation."' in learned
