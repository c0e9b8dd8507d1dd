"""Runs that are killed at any moment and run again: nothing lost, nothing fetched twice."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reducepp.cli import main
from reducepp.demo.web_server import Sites
from reducepp.scraping.fetch.process_reaper import descendants
from tests.scraping import web
from tests.scraping.runs import Steady, arguments, dump, needs_browser, stored, wait_for_requests
from tests.waiting import wait_until


def kill_at(sites: Sites, command: list[str], count: int) -> None:
    """Run until the server was asked `count` times (0: until the file is there), then kill -9."""
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not count and not Path(command[command.index("--out") + 1]).exists():
        time.sleep(0.0005)
    wait_for_requests(sites, child, count)
    child.send_signal(signal.SIGKILL)
    assert child.wait(60) == -signal.SIGKILL


FETCHED = ("--render", "never", "--jobs", "3")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What a run stores that nobody ends."""
    path = tmp_path_factory.mktemp("calm") / "calm.sqlite"
    with Sites(Steady()) as sites:
        assert main(arguments(sites, path, *FETCHED)) == 0
    return dump(path)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [(0,), (30,), (1, 6, 11)])
def test_killed_and_run_again_equals_undisturbed(
    tmp_path: Path, kills: tuple[int, ...], undisturbed: dict[str, list[Any]]
) -> None:
    disturbed = tmp_path / "disturbed.sqlite"
    with Sites(Steady()) as sites:
        command = [sys.executable, "-m", "reducepp", *arguments(sites, disturbed, *FETCHED)]
        for count in kills:
            before = stored(disturbed)
            sites.requests.clear()
            kill_at(sites, command, count)
            assert not before & {request.url for request in sites.requests}
            assert before <= stored(disturbed)
        before, again = stored(disturbed), len(sites.requests)
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        asked = [request.url for request in sites.requests[again:]]
    assert not before & set(asked), "what was stored is not fetched again"
    assert dump(disturbed) == undisturbed
    assert [path.name for path in tmp_path.iterdir()] == ["disturbed.sqlite"]


RUNS = int(os.environ.get("REDUCEPP_FAULT_RUNS", "1"))
"""Random runs of each kind; `make faults` asks for more."""
ENDS = 4 if RUNS > 1 else 2
"""How often a random run is ended."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(RUNS))
def test_killed_at_random_and_run_again_equals_undisturbed(
    tmp_path: Path, seed: int, undisturbed: dict[str, list[Any]]
) -> None:
    disturbed, chance = tmp_path / "disturbed.sqlite", random.Random(seed)
    with Sites(Steady()) as sites:
        command = [sys.executable, "-m", "reducepp", *arguments(sites, disturbed, *FETCHED)]
        for _ in range(ENDS):
            before = stored(disturbed)
            end_at_random(sites, command, tmp_path, chance)
            assert before <= stored(disturbed)
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    assert dump(disturbed) == undisturbed


def test_a_folder_that_cannot_be_written_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Sites(Steady()) as sites:
        assert main(arguments(sites, Path("/proc/pages.sqlite"))) in (1, 2)
    said = capsys.readouterr().err
    assert said.startswith("reducepp collect: /proc/pages.sqlite")
    assert said.count("\n") == 1


def interrupt_while_rendering(
    sites: Sites, command: list[str], how: signal.Signals, temporary: Path
) -> None:
    """Run until the browser shows a page, then end the run; no profile may stay behind.

    A run that finds the page stored by the one before it ends by itself.
    """
    sites.requests.clear()
    environment = os.environ | {"TMPDIR": str(temporary)}
    child = subprocess.Popen(command, stderr=subprocess.PIPE, env=environment)
    wait_until(
        lambda: (
            child.poll() == 0
            or any("script.example/data" in request.url for request in sites.requests.copy())
        )
    )
    child.send_signal(how)
    said = child.communicate(timeout=60)[1].decode()
    ends = (130, 0) if how == signal.SIGINT else (-signal.SIGKILL,)
    assert child.returncode in ends, said
    assert "Traceback" not in said
    wait_until(lambda: not list(temporary.iterdir()))


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
def test_killed_with_a_browser_open(tmp_path: Path) -> None:
    calm, disturbed = tmp_path / "calm.sqlite", tmp_path / "disturbed.sqlite"
    temporary = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    few = ("--results", "4")
    with Sites(Steady()) as sites:
        assert main(arguments(sites, calm, *few)) == 0
        command = [sys.executable, "-m", "reducepp", *arguments(sites, disturbed, *few)]
        for how in (signal.SIGKILL, signal.SIGINT):
            interrupt_while_rendering(sites, command, how, temporary)
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    temporary.rmdir()
    assert dump(disturbed) == dump(calm)


WAYS = [
    (send, how)
    for send in (os.kill, os.killpg)
    for how in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
]


def end_at_random(
    sites: Sites, command: list[str], temporary: Path, chance: random.Random
) -> list[int]:
    """Start a run, end it somewhere, some way; the processes it had."""
    sites.requests.clear()
    child = subprocess.Popen(
        command,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TMPDIR": str(temporary)},
        start_new_session=True,
    )
    wait_for_requests(sites, child, chance.randrange(25))
    time.sleep(chance.uniform(0, 0.5))
    pids = [child.pid, *descendants(child.pid)]
    send, how = chance.choice(WAYS)
    if child.poll() is None:
        send(child.pid, how)
    assert child.wait(60) in (0, 130, -how)
    return pids


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, RUNS + 1))
def test_ended_at_random_with_a_browser_open(tmp_path: Path, seed: int) -> None:
    calm, disturbed = tmp_path / "calm.sqlite", tmp_path / "disturbed.sqlite"
    chance = random.Random(seed)
    temporary = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    more = ("--render", "always", "--results", "6")
    with Sites(Steady()) as sites:
        assert main(arguments(sites, calm, *more)) == 0
        command = [sys.executable, "-m", "reducepp", *arguments(sites, disturbed, *more)]
        for _ in range(ENDS):
            before = stored(disturbed)
            pids = end_at_random(sites, command, temporary, chance)
            assert not before & {request.url for request in sites.requests}
            assert before <= stored(disturbed)
            wait_until(partial(is_over, pids, temporary))
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    temporary.rmdir()
    assert dump(disturbed) == dump(calm)


def is_over(pids: list[int], temporary: Path) -> bool:
    return not any(map(is_running, pids)) and not list(temporary.iterdir())


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:
        return False
    return state != b"Z"


def test_two_runs_do_not_share_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "pages.sqlite"
    with Sites(web.answer) as sites:
        first = subprocess.Popen(
            [sys.executable, "-m", "reducepp", *arguments(sites, store, "--render", "never")],
            stderr=subprocess.DEVNULL,
        )
        wait_for_requests(sites, first, 5)
        assert main(arguments(sites, store, "--render", "never")) == 2
        first.kill()
        first.wait()
    assert "another run is collecting into it" in capsys.readouterr().err
