"""`reducepp demo` end to end: served on loopback, collected, stored, reduced."""

import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from reducepp.cli.demo_command import MADE_HERE, write_report
from reducepp.cli.options import make_parser
from reducepp.demo import load_manifest, read_pages_html, true_pairs
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.scraping.store.dataset import read_store_pages
from reducepp.scraping.store.store import Store
from tests.programs import Cli
from tests.scraping.stores import read_store


def run_demo(out: Path, cli: Cli, *words: str) -> tuple[str, str]:
    said = cli("demo", "--out", out, *words)
    return said.out, said.err


@pytest.mark.slow
def test_the_demo_without_a_browser(tmp_path: Path, cli: Cli) -> None:
    out, said = run_demo(tmp_path, cli, "--render", "never", "--format", "json")
    reductions = json.loads(out)["reductions"]
    queries = load_manifest()
    assert [reduction["query"] for reduction in reductions] == [query.query for query in queries]
    assert "collected 78 pages without a browser (0 rendered)" in said
    for query, reduction in zip(queries, reductions, strict=True):
        assert reduction["before"] + len(reduction["failures"]) == len(query.pages)
        together = [set(cluster["members"]) for cluster in reduction["clusters"]]
        pairs = [{url.replace("https:", "http:") for url in pair} for pair in true_pairs(query)]
        found = sum(any(pair <= members for members in together) for pair in pairs)
        assert found >= 0.9 * len(pairs)
        assert f"{query.query}: {reduction['before']} pages shown as {reduction['after']}; " in said
    for collected, query in zip(read_store(tmp_path / "pages.sqlite"), queries, strict=True):
        assert (collected.query.language, collected.query.domain) == (query.language, query.domain)
        ranks = {page.url.replace("https:", "http:"): page.rank for page in query.pages}
        assert all(ranks[page.url] == page.rank for page in collected.pages)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(find_programs() is None, reason="no chromium and chromedriver here")
def test_the_demo_with_a_browser(tmp_path: Path, cli: Cli) -> None:
    out, said = run_demo(tmp_path, cli)
    assert "collected 78 pages with the browser (6 rendered)" in said
    assert "shown, " in out
    report = (tmp_path / "report.html").read_text("utf-8")
    assert all(query.query in report for query in load_manifest())
    with Store(tmp_path / "pages.sqlite", mode="read") as store:
        assert not [failure for failure in store.failures() if failure.stage != "split"]


def test_without_the_packages_for_collecting(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    _, said = run_demo(tmp_path, cli)
    assert "pip install 'reducepp[collect]'" in said
    pages = list(read_store_pages(tmp_path / "pages.sqlite"))
    assert len(pages) >= 0.9 * sum(len(query.pages) for query in read_pages_html())


def test_a_report_that_fails_fails_the_demo(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "report.html").mkdir()
    (tmp_path / MADE_HERE).touch()
    assert "it is a folder" in cli("demo", "--out", tmp_path, "--render", "never", status=1).err


def test_the_report_compares_the_pages_as_the_printed_reduction(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr("reducepp.cli.main", lambda words: called.append(words) or 1)
    given = {"profile": "paper", "threshold": 0.4, "prepare": "semantic"}
    write_report(tmp_path / "pages.sqlite", Namespace(**given))
    args = make_parser("report").parse_args(called[0][1:])
    assert given.items() <= vars(args).items()
