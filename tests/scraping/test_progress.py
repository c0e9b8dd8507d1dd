"""What the person at the terminal sees."""

import io
from unicodedata import east_asian_width

import pytest

from reducepp.scraping.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def walk(stream: io.StringIO | None) -> Progress:
    progress = Progress(stream, queries=2, results=10)
    progress.found("one", total=4, before=1)
    progress.page_done("one")
    progress.page_done("one", "status 404")
    progress.page_done("one", "too slow: more than 20 s")
    progress.found("two", total=1, before=0)
    progress.page_done("two", "too slow: more than 20 s")
    return progress


def test_a_line_per_query_with_reasons_counted() -> None:
    stream = io.StringIO()
    progress = walk(stream)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "one: 1 of 4 pages are there already"
    first = "query 1/2 one: 4 pages, 2 failed (status 404 1, too slow 1); 4/8 in all, about "
    assert lines[1].startswith(first)
    assert lines[1].endswith(" left")
    assert lines[2] == "query 2/2 two: 1 pages, 1 failed (too slow 1); 5/5 in all"
    assert len(lines) == 3
    assert progress.failed == {"too slow": 2, "status 404": 1}
    assert progress.summary().startswith("2 queries, 5 pages, 4 fetched now, 3 failed (too slow 2")


def test_a_terminal_gets_one_line_kept_up_to_date() -> None:
    stream = Terminal()
    walk(stream)
    assert "\r2/4; 2/8 in all, about " in stream.getvalue()


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize("query", ["灯台守の歴史" * 9, "حراس المنارة " * 9, "one\n\x1b[2Jtwo"])
def test_the_line_fits_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, query: str
) -> None:
    monkeypatch.setattr("tqdm.std._screen_shape_wrapper", lambda: lambda stream: (columns, 24))
    stream = Terminal()
    progress = Progress(stream, queries=2, results=10)
    progress.found(query, total=4, before=0)
    progress.page_done(query, "not a public address: 192.168.1.1")
    progress.close()
    lines = [line for line in stream.getvalue().split("\r") if line.strip()]
    assert len(lines) == 2
    for line in lines:
        shown = line.rstrip()
        assert sum(1 + (east_asian_width(c) in "WF") for c in shown) <= columns
        assert shown.isprintable()
    assert lines[1].startswith("1/4; 1/8 in all")
    assert "\n" not in stream.getvalue()


def test_a_terminal_that_cannot_go_back_gets_lines_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    walk(stream)
    assert "\x1b" not in stream.getvalue()
    assert len(stream.getvalue().splitlines()) == 3


def test_silence_is_possible() -> None:
    assert walk(None).failed.total() == 3
