"""Large queries: only the strongest pairs are carried, compressed, with the same clusters."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reducepp.api import ReduceOptions, compare_query, compare_with_facts
from reducepp.clustering.levels import text_levels
from reducepp.comparison import Comparison
from reducepp.evaluation.report import large_sets, report_data, report_formats, report_html
from reducepp.types import Page
from tests.evaluation.report.expected import write_pages
from tests.programs import Cli


@pytest.fixture
def as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_sets, "MAX_WHOLE_PAGES", 20)
    monkeypatch.setattr(report_formats, "MAX_PLAIN_CHARS", 1000)


def unpacked(packed: dict[str, str]) -> list[float]:
    data = base64.b64decode(packed["data"])
    return np.frombuffer(data, dtype=f"<{packed['type']}").astype(float).tolist()


@pytest.mark.usefixtures("as_large")
def test_carried_pairs_are_the_engines(hundred: Comparison) -> None:
    links = report_data([hundred])["queries"][0]["links"]
    n = len(hundred.pages)
    places = np.cumsum(unpacked(links["pairs"])).astype(int)
    first, second = places // n, places % n
    assert unpacked(links["scores"]) == hundred.scores[first, second].tolist()
    assert links["floor"] == large_sets.LINK_FLOOR
    carried = set(places.tolist())
    strong = np.nonzero(np.triu(hundred.scores >= large_sets.LINK_FLOOR, 1))
    assert carried.issuperset((strong[0] * n + strong[1]).tolist())
    for name, values in hundred.similarities.by_signal.items():
        found = np.array(unpacked(links["signals"][name]))
        np.testing.assert_allclose(found, values[first, second], atol=1e-6)


@pytest.mark.usefixtures("as_large")
@pytest.mark.parametrize("part", [50, 1])
def test_levels_within_clusters_are_the_engines(
    hundred: Comparison, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_sets, "PART_BLOCKS", part)  # of one: found by worker processes
    links = report_data([hundred])["queries"][0]["links"]
    n, levels = len(hundred.pages), text_levels(hundred.pages)
    places = np.cumsum(unpacked(links["pairs"])).astype(int)
    found = dict(zip(places.tolist(), unpacked(links["levels"]), strict=True))
    for group in hundred.tree.clusters_at(0.8):
        for i in group:
            assert all(found[i * n + j] == levels[i, j] for j in group if j > i)


@pytest.mark.usefixtures("as_large")
def test_merged_pairs_are_compared_by_their_facts_whatever_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(report_data.__globals__, "FACTS_BUDGET", 0)
    quake = (
        "The quake in the valley killed {} people and hurt {} more, the ministry of health said on "
        "Monday. Rescue workers searched the ruins of the old town for a second night."
    )
    bodies = [quake.format(12, 300), quake.format(950, 7000), *(f"Page {n}." for n in range(30))]
    hosts = (f"https://site{n}.example/" for n in range(len(bodies)))
    pages = [Page(id=url, url=url, body=b) for url, b in zip(hosts, bodies, strict=True)]
    comparison, facts = compare_with_facts(pages, ReduceOptions(kind="pages"))
    (found,) = report_data([comparison], None, [facts])["queries"][0]["facts"]
    assert ({found["a"], found["b"]}, found["contradict"]) == ({0, 1}, True)
    assert report_data([comparison])["queries"][0]["facts"] == []


def test_no_more_pairs_than_the_limit(hundred: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_sets, "MAX_LINKS", 50)
    monkeypatch.setattr(large_sets, "MAX_BLOCK", 1)
    links = large_sets.strongest_links(hundred)
    assert len(links.scores) == 50
    assert links.floor == links.scores.min() > large_sets.LINK_FLOOR


@pytest.mark.usefixtures("as_large")
def test_data_are_compressed(hundred: Comparison) -> None:
    html = report_html(report_data([hundred]))
    packed = re.search(r'type="application/gzip" id="report-data">([^<]*)<', html)
    assert packed
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert len(data["queries"][0]["pages"]) == len(hundred.pages)


def test_pages_beyond_the_dense_limit_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 10)
    monkeypatch.setattr(large_sets, "MAX_WHOLE_PAGES", 10)
    texts = [f"Report {k // 2} on the harbour of town {k // 2}: " * 9 for k in range(30)]
    pages = [Page(id=str(k), rank=k, body=text + "x" * (k % 2)) for k, text in enumerate(texts)]
    options = ReduceOptions(profile="default")
    dense = compare_query(pages, options)
    sparse = compare_query(pages, options, floor=0.3)
    found, wanted = large_sets.strongest_links(sparse), large_sets.strongest_links(dense)
    strong = wanted.scores >= 0.3
    assert found.scores[found.scores >= 0.3].tolist() == wanted.scores[strong].tolist()


def test_the_command_says_beforehand(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_sets, "MAX_WHOLE_PAGES", 2)
    pages = write_pages(tmp_path / "pages.jsonl")
    err = cli("report", pages, "--out", tmp_path / "r.html").err
    assert "the report has its strongest pairs only" in err
    assert 5_600_000 < large_sets.estimate_bytes([4000], 9) < 10_000_000
