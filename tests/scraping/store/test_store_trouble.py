"""Files that are no store, damaged, full, old or newer; text that is no text."""

import random
import sqlite3
import zlib
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest

from reducepp.cli import main
from reducepp.demo.web_server import Sites
from reducepp.errors import InputError
from reducepp.scraping.store.dataset import read_store_pages
from reducepp.scraping.store.packing import MAX_BODY_BYTES, pack, unpack
from reducepp.scraping.store.store import Store
from reducepp.types import Failure, Page, RawPage, SearchHit
from tests.programs import Cli
from tests.scraping.runs import Steady, arguments

URL = "http://a.example/"


def test_files_that_are_no_store_are_named(tmp_path: Path) -> None:
    text, other, newer = tmp_path / "a.sqlite", tmp_path / "b.sqlite", tmp_path / "c.sqlite"
    text.write_text("hello " * 100)
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE x (y)")
    database.close()
    with Store(newer) as store:
        store.rows("PRAGMA user_version = 99")
    for path, said in ((text, "not a store"), (other, "not a store"), (newer, "version 99")):
        for mode in ("read", "write"):
            with pytest.raises(InputError, match=said):
                Store(path, mode="read" if mode == "read" else "write")
    with pytest.raises(InputError, match="no such file"):
        Store(tmp_path / "missing.sqlite", mode="read")


@pytest.fixture
def one_page(tmp_path: Path) -> Path:
    path = tmp_path / "one.sqlite"
    with Store(path) as store, store.transaction():
        store.put_hit(SearchHit(query="q", engine="e", rank=1, url=URL))
        store.add_raw(URL, RawPage(hit=SearchHit(url=URL), fetched=b"<p>Text</p>" * 50))
        store.add_split(URL, Page(id=URL, body="Text " * 50))
    return path


def test_a_store_of_the_first_version_is_brought_up_to_date(one_page: Path) -> None:
    with sqlite3.connect(one_page) as database:
        database.execute("ALTER TABLE raw DROP COLUMN images")
        database.execute("ALTER TABLE pages DROP COLUMN splitter")
        database.execute("DROP TABLE attempts")
        database.execute("PRAGMA user_version = 1")
    database.close()
    for _ in range(2):
        with Store(one_page, mode="read") as store:
            raw = store.raw(SearchHit(url=URL))
            assert (raw.fetched[:11], raw.images) == (b"<p>Text</p>", ())
    with Store(one_page) as store:
        assert store.rows("PRAGMA user_version") == [(3,)]


def test_a_full_disk_is_said_in_one_line_and_costs_nothing(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pages.sqlite"
    plain = Store.__init__

    def small(store: Store, *args: object, **options: object) -> None:
        plain(store, *args, **options)  # type: ignore[arg-type]
        store.rows("PRAGMA max_page_count = 20")

    with Sites(Steady()) as sites:
        command = arguments(sites, path, "--render", "never")
        with monkeypatch.context() as patched:
            patched.setattr(Store, "__init__", small)
            said = cli(*command, status=1).err.splitlines()[-1]
        assert said == (
            f"reducepp collect: {path}: the disk is full; what was stored stands: "
            "make room and run again"
        )
        few = len(list(read_store_pages(path)))
        cli(*command)
    assert 0 < few < len(list(read_store_pages(path)))


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_store_is_said_in_one_line(
    one_page: Path, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    chance, data = random.Random(seed), bytearray(one_page.read_bytes())
    for _ in range(3):
        at = chance.randrange(100, len(data) - 2000)
        data[at : at + 1500] = chance.randbytes(1500)
    one_page.write_bytes(data)
    status = main(["reduce", str(one_page)])
    said = capsys.readouterr().err
    assert status in (0, 1)
    assert (str(one_page) in said and len(said.splitlines()) == 1) or status == 0


@pytest.mark.parametrize(
    "change",
    [
        ("UPDATE raw SET fetched = ?", b"Znonsense"),
        ("UPDATE raw SET fetched = ?", b"znonsense"),
        ("UPDATE pages SET page = ?", "{"),
        ("UPDATE pages SET page = ?", "[1]"),
        ("UPDATE pages SET page = ?", "[" * 100_000),
    ],
)
def test_a_damaged_body_names_its_page(one_page: Path, change: tuple[str, object]) -> None:
    with Store(one_page) as store:
        store.rows(*change)
        with pytest.raises(InputError, match=f"for {URL} is damaged"):
            list(map(str, (store.raw(SearchHit(url=URL)), store.page(SearchHit(url=URL)))))


@pytest.mark.parametrize(
    "change",
    [
        ("UPDATE raw SET final_url = ?", b"\xff"),
        ("UPDATE raw SET fetched = ?", 7),
        ("UPDATE hits SET rank = ?", "first"),
        ("UPDATE hits SET snippet = ?", b"\xff"),
        ("UPDATE queries SET language = ?", b"\xff"),
        ("UPDATE pages SET url = ?", None),
        ("INSERT INTO failures VALUES ('u', 'fetch', ?, 'now')", b"\xff"),
    ],
)
@pytest.mark.parametrize("words", ["reduce STORE", "dataset STORE --export OUT"])
def test_values_of_other_types_are_said_in_one_line(
    one_page: Path, change: tuple[str, object], words: str, cli: Cli
) -> None:
    with sqlite3.connect(one_page) as database:
        database.execute(change[0], change[1:])
    database.close()
    out = str(one_page.with_name("out.warc.gz"))
    said = cli(*words.replace("STORE", str(one_page)).replace("OUT", out).split(), status=1).err
    assert "the store is damaged (values of other types in " in said
    assert len(said.splitlines()) == 1


def test_half_characters_are_replaced(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        with store.transaction():
            store.put_hit(SearchHit(query="q", engine="e", rank=1, url=URL, title="a\ud800b"))
            store.add_split(URL, Page(id=URL, page_title="a\ud800b", body="text"))
            store.add_failure(Failure(url=URL, stage="split", reason="\udfff"), "now")
        (hit,) = store.hits("q")
        page = store.page(hit)
        assert (hit.title, page.page_title, store.failures()[0].reason) == ("a?b", "a?b", "?")


@pytest.mark.parametrize(
    "code",
    [
        "CREATE VIEW v AS WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n) "
        "SELECT x FROM n",
        "CREATE TRIGGER t AFTER INSERT ON hits BEGIN DELETE FROM raw; END",
        "ALTER TABLE raw ADD COLUMN twice TEXT GENERATED ALWAYS AS (url || url) VIRTUAL",
    ],
)
def test_a_store_that_carries_code_is_refused(one_page: Path, code: str) -> None:
    with sqlite3.connect(one_page) as database:
        database.execute(code)
    database.close()
    with pytest.raises(InputError, match="not a store"):
        Store(one_page, mode="read")


@pytest.mark.parametrize("method", ["zstd", "zlib"])
def test_a_body_that_unpacks_without_end_is_refused(method: str) -> None:
    size = 4 * MAX_BODY_BYTES
    if method == "zlib":
        bomb = b"z" + zlib.compress(bytes(size))
    else:
        bomb = b"Z" + pytest.importorskip("zstandard").compress(bytes(size))
    with pytest.raises(ValueError, match="more than"):
        unpack(bomb)
    for packed in (pack(b"text" * 999), b"z" + zlib.compress(b"text" * 999)):
        with pytest.raises(ValueError, match=r"ends too early|cannot be unpacked"):
            unpack(packed[:-5])


def test_an_older_store_is_read_where_nothing_can_be_written(
    one_page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite3.connect(one_page) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("ALTER TABLE pages DROP COLUMN splitter")
        database.execute("DROP TABLE attempts")
        database.execute("PRAGMA user_version = 2")
    database.close()
    before = one_page.read_bytes()
    monkeypatch.setattr(Store, "_connect", partialmethod(_refuse_writing, Store._connect))
    with Store(one_page, mode="read") as store:
        assert store.open_attempts() == {}
        assert store.page(SearchHit(url=URL)) is not None
    assert one_page.read_bytes() == before


def _refuse_writing(store: Store, connect: Any, immutable: bool) -> sqlite3.Connection:
    """Like a folder without write permission, which root does not know."""
    if not immutable:
        raise sqlite3.OperationalError("attempt to write a readonly database")
    found: sqlite3.Connection = connect(store, immutable)
    return found
