"""A worker process: how it is started and limited, and what it does."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection as pipes
from typing import Any, TypeAlias

from reducepp.errors import SandboxError
from reducepp.parallel import use_no_workers

MEMORY_IN_USE = "/proc/self/statm"
"""Where Linux states how much address space a process has in use."""
GRACE_SECONDS = 5.0
"""Time beyond the limit after which a worker ends itself, for one whose parent has died."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLimits:
    """What one call in a worker may take."""

    seconds: float = 30.0
    """By the clock. The largest page that is accepted takes under 10 s."""
    processor_seconds: float = 0.0
    """Time of the processor, which a busy machine does not shorten; 0 is any amount."""
    memory_bytes: int = 1_500_000_000
    """Address space beyond what the prepared worker has; 0 is any amount. The largest page that is
    accepted takes under 600 MB."""


class Forked:
    """A forked process, with the methods of Popen that are used here."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


Process: TypeAlias = Forked | subprocess.Popen[bytes]

parent_ends: set[pipes.Connection] = set()
"""Our ends of all pipes; a forked worker closes them, or others would never see them closed."""


def start() -> tuple[Process, pipes.Connection]:
    """Fork where there are no other threads, as that starts at once; else a new interpreter."""
    if not os.path.exists(MEMORY_IN_USE):
        raise SandboxError("pages are parsed in worker processes with limits, which needs Linux")
    ours, theirs = multiprocessing.Pipe()
    parent_ends.add(ours)
    process: Process
    if threading.active_count() == 1:
        process = _fork(theirs)
    else:
        code = "from reducepp.sandbox_process import pipes, serve; serve(pipes.Connection({}))"
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        process = subprocess.Popen(
            [sys.executable, "-c", code.format(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": paths},
            start_new_session=True,
        )
    theirs.close()
    return process, ours


def _fork(theirs: pipes.Connection) -> Forked:
    if pid := os.fork():
        return Forked(pid)
    try:
        for connection in parent_ends:
            connection.close()
        serve(theirs)
    finally:
        os._exit(0)


def serve(connection: pipes.Connection) -> None:
    """A worker's loop: prepare, then run the calls that arrive until the other end closes.

    Its timers end it by their signals, whatever it is doing.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the caller, who ends us
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the same
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    use_no_workers()
    with suppress(EOFError, OSError):
        prepare, limits = pickle.loads(connection.recv_bytes())
        connection.send_bytes(_outcome(prepare, ()))
        limit_memory(limits.memory_bytes)
        while True:
            function, calls = pickle.loads(connection.recv_bytes())
            for arguments in calls:
                signal.setitimer(signal.ITIMER_REAL, limits.seconds + GRACE_SECONDS)
                signal.setitimer(signal.ITIMER_PROF, limits.processor_seconds)
                outcome = _outcome(function, arguments)
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.setitimer(signal.ITIMER_PROF, 0)
                connection.send_bytes(outcome)


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    try:
        return pickle.dumps((None, function(*arguments)))
    except MemoryError:
        return pickle.dumps((MemoryError, ""))
    except Exception as error:
        return pickle.dumps((type(error), str(error)))


def limit_memory(memory_bytes: int) -> None:
    """Limit the address space to what is in use now and `memory_bytes` more; 0 is any amount."""
    import resource

    with open(MEMORY_IN_USE) as statm:
        used = int(statm.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = used + memory_bytes
    if memory_bytes and (hard == resource.RLIM_INFINITY or limit < hard):
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
