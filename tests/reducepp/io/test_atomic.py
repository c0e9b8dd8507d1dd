"""Files appear whole or not at all, and nobody gains access to them on the way."""

import os
from pathlib import Path

import pytest

from reducepp.errors import InputError
from reducepp.io.atomic import check_can_write, write_aside


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    path.chmod(0o600)
    seen: list[int] = []

    def write(aside: Path) -> None:
        seen.append(aside.stat().st_mode & 0o777)
        aside.write_text("new")

    write_aside(path, write)
    assert (path.read_text(), path.stat().st_mode & 0o777, seen) == ("new", 0o600, [0o600])


def test_the_content_is_on_disk_before_the_name_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    steps: list[tuple[str, bool]] = []
    flush = os.fsync

    def fsync(descriptor: int) -> None:
        steps.append((Path(os.readlink(f"/proc/self/fd/{descriptor}")).name, path.exists()))
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    write_aside(path, lambda aside: aside.write_text("new"))
    assert steps == [(f".report.html.{os.getpid()}.part", False), (tmp_path.name, True)]


def test_a_link_that_waits_in_the_place_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (tmp_path / f".out.{os.getpid()}.part").symlink_to(precious)
    write_aside(tmp_path / "out", lambda aside: aside.write_text("new"))
    assert (precious.read_text(), (tmp_path / "out").read_text()) == ("kept", "new")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old")

    def fail(aside: Path) -> None:
        aside.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="cannot write: No space left"):
        write_aside(path, fail)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("out", "old")]


def test_a_link_is_written_where_it_leads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether its own folder may be written to does not matter."""
    open_folder, closed = tmp_path / "open", tmp_path / "closed"
    open_folder.mkdir()
    closed.mkdir()
    (closed / "link").symlink_to(open_folder / "file")
    monkeypatch.setattr("os.access", lambda path, mode: path == open_folder)
    check_can_write(closed / "link")
    with pytest.raises(InputError, match="no permission to write in"):
        check_can_write(closed / "file")
