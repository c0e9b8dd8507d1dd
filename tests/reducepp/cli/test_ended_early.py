"""Commands that are interrupted, terminated, or lose their reader leave nothing half written."""

from __future__ import annotations

import fcntl
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

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


def unread(stream: object) -> int:
    """Bytes that the other end of a pipe has not taken yet."""
    return int(struct.unpack("i", fcntl.ioctl(stream, termios.FIONREAD, b"\0" * 4))[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(("end", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("command", READS)
def test_a_command_that_waits_for_input_ends_at_once(
    command: str, end: signal.Signals, status: int, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [*REDUCEPP, command, *READS[command]],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        running.stdin.write(LINE)
        running.stdin.flush()
        wait_until(lambda: unread(running.stdin) == 0 or running.poll() is not None)
        running.send_signal(end)
        _, said = running.communicate(timeout=60)
    assert running.returncode == status, said.decode()
    assert b"Traceback" not in said
    assert len(said.splitlines()) <= 1
    left = [path.name for path in tmp_path.glob("**/*") if path.is_file()]
    assert set(left) <= {".reducepp"}  # a folder of ours is marked before it is filled


@pytest.mark.parametrize("command", ["reduce", "pairs", "compare", "sweep", "split", "find"])
def test_a_reader_that_goes_away_is_no_error(command: str, tmp_path: Path) -> None:
    with subprocess.Popen(
        [*REDUCEPP, command, *READS[command]],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stdin is not None
        running.stdin.write(LINE * 50)
        running.stdin.close()
        said = running.stderr.read() if running.stderr else b""
    assert running.returncode == 0, said.decode()
    assert b"Traceback" not in said
    assert b"BrokenPipe" not in said
