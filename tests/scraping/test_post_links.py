"""Links of posts: expanded and fetched by the guarded collector, stored, not by the service."""

import ast
import json
from pathlib import Path

from reducepp.demo.web_server import Sites
from reducepp.scraping.post_links import link_hits, links_of
from reducepp.types import Page
from tests.programs import Cli
from tests.scraping import web

POSTS = [
    {"id": "1", "query": "light", "text": "The last keeper http://chain.example/1 #sea"},
    {"id": "2", "query": "light", "text": "Keepers", "urls": ["http://end.example/text"]},
    {"id": "3", "query": "light", "text": "Inside http://inside.example/lan"},
    {"id": "4", "query": "light", "text": "No link at all"},
]


def test_links_and_their_hits() -> None:
    one = Page(id="1", body="see http://a.example/x. And ftp://b.example", links=("mailto:x@y",))
    assert links_of(one) == ("http://a.example/x",)
    two = Page(id="2", body="http://a.example/x and http://c.example/")
    assert [(h.query, h.rank, h.url) for h in link_hits([one, two])] == [
        ("posts", 1, "http://a.example/x"),
        ("posts", 2, "http://c.example/"),
    ]


def test_expanded_stored_and_not_fetched_again(tmp_path: Path, cli: Cli) -> None:
    posts, out = tmp_path / "posts.jsonl", tmp_path / "links.sqlite"
    posts.write_text("".join(json.dumps(post) + "\n" for post in POSTS) + "junk\n", "utf-8")
    with Sites(web.answer) as sites:
        words = ["collect", "--expand-links", str(posts), "--out", str(out), "--render", "never"]
        words += ["--connect-to", f"*=127.0.0.1:{sites.port}", "--delay", "0", "--retries", "0"]
        (first, notes), asked = cli(*words), len(sites.requests)
        assert (cli(*words).out, len(sites.requests)) == (first, asked)
    assert "left out: " in notes
    one, two, three, four = map(json.loads, first.splitlines())
    assert one["expanded_links"] == two["expanded_links"] == ["http://end.example/text"]
    assert "keeper of the northern light" in one["linked_body"]
    assert one["linked_body"] == two["linked_body"]
    assert all("linked_body" not in post for post in (three, four))


def test_an_engine_or_posts_are_needed(tmp_path: Path, cli: Cli) -> None:
    err = cli("collect", "x", "--out", tmp_path / "s.sqlite", status=2).err
    assert "--engine NAME is needed, or --expand-links" in err


def test_the_service_fetches_nothing() -> None:
    for path in (Path(__file__).parents[2] / "reducepp" / "service").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            assert not name.startswith(("reducepp.scraping.fetch", "reducepp.scraping.collect"))
            assert "post_links" not in name
