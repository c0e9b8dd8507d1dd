"""Commands that are interrupted, terminated, or lose their reader leave nothing half written."""

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from reducepp.cli import main
from tests.waiting import wait_until

REDUCEPP = (sys.executable, "-m", "reducepp")
LINE = b'{"a": "storm at sea", "b": "storm", "url": "https://a.example/", "body": "storm at sea"}\n'
READS = {
    "reduce": ("-",),
    "pairs": ("-",),
    "compare": ("-", "--jobs", "1"),
    "sweep": ("-",),
    "report": ("-", "--out", "out.html"),
    "filter": ("-",),
    "split": ("--jsonl", "-"),
    "hits": ("-",),
    "clicks": ("-",),
    "advice": ("-",),
    "find": ("-", "storm"),
    "replicate": ("-", "--paper", "1", "--out", "out"),
}
"""Commands that read standard input, with the rest of their words."""

ENDS = (signal.SIGINT, signal.SIGTERM)
"""One place of `main` handles each, whatever the command."""


def unread(stream: object) -> int:
    """Bytes that the other end of a pipe has not taken yet."""
    return int(struct.unpack("i", fcntl.ioctl(stream, termios.FIONREAD, b"\0" * 4))[0])  # type: ignore[arg-type]


def started(command: str, folder: Path) -> subprocess.Popen[bytes]:
    """A command that reads standard input."""
    words, pipe = [*REDUCEPP, command, *READS[command]], subprocess.PIPE
    return subprocess.Popen(words, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe)


@pytest.mark.parametrize("command", READS)
def test_a_command_that_waits_for_input_ends_at_once(command: str, tmp_path: Path) -> None:
    end = ENDS[list(READS).index(command) % 2]
    with started(command, tmp_path) as running:
        assert running.stdin is not None
        running.stdin.write(LINE)
        running.stdin.flush()
        wait_until(lambda: unread(running.stdin) == 0 or running.poll() is not None)
        running.send_signal(end)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 128 + end, said.decode()
    assert b"Traceback" not in said
    assert len(said.splitlines()) <= 1
    left = [path.name for path in tmp_path.glob("**/*") if path.is_file()]
    assert set(left) <= {".reducepp"}  # a folder of ours is marked before it is filled


@pytest.mark.parametrize("command", ["reduce", "pairs", "compare", "sweep", "split", "find"])
def test_a_reader_that_goes_away_is_no_error(command: str, tmp_path: Path) -> None:
    with started(command, tmp_path) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stdin is not None
        running.stdin.write(LINE * 50)
        running.stdin.close()
        said = running.stderr.read() if running.stderr else b""
    assert running.returncode == 0, said.decode()
    assert b"Traceback" not in said
    assert b"BrokenPipe" not in said


SCORING = "reducepp.similarity.contents:PageSet.__init__"
WRITING = "os:fsync"
"""Called when a file is written aside and not yet in its place."""
OUT = ("--out", "out", "--overwrite")
LABELS = ("--labels", "labels.jsonl")
WORKS: dict[str, tuple[str, ...]] = {
    "reduce": ("reduce", "pages.jsonl", *OUT),
    "reduce --parts": ("reduce", "folder", "--parts", "made"),
    "filter": ("filter", "pages.jsonl", *OUT),
    "pairs": ("pairs", "pages.jsonl", *OUT),
    "report": ("report", "pages.jsonl", *OUT),
    "sweep": ("sweep", "pages.jsonl", *OUT),
    "evaluate": ("evaluate", "pages.jsonl", *LABELS, *OUT),
    "advice": ("advice", "pages.jsonl", *OUT),
    "replicate": ("replicate", "pages.jsonl", "--paper", "1", "--out", "made"),
    "weights learn": ("weights", "learn", "pages.jsonl", *LABELS, "--out", "made"),
    "weights compare": ("weights", "compare", "pages.jsonl", *LABELS),
    "compare": ("compare", "pairs.jsonl", "--jobs", "2"),
    "index add": ("index", "add", "made", "pages.jsonl"),
    "find": ("find", "pages.jsonl", "storm", *OUT),
    "dataset": ("dataset", "made", "--import", "html.jsonl"),
    "export": ("dataset", "store", "--export", "out.jsonl"),
}
PLACES: dict[str, tuple[str, ...]] = {
    **{name: (SCORING, WRITING) for name, words in WORKS.items() if "--overwrite" in words},
    **dict.fromkeys(("replicate", "weights learn", "weights compare", "compare"), (SCORING,)),
    "reduce --parts": (SCORING,),
    "index add": ("reducepp.index.database:Database.add",),
    "find": ("reducepp.text.phrase_index:PhraseIndex.__init__", WRITING),
    "dataset": ("reducepp.scraping.store.store:Store.add_raw",),
    "export": (WRITING,),
}
"""Where each is ended."""
CASES = [
    (name, place, end)
    for name, places in PLACES.items()
    for place, end in (zip(places, ENDS, strict=True) if places[1:] else product(places, ENDS))
]
"""Ended by either signal; where there are two places, by one at each."""
HALTED = """
import sys, time
from importlib import import_module
from operator import attrgetter
from pathlib import Path

def halt(*args, **options):
    Path("began").touch()
    while True:  # a signal just before a sleep is handled after it
        time.sleep(0.05)

module, _, name = sys.argv[1].partition(":")
owner, _, name = f"{module}.{name}".rpartition(".")
owner = owner.removeprefix(module).lstrip(".")
found = import_module(module)
setattr(attrgetter(owner)(found) if owner else found, name, halt)
from reducepp.cli import main
sys.exit(main(sys.argv[2:]))
"""
"""A command that halts where the named function is called."""


def fill(folder: Path) -> None:
    pages = [
        {"id": str(i), "url": f"https://{i}.example/", "title": "Storm", "body": f"storm {i}, sea"}
        for i in range(12)
    ]
    texts = {
        "pages.jsonl": pages,
        "folder/a.jsonl": [{**page, "query": "a"} for page in pages],
        "html.jsonl": [{"url": page["url"], "html": f"<p>{page['body']}"} for page in pages],
        "pairs.jsonl": [{"a": page, "b": page} for page in pages],
        "labels.jsonl": [{"a": "0", "b": str(i), "duplicate": i % 2} for i in range(1, 12)],
    }
    (folder / "folder").mkdir()
    for name, rows in texts.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (folder / "out").write_text("of before", "utf-8")


def members(session: int) -> list[int]:
    """Processes of a session that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, number = path.read_text().rpartition(")")[2].split()[:4]
            found += [int(path.parent.name)] if int(number) == session and state != "Z" else []
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize(("name", "place", "end"), CASES)
def test_a_command_that_works_leaves_its_output_whole_or_absent(
    name: str, place: str, end: signal.Signals, tmp_path: Path
) -> None:
    fill(tmp_path)
    if name == "export":
        main(["dataset", str(tmp_path / "store"), "--import", str(tmp_path / "html.jsonl"), "-q"])
    before = {path for path in tmp_path.glob("**/*") if path.is_file()}
    with subprocess.Popen(
        [sys.executable, "-c", HALTED, place, *WORKS[name]],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        wait_until(lambda: (tmp_path / "began").exists() or running.poll() is not None)
        if end == signal.SIGINT:
            os.killpg(running.pid, end)  # as Ctrl-C does
        else:
            running.send_signal(end)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 128 + end, said.decode()
    assert b"Traceback" not in said
    wait_until(lambda: not members(running.pid))
    made = {path for path in tmp_path.glob("**/*") if path.is_file()} - before
    assert not [path for path in made if path.suffix == ".part"]
    if WORKS[name][0] not in ("index", "dataset"):
        assert {path.name for path in made} <= {"began", ".reducepp", "_run.json"}
    assert (tmp_path / "out").read_text("utf-8") == "of before"
