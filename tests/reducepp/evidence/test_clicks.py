"""Clicks: counts and r(u, v) by hand, the interval, kinds and actions, and bounded memory."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from reducepp.api import reduce
from reducepp.cli import main
from reducepp.errors import InputError
from reducepp.evidence.click_kinds import ACTIONS, CLICK_KINDS, kind_of
from reducepp.similarity import click_log as clicklog
from reducepp.similarity.click_log import LogNotes, count_pairs
from reducepp.similarity.click_scores import ClickPair, Order, load_clicks, read_clicks, wilson
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures import find_measure
from reducepp.text.urls import canonical_url
from reducepp.types import Page, Profile, Signal

U, V, W = "https://a.example/", "https://b.example/", "https://c.example/"


def line(shown: list[str], clicked: list[str], query: str = "q") -> str:
    return json.dumps({"query": query, "shown": shown, "clicked": clicked}) + "\n"


def worked(top: str = U, bottom: str = V) -> str:
    """With u on top: 6 top only, 2 bottom only, 2 both, 1 none; with v on top: 9, 1, 0."""
    up = [top, bottom]
    lines = [line([*up, W], c) for c in [[top]] * 6 + [[bottom]] * 2 + [[top, bottom]] * 2 + [[]]]
    return "".join([*lines, *[line(up[::-1], c) for c in [[bottom]] * 9 + [[top]]]])


def write(folder: Path, text: str, name: str = "log.jsonl") -> str:
    (folder / name).write_text(text, "utf-8")
    return str(folder / name)


def test_counts_and_score_by_hand(tmp_path: Path) -> None:
    pair = next(read_clicks(write(tmp_path, worked()), minimum=1))
    assert (pair.query, pair.u, pair.v) == ("q", U, V)
    assert pair.u_on_top == Order(top=6, bottom=2, both=2, shown=11)
    assert pair.v_on_top == Order(top=9, bottom=1, both=0, shown=10)
    assert pair.score == pytest.approx(min(6 / 10, 9 / 10))
    assert pair.observations == 10
    assert pair.right == V  # clicked below u in 4 of 10 lists, u below v in 1 of 10


def test_only_neighbours_count_and_only_pairs_seen_in_both_orders(tmp_path: Path) -> None:
    log = write(tmp_path, worked())
    assert [(u, v) for (_, u, v), _ in count_pairs(log)] == [(U, V), (V, W)]
    assert [(p.u, p.v) for p in read_clicks(log, minimum=1)] == [(U, V)]
    assert len(list(read_clicks(log, minimum=10))) == 1
    assert list(read_clicks(log, minimum=11)) == []


def test_an_order_without_clicks_has_no_score() -> None:
    assert math.isnan(ClickPair("q", U, V, Order(top=3), Order(shown=5)).score)
    assert kind_of(ClickPair("q", U, V, Order(top=3), Order(shown=5))) == "none"


def test_wilson_interval_by_hand() -> None:
    # 6 of 10 at z = 2: middle (0.6 + 0.2) / 1.4, half 2 √(0.024 + 0.01) / 1.4
    low, high = wilson(6, 10, z=2.0)
    assert low == pytest.approx(0.8 / 1.4 - 2 * math.sqrt(0.034) / 1.4)
    assert high == pytest.approx(0.8 / 1.4 + 2 * math.sqrt(0.034) / 1.4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_interval_holds_the_true_score_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(400):
        n = 40
        tops = [int(rng.binomial(n, rate)) for rate in (0.6, 0.7)]
        pair = ClickPair("q", U, V, *(Order(top=t, bottom=n - t) for t in tops))
        low, high = pair.interval
        assert low <= pair.score <= high
        inside += low <= 0.6 <= high
    assert inside / 400 >= 0.95


def pair_with(score: float, u: str = U, v: str = V) -> ClickPair:
    top = round(100 * score)
    return ClickPair("q", u, v, Order(top=top, bottom=100 - top), Order(top=100))


@pytest.mark.parametrize(
    ("score", "level", "linked", "kind"),
    [
        (0.9, "exact", False, "exact"),
        (0.4, "nearly exact", False, "exact"),
        (0.9, "weak", True, "navigational"),
        (0.9, "strong", False, "content"),
        (0.9, "", None, "content"),
        (0.9, "none", False, "weak"),
        (0.4, "strong", True, "weak"),
        (0.2, "exact", True, "none"),
    ],
)
def test_kinds_from_clicks_and_content(
    score: float, level: str, linked: bool | None, kind: str
) -> None:
    assert kind_of(pair_with(score), level=level, linked=linked) == kind
    assert set(ACTIONS) == set(CLICK_KINDS)


def test_pages_of_one_site_are_one_click_apart_where_links_are_not_known() -> None:
    assert kind_of(pair_with(0.9, "https://x.bank.com/", "https://bank.com/in")) == "navigational"


def test_csv_and_gzip_read_like_jsonl(tmp_path: Path) -> None:
    plain = write(tmp_path, worked())
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["query", "shown", "clicked"])
    for row in map(json.loads, worked().splitlines()):
        table.writerow([row["query"], " ".join(row["shown"]), " ".join(row["clicked"])])
    (tmp_path / "log.csv.gz").write_bytes(gzip.compress(text.getvalue().encode()))
    assert list(count_pairs(str(tmp_path / "log.csv.gz"))) == list(count_pairs(plain))


def test_lines_that_are_no_list_are_skipped_and_said(tmp_path: Path) -> None:
    notes = LogNotes()
    log = write(
        tmp_path,
        worked() + "{broken\n[]\n" + line([], [U]) + "x" * 2_000_000 + "\n" + line([U, V], [U]),
    )
    (counts,) = (c for (_, u, v), c in count_pairs(log, notes) if (u, v) == (U, V))
    assert counts[:4] == [7, 2, 2, 12]
    assert notes.skipped_count == 4
    with pytest.raises(InputError, match="No such file"):
        list(count_pairs(str(tmp_path / "none.jsonl")))
    with pytest.raises(InputError, match="columns query, shown and clicked"):
        list(count_pairs(write(tmp_path, "a,b\n1,2\n", "odd.csv")))


def test_spilling_changes_no_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    urls = [f"https://s{i}.example/" for i in range(12)]
    lists = [(rng.sample(urls, 6), f"q{rng.randrange(3)}") for _ in range(800)]
    log = write(tmp_path, "".join(line(s, rng.sample(s, rng.randrange(3)), q) for s, q in lists))
    whole = list(count_pairs(log))
    monkeypatch.setattr(clicklog, "IN_MEMORY", 20)
    assert list(count_pairs(log)) == whole
    shown = Counter((q, *sorted(two)) for s, q in lists for two in pairwise(s))
    assert {key: c[3] + c[7] for key, c in whole} == shown


def test_memory_does_not_grow_with_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tracemalloc

    monkeypatch.setattr(clicklog, "IN_MEMORY", 1000)
    peaks = []
    for lists in (2_000, 8_000):
        path = tmp_path / f"{lists}.jsonl"
        with path.open("w") as file:
            for n in range(lists):
                file.write(line([f"https://h.example/{i}" for i in range(6)], [], f"q{n}"))
        tracemalloc.start()
        assert sum(1 for _ in count_pairs(str(path))) == 5 * lists
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2.5 * peaks[0]


def profile_with(log: str) -> Profile:
    body = Signal(name="body", content="body", measure="cosine", weight=0.5)
    clicks = Signal(
        name="clicks",
        content="url",
        measure="clicks",
        options={"log": log, "minimum": 5},
        weight=0.5,
    )
    return Profile(name="made", signals=(body, clicks), threshold=0.5)


def test_as_a_signal_it_counts_where_it_was_observed(tmp_path: Path) -> None:
    log = write(tmp_path, worked())
    pages = [Page(id=u, url=u, query="q") for u in (U, V, W)]
    found = find_measure("clicks")(PageSet(pages).contents("url"), log=log, minimum=5)
    assert found[0, 1] == found[1, 0] == pytest.approx(0.6)
    assert np.isnan(found[0, 2])
    assert list(np.diagonal(found)) == [1, 1, 1]
    assert load_clicks(log, minimum=5).find(pages[0], pages[2]) is None


def test_kind_and_action_are_carried_into_the_reduction(tmp_path: Path) -> None:
    log = write(tmp_path, worked())
    texts = {U: "lyrics of the song about rain", V: "lyrics of a song about rain and sun"}
    pages = [{"url": u, "query": "q", "body": text} for u, text in texts.items()]
    found = reduce(pages, profile=profile_with(log))
    assert [(d.id, d.kept, d.kind, d.action) for d in found.dropped] == [
        (V, U, "content", "show as alternatives")
    ]


def test_of_two_pages_one_click_apart_the_right_one_is_kept(tmp_path: Path) -> None:
    home, login = "https://bank.example/", "https://bank.example/login"
    log = write(tmp_path, worked(home, login))
    pages = [
        {"url": home, "query": "q", "body": "the bank and its online banking", "links": [login]},
        {"url": login, "query": "q", "body": "the bank and its online banking, sign in"},
    ]
    found = reduce(pages, profile=profile_with(log))
    assert found.kept == (login,)
    assert [(d.id, d.kind, d.action) for d in found.dropped] == [
        (home, "navigational", "keep the right one")
    ]


def test_the_command_prints_counts_score_interval_and_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = write(tmp_path, worked())
    assert main(["clicks", log]) == 0
    out, err = capsys.readouterr()
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["u"], row["v"], row["u_top"], row["v_top"], row["score"]) == (U, V, "6", "9", "0.6")
    assert float(row["low"]) < 0.6 < float(row["high"])
    assert (row["kind"], row["action"]) == ("content", "show as alternatives")
    assert "21 result lists, 1 pairs" in err
    pages = write(
        tmp_path,
        "".join(json.dumps({"url": u, "query": "q", "body": "same words"}) + "\n" for u in (U, V)),
        "p.jsonl",
    )
    assert main(["clicks", log, "--pages", pages, "--format", "jsonl", "--top", "5"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "exact"


@pytest.mark.parametrize(
    "address",
    ["https://a.example/x", "http://a.example/x%20y", "https://A.example/x", "https://a.example",
     "https://a.example/x?utm_source=m&b=1", "https://a.example/x#top", "https://a.example:443/x"],
)  # fmt: skip
def test_the_short_cut_spells_addresses_as_the_long_way_does(address: str) -> None:
    assert clicklog.normalise_address(address) == canonical_url(address)


def test_what_is_no_address_stays_as_it_is() -> None:
    assert clicklog.normalise_address("doc-17") == "doc-17"
