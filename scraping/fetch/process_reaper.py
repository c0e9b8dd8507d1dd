"""Runs a browser driver and cleans up after it: no process and no profile folder is left.

Started as its own process in its own session: ``python process_reaper.py FOLDER BYTES COMMAND...``.
It ends when the command ends, on SIGTERM, or when its standard input closes, which happens however
the parent dies, kill -9 included. Then every descendant is killed and FOLDER removed. Meanwhile a
descendant with more resident memory than BYTES is killed. No other module of the package is
imported, so that it starts quickly.
"""

import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from glob import glob

_PR_SET_CHILD_SUBREAPER = 36
MEMORY_CHECK_SECONDS = 0.5
"""A page allocates up to about 1 GB per second; a check reads some 30 small files."""


def descendants(root: int) -> list[int]:
    """Process ids of everything below `root`, from /proc; empty where there is no /proc."""
    children: dict[int, list[int]] = {}
    for path in glob("/proc/[0-9]*/stat"):
        with suppress(OSError, IndexError, ValueError), open(path, "rb") as stat:
            parent = int(stat.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.split("/")[2]))
    found: list[int] = []
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def kill_descendants(seconds: float = 5.0) -> None:
    """Kill everything below this process and wait until it is gone."""
    deadline = time.monotonic() + seconds
    while (pids := descendants(os.getpid())) and time.monotonic() < deadline:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                continue
        time.sleep(0.02)


def kill_large(max_bytes: int) -> None:
    """Kill descendants with more resident memory than this."""
    page_bytes = os.sysconf("SC_PAGE_SIZE")
    for pid in descendants(os.getpid()):
        with suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/statm", "rb") as statm:
            if int(statm.read().split()[1]) * page_bytes > max_bytes:
                os.kill(pid, signal.SIGKILL)


def wait_for_end(child: subprocess.Popen[bytes], max_bytes: int) -> None:
    """Return when the command has ended or standard input has closed; watch memory meanwhile."""
    next_check = time.monotonic()
    while child.poll() is None:
        readable, _, _ = select.select([0], [], [], 0.1)
        if readable and not os.read(0, 4096):
            return
        if time.monotonic() >= next_check:
            kill_large(max_bytes)
            next_check = time.monotonic() + MEMORY_CHECK_SECONDS


def main(folder: str, max_bytes: int, command: list[str]) -> int:
    """Run, wait, clean up; the command's own status, or 0 where it was stopped."""
    if sys.platform == "linux":  # children whose parents die become ours
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        wait_for_end(child, max_bytes)
        return child.returncode or 0
    finally:
        kill_descendants()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
