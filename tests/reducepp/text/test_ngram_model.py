"""The unpacked model ranks as py3langid does, and a cache that does not work costs time alone."""

import lzma
from pathlib import Path

import py3langid
import pytest

from reducepp.text.ngram_model import load_identifier

TEXTS = ("Kissa istuu matolla", "Мачка спава на кревету", "Bees keep warm in winter", "")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "reducepp"


def test_the_model_is_unpacked_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_identifier()
    (kept,) = cache.iterdir()
    monkeypatch.setattr(lzma, "decompress", lambda _: pytest.fail("unpacked again"))
    identifier = load_identifier()
    assert identifier is not py3langid
    for text in TEXTS:
        assert identifier.rank(text) == py3langid.rank(text)
    assert list(cache.iterdir()) == [kept]


def test_a_damaged_file_is_written_anew(cache: Path) -> None:
    load_identifier()
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    for damaged in (
        b"",
        whole[: len(whole) // 2],
        whole[:20_000_000] + bytes(9) + whole[20_000_009:],
    ):
        kept.write_bytes(damaged)
        assert load_identifier() is py3langid
        assert not kept.exists()
        assert load_identifier() is not py3langid
        assert kept.read_bytes() == whole


def test_a_folder_that_cannot_be_written_is_no_error(cache: Path) -> None:
    cache.parent.write_text("a file where the folder should be", "utf-8")
    assert load_identifier() is py3langid


def test_another_layout_is_left_to_the_package(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("py3langid.langid.LanguageIdentifier", lambda *_: None)
    assert load_identifier() is py3langid
    assert cache.is_dir()
