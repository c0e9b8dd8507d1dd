"""`reducepp replicate`: the paper's tables from hand-counted pages, its figures as files."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.api import find_profile
from reducepp.cli import main
from reducepp.cli.command_input import read_pairs
from reducepp.cli.replicate_command import demo_labelled
from reducepp.demo import read_pages_html
from reducepp.demo.web_server import Sites
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.signals import measure_pairs
from reducepp.replication import PUBLISHED
from reducepp.replication.paper1 import as_file_name, count_data, published_queries
from reducepp.replication.paper3 import level_tables, strategy_table
from tests.evaluation.made import pages_of, random_pages
from tests.programs import Cli
from tests.scraping import web
from tests.scraping.runs import Steady

WORDS = ["--from", "0.3", "--to", "0.9", "--step", "0.1", "--jobs", "1"]


def write_pages(folder: Path) -> Path:
    """Nine English pages on bees, of which three are one, and six French ones on rain."""
    text = "The council of the old town voted to let keepers put hives on flat roofs in summer."
    rows = [
        {"id": f"e{i}", "query": "bees|town", "language": "en", "domain": "science", "body": body}
        for i, body in enumerate([text] * 3 + [p.body for p in random_pages(6, 4, words=50)])
    ]
    rows += [
        {"id": f"f{i}", "query": "pluie", "language": "fr", "domain": "general", "body": page.body}
        for i, page in enumerate(random_pages(6, 9, words=50))
    ]
    rows = [{**row, "url": f"https://{row['id']}.example/"} for row in rows]
    path = folder / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_table_one_counts_queries_and_records() -> None:
    bees = [replace(p, language="en", domain="science") for p in pages_of("abc", "bees")]
    rain = [replace(p, language="fr", domain="general") for p in pages_of("ab", "pluie")]
    snow = [replace(p, language="fr", domain="science") for p in pages_of("ab", "neige")]
    rows = [tuple(row.values()) for row in count_data([bees, rain, snow])]
    assert rows == [
        ("queries", "language", "fr", 2, 24),
        ("queries", "language", "en", 1, 102),
        ("queries", "domain", "science", 2, 39),
        ("queries", "domain", "general", 1, 52),
        ("records", "language", "fr", 4, 4276),
        ("records", "language", "en", 3, 7494),
        ("records", "domain", "science", 5, 3620),
        ("records", "domain", "general", 2, 4903),
    ]


def test_everything_is_written(tmp_path: Path, cli: Cli) -> None:
    out = tmp_path / "out"
    printed, noted = cli("replicate", str(write_pages(tmp_path)), "--out", out, *WORDS)
    names = {path.name for path in out.iterdir()}
    figures = {f"figure-{n}.{kind}" for n in (4, 5, 6, 7, 8) for kind in ("svg", "png")}
    tables = {"table-1.csv", "table-3-paper.csv", "table-3-default.csv", "headline.csv"}
    assert names == figures | tables | {"replication.md"}
    own = find_profile("default").threshold
    heads = [line.split(":")[0] for line in printed.splitlines()]
    assert heads == ["paper at 0.67", f"default at {own:g}"]
    assert "begin with replication.md" in noted
    page = (out / "replication.md").read_text("utf-8")
    assert "bees\\|town" in page
    assert all(f"](figure-{n}.svg)" in page for n in (4, 5, 6, 7, 8))
    assert "| as published | 0.67 | 14109 | - | 61 | 0.2757 |" in page


def test_table_three_is_what_reduce_gives(tmp_path: Path, cli: Cli) -> None:
    pages, out = write_pages(tmp_path), tmp_path / "out"
    words = [pages, "--profile", "default"]
    cli("replicate", *words, "--out", out, *WORDS)
    rows = read(out / "table-3-default.csv")
    assert [(row["language"], row["query"], row["before"]) for row in rows] == [
        ("en", "bees|town", "9"),
        ("fr", "pluie", "6"),
    ]
    for threshold in ("0.67", "0.7", "0.8"):
        printed = cli("reduce", *words, "--threshold", threshold, "--format", "json").out
        reductions = json.loads(printed)["reductions"]
        after = {r["query"]: (r["after"], round(100 * r["reduction"], 1)) for r in reductions}
        for row in rows:
            found = int(row[f"after {threshold}"]), float(row[f"reduction % {threshold}"])
            assert found == after[row["query"]]
    assert int(rows[0]["after 0.67"]) <= 7
    (line,) = read(out / "headline.csv")
    assert (line["before"], line["agreement"]) == ("15", "1.0")


def test_a_threshold_of_ones_own(tmp_path: Path, cli: Cli) -> None:
    pages = str(write_pages(tmp_path))
    words = ["--profile", "default", "--threshold", "1", "--out", str(tmp_path / "out"), *WORDS]
    assert "default at 1: 13 % fewer pages (15 to 13)" in cli("replicate", pages, *words).out


def test_a_folder_that_cannot_be(tmp_path: Path, cli: Cli) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x", "utf-8")
    pages = str(write_pages(tmp_path))
    words = ["--profile", "default", "--out", str(blocked / "out"), *WORDS]
    assert "cannot write" in cli("replicate", pages, *words, status=1).err


def test_names_and_published_figures() -> None:
    assert as_file_name("../mine & yours") == "---mine---yours"
    printed = PUBLISHED["paper1"]["headline"]
    assert (printed["fewer pages %"], printed["Davies-Bouldin"]) == (61.0, 0.1269)


def test_paper_5_prints_table_4_beside_the_paper(cli: Cli) -> None:
    out = cli("replicate", "--paper", "5").out
    assert "| 1 | d8 |" in out
    assert "| 0.6954 |" in out


@pytest.mark.parametrize(
    ("paper", "status", "says"),
    [(4, 1, "no result list in it (line 1: not a JSON object)"), (5, 2, "takes no INPUT")],
)
def test_an_input_that_gives_no_table(
    paper: int, status: int, says: str, tmp_path: Path, cli: Cli
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("junk\n" * 3, "utf-8")
    printed = cli("replicate", path, "--paper", paper, status=status)
    assert says in printed.err
    assert printed.out == ""


def test_papers_2_and_3_on_the_demo(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = read_pages_html()[:2]
    monkeypatch.setattr("reducepp.cli.replicate_command.read_pages_html", lambda: queries)
    for paper, titles in (
        ("2", ["Table 2: each signal", "Table 3 and Figure 2", "Figure 5"]),
        (
            "3",
            ["Table 1", "Tables 2 and 7", "Table 3", "Tables 4 and 5", "Levels by rule", "Table 8"],
        ),
    ):
        out = cli("replicate", "--paper", paper, "--jobs", "1").out
        assert all(title in out for title in titles)


def test_paper_4_needs_a_log_and_shows_kinds(tmp_path: Path, cli: Cli) -> None:
    cli("replicate", "--paper", "4", "--out", tmp_path / "none", status=2)
    assert not (tmp_path / "none").exists()
    log = tmp_path / "log.jsonl"
    shown = ["https://a.example/1", "https://b.example/1"]
    lists = [{"query": "q", "shown": s, "clicked": s[:1]} for s in (shown, shown[::-1])] * 30
    log.write_text("".join(json.dumps(row) + "\n" for row in lists), "utf-8")
    printed = cli("replicate", log, "--paper", "4", "--out", tmp_path / "o").out
    assert "| content | 1 | 100 | 1 | show as alternatives | 24 |" in printed
    assert read(tmp_path / "o" / "kinds.csv")[2]["pairs"] == "1"


def test_paper_4_learns_judged_kinds_from_clicks_and_pages(tmp_path: Path, cli: Cli) -> None:
    """Twelve queries: an exact copy that is clicked on top, and an unrelated page that is not."""
    lists, pages, labels = [], [], ["query,a,b,relevant,utility,navigation,rater"]
    for n, text in enumerate(p.body for p in random_pages(24, 2, words=60)):
        query, (a, b) = f"q{n // 2}", (f"https://{x}.example/{n}" for x in "ab")
        copy = n % 2 == 0
        for shown in ([a, b], [b, a]):
            clicked = shown[:1] if copy else [a]
            lists += [{"query": query, "shown": shown, "clicked": clicked}] * 12
        other = text if copy else random_pages(1, 90 + n, words=60)[0].body
        pages += [{"url": u, "query": query, "body": t} for u, t in ((a, text), (b, other))]
        answers = "both,identical,no" if copy else "left,different,no"
        labels += [f"{query},{a},{b},{answers},{rater}" for rater in ("ann", "bob")]
    for name, rows in (("log", lists), ("pages", pages)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    (tmp_path / "judged.csv").write_text("\n".join(labels) + "\n", "utf-8")
    log, given, judged = (str(tmp_path / n) for n in ("log.jsonl", "pages.jsonl", "judged.csv"))
    words = ["replicate", log, "--paper", "4", "--labels", judged]
    out = cli(*words, "--pages", given, "--out", tmp_path / "o").out
    assert "| exact | 12 | 50 | 1 | remove | 6 |" in out
    assert "| agreement | 1 | kappa | 1 | pairs | 24 |" in out
    for source in ("clicks", "content", "clicks and content"):
        assert f"| {source} | weighted | 24 | 1 | 1 | 1 |" in out
    assert (tmp_path / "o" / "scores-by-kind.svg").stat().st_size > 1000
    alone = cli(*words).out
    assert "| clicks | weighted | 24 | 1 | 1 | 1 |" in alone
    assert "| content |" not in alone.partition("Kinds learned")[2]


def test_paper_3_learns_levels_that_labels_state(tmp_path: Path) -> None:
    rows, others = [], random_pages(12, 77, words=14)
    for n, page in enumerate(random_pages(12, 5, words=14)):
        words = page.body.split()
        half = " ".join(words[: len(words) // 2])
        rows += [
            {"a": {"body": page.body}, "b": {"body": page.body}, "level": "exact"},
            {"a": {"body": f"{half} {n}"}, "b": {"body": f"{half} what a day"}, "level": "weak"},
            {"a": {"body": page.body}, "b": {"body": others[n].body}, "level": "none"},
        ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    pairs = find_pairs(*read_pairs(str(path))[:2])
    strategies = {name: find_profile(name) for name in ("posts", "posts-sy")}
    signals = measure_pairs(pairs, strategies["posts-sy"])
    by_rule, learned, confused = level_tables(pairs, signals, strategies)
    assert sum(row["pairs"] for row in by_rule.rows) == 36
    assert learned.rows[1]["paper weighted F"] == 0.6179
    assert learned.rows[1]["exact"] == 1.0
    assert confused.rows[0] == {"labelled": "exact", "exact": 12, "weak": 0}
    cascade = strategy_table(signals, {"posts-sy": strategies["posts-sy"]}).rows[0]
    assert (cascade["F, cascade"] > 0.7, cascade["paper F, cascade"]) == (True, 0.5185)


def test_ablations_and_agreement_are_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = [str(write_pages(tmp_path)), "--out", str(out), "--ablations", *WORDS]
    assert main(["replicate", *words]) == 0
    rows = read(out / "ablations.csv")
    variants = {row["variant"] for row in rows}
    assert {"as published", "equal weights", "body_cosine alone", "without body_graph"} <= variants
    assert {row["preparation"] for row in rows} == {"syntactic", "semantic"}
    agreement = read(out / "agreement.csv")
    single = [row["adjusted Rand"] for row in agreement if row["against"] == "single"]
    assert set(single) == {"1.0"}
    assert any(row["adjusted Rand"] != "1.0" for row in agreement)


def test_the_queries_of_table_three() -> None:
    rows = published_queries()
    assert len(rows) == 17
    assert [row["language"] for row in rows].count("ar") == 5
    assert rows[0] == {
        "query": "lasik eye surgery", "language": "en", "before": "97", "after 0.67": "7",
        "after 0.7": "10", "after 0.8": "67",
    }  # fmt: skip


def test_from_queries_to_tables_in_one_command_and_again_without_a_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queries, out = tmp_path / "queries.csv", tmp_path / "out"
    queries.write_text(f"query,language,domain\n{web.QUERY},en,history\n", "utf-8")
    with Sites(Steady()) as sites:
        options = f"--engine-url http://search.example --connect-to *=127.0.0.1:{sites.port} "
        options += "--render never --delay 0 --retries 0 --timeout 60"
        words = ["--queries", str(queries), "--engine", "searxng", "--collect", options]
        words = ["replicate", *words, "--out", str(out), "--keep", "walk", *WORDS]
        words += ["--profile", "paper"]
        assert main(words) == 0
        (row,) = read(out / "table-3-paper.csv")
        asked = len(sites.requests)
        assert main(words) == 0
        assert len(sites.requests) == asked > 14
    assert (row["query"], row["language"]) == (web.QUERY, "en")
    assert int(row["before"]) >= 14 > int(row["after 0.67"])
    assert {row["of"] for row in read(out / "table-1.csv")} == {"en", "history"}


def test_collecting_needs_an_engine_and_a_folder(cli: Cli) -> None:
    assert "--engine NAME and --out DIR" in cli("replicate", "--queries", "table-3", status=2).err


def test_the_demos_pages_are_decoded_as_a_server_declares_them() -> None:
    queries = demo_labelled().queries
    assert not [page.id for pages in queries for page in pages if "\ufffd" in page.body]
    assert {(page.language, page.domain) for page in queries[0]} == {("en", "science")}
