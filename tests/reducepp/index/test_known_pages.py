"""What an index says of a page that it has: facts, level, and pages without content."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.api import ReduceOptions, reduce_pages
from reducepp.index import Index
from reducepp.types import Page
from tests.programs import Cli

FERRY = (
    "The ferry sank on Monday with 84 people on board. Rescuers pulled 61 survivors from the "
    "water, and {} bodies were recovered. The captain, 52, was among the survivors. The vessel was "
    "built in 1987 and carried 23 cars. The minister promised an inquiry and visited the harbour."
)
RATES = (
    "Euro exchange rates of {} May 2024. US dollar {}. British pound {}. Swiss franc {}. All rates "
    "are reference rates of the central bank and are published every working day."
)
OLD_RATES = RATES.format(3, "1.0743", "0.8570", "0.9741")
NEW_RATES = RATES.format(6, "1.0769", "0.8575", "0.9755")
WALL = "We use cookies to improve your experience. Accept all cookies or manage your preferences."


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (FERRY.format(14), FERRY.format(14), ""),
        (FERRY.format(14), FERRY.format(17), "same text, other figures: 17 / 14 bodies"),
        (OLD_RATES, NEW_RATES, "1.0769 / 1.0743 dollar"),
    ],
)
def test_facts_and_level_of_a_match_are_those_of_a_dropped_page(
    old: str, new: str, says: str, tmp_path: Path
) -> None:
    known, page = (
        Page(id=text[:9], rank=i, url="https://a.example/x", body=text)
        for i, text in enumerate((old, new))
    )
    (dropped,) = reduce_pages([known, replace(page, id="new")], ReduceOptions()).dropped
    with Index(tmp_path / "seen.idx") as index:
        index.add([known])
        (match,) = index.query(page).matches
    assert (match.level, match.facts) == (dropped.level, dropped.facts)
    assert says in match.facts["summary"]
    assert bool(says) == bool(match.facts["differ"])


def test_a_page_is_not_seen_where_its_facts_contradict_a_page_elsewhere(tmp_path: Path) -> None:
    known = Page(id="old", url="https://a.example/rates", body=OLD_RATES)
    page = Page(id="new", url="https://b.example/rates", body=NEW_RATES)
    with Index(tmp_path / "seen.idx") as index:
        index.add([known])
        assert index.query(page).is_new
        index.add([replace(page, id="same", url="https://c.example/rates")])
        assert [match.id for match in index.query(page).matches] == ["same"]


def test_a_page_is_seen_as_the_match_that_states_the_same(tmp_path: Path) -> None:
    url = "https://a.example/ferry"
    with Index(tmp_path / "seen.idx") as index:
        index.add([Page(id=f"{n} dead", url=url, body=FERRY.format(n)) for n in (14, 17, 19)])
        page = Page(id="x", rank=1, url=url, body=FERRY.format(17))
        (seen,) = index.reduce_unseen([page], ReduceOptions()).seen
        assert (seen.match.id, seen.match.level) == ("17 dead", "exact")
        page = replace(page, body=FERRY.format(18))
        (seen,) = index.reduce_unseen([page], ReduceOptions()).seen
        assert (seen.match.id, seen.match.level) == ("14 dead", "same text, other facts")


@pytest.mark.parametrize(
    ("known", "asked", "is_new"),
    [
        (("a", "consent", WALL), ("b", "consent", WALL), True),
        (("a", "consent", WALL), ("a", "consent", WALL), False),
        (("a", "", FERRY), ("a", "consent", WALL), False),
        (("a", "consent", WALL), ("a", "", FERRY), True),
        (("a", "home", FERRY), ("b", "home", FERRY), False),
        (("", "consent", WALL), ("", "consent", WALL), True),
    ],
)
def test_a_page_without_content_is_seen_under_its_own_address_only(
    known: tuple[str, ...], asked: tuple[str, ...], is_new: bool, tmp_path: Path
) -> None:
    pages = [
        Page(id=name, url=site and f"https://{site}.example/x", content_class=kind, body=body)
        for name, (site, kind, body) in {"known": known, "asked": asked}.items()
    ]
    with Index(tmp_path / "seen.idx") as index:
        index.add(pages[:1])
        assert index.query(pages[1]).is_new == is_new
        found = index.reduce_unseen([replace(pages[1], rank=1)], ReduceOptions())
        assert len(found.seen) == (not is_new)
        says = "1 of 1 pages have no content of their own: 1 consent"
        assert found.warnings == ((says,) if asked[1] == "consent" else ())


def test_the_commands_name_other_facts_of_what_was_seen(tmp_path: Path, cli: Cli) -> None:
    rows = {
        "monday": [("a", FERRY.format(14)), ("b", WALL)],
        "tuesday": [("c", FERRY.format(17)), ("d", WALL)],
    }
    for day, pages in rows.items():
        lines = (json.dumps({"url": f"https://{x}.example/1", "body": body}) for x, body in pages)
        (tmp_path / day).write_text("\n".join(lines), "utf-8")
    index, new = tmp_path / "seen.idx", tmp_path / "tuesday"
    cli("index", "add", index, tmp_path / "monday")
    summary, level = "same text, other figures: 17 / 14 bodies", "same text, other facts"
    seen, wall = map(json.loads, cli("index", "query", index, new).out.splitlines())
    assert seen["matches"][0]["level"] == level
    assert (seen["matches"][0]["facts"]["summary"], wall["new"]) == (summary, True)

    def reduced(*form: str) -> str:
        return cli("reduce", new, "--seen", index, "--format", *form).out

    found = json.loads(reduced("jsonl"))
    assert found["seen"][0]["shown"] == seen["matches"][0]
    words = [len(body.split()) for _, body in rows["tuesday"]]
    assert found["words"] == {"before": sum(words), "after": words[1]}
    assert all(f"{summary} (now / shown before)" in reduced(form) for form in ("table", "md"))
    assert all(level in reduced(*form) for form in (("table", "--explain"), ("csv",)))
    walls = "1 of 2 pages have no content of their own: 1 consent"
    assert all(walls in reduced(form) for form in ("table", "md"))
