"""Chromium and chromedriver as processes: found, started with a fresh profile, removed."""

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reducepp.errors import ReduceppError, needs_extra

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_STARTED = re.compile(rb"started successfully on port (\d+)")

MAX_PROCESS_BYTES = 1_000_000_000
"""Resident memory of one browser process, beyond which it is killed: its page fails. Ordinary pages
take 100 to 300 MB."""
_SETTINGS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
FLAGS: tuple[str, ...] = tuple(_SETTINGS["flags"])
"""No images, no background services, no traffic past the proxy."""
BACKGROUND_HOSTS: frozenset[str] = frozenset(_SETTINGS["background_hosts"])
"""Hosts of Chromium's own services (updates, sign-in, safe browsing); no page's text is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """Paths of the browser and of its driver."""

    browser: str
    driver: str


def find_programs() -> Programs | None:
    """Chromium or Chrome and the driver on this machine; None where one is missing.

    ``REDUCEPP_CHROMIUM`` and ``REDUCEPP_CHROMEDRIVER`` name others.
    """
    found = filter(None, map(shutil.which, _BROWSERS))
    browser = os.environ.get("REDUCEPP_CHROMIUM") or next(found, None)
    driver = os.environ.get("REDUCEPP_CHROMEDRIVER") or shutil.which("chromedriver")
    return Programs(browser=browser, driver=driver) if browser and driver else None


class Chromium:
    """One running browser with its driver and profile; `close` leaves nothing of them."""

    def __init__(self, programs: Programs) -> None:
        # Chromium makes sockets in it, whose names may have 108 characters.
        short = None if len(tempfile.gettempdir()) <= 40 else "/tmp"
        self._folder = tempfile.mkdtemp(prefix="reducepp-browser-", dir=short)
        self._programs = programs
        self._process = _start_driver(programs, self._folder)
        self.driver: Any = None

    def connect(self, *, proxy_port: int, timeout: float) -> None:
        """Wait until the browser has started; fails at once if it is closed meanwhile."""
        port = _wait_for_port(self._process)
        options = _options(self._programs, self._folder, proxy_port)
        self.driver = _connect(port, options, timeout)

    def close(self) -> None:
        """End every process of this browser and remove its profile; may be called again."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            status = self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        if status < 0:  # the reaper itself was killed: what it started is its group
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        for _ in range(20):
            shutil.rmtree(self._folder, ignore_errors=True)
            if not os.path.exists(self._folder):
                break
            time.sleep(0.1)


def _start_driver(programs: Programs, folder: str) -> subprocess.Popen[bytes]:
    """Start chromedriver under the reaper, in a session of its own: a Ctrl-C is ours to handle.

    Home, cache and temporary folders lie inside the profile folder, to be removed with it.
    """
    reaper = str(Path(__file__).with_name("process_reaper.py"))
    homes = ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")
    environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    return subprocess.Popen(
        [
            *(sys.executable, "-I", reaper, folder, str(MAX_PROCESS_BYTES)),
            *(programs.driver, "--port=0", "--log-level=SEVERE"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=environment | dict.fromkeys(homes, folder),
    )


def _wait_for_port(process: subprocess.Popen[bytes], seconds: float = 30.0) -> int:
    stdout: Any = process.stdout
    said, deadline = b"", time.monotonic() + seconds
    with suppress(ValueError, OSError):  # closed by another thread
        while select.select([stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
            said += (piece := os.read(stdout.fileno(), 4096))
            if found := _STARTED.search(said):
                return int(found[1])
            if not piece:
                break
    raise ReduceppError("chromedriver did not start")


def _options(programs: Programs, folder: str, proxy_port: int) -> Any:
    from selenium.webdriver import ChromeOptions

    options = ChromeOptions()
    options.binary_location = programs.browser
    options.set_capability("unhandledPromptBehavior", "dismiss")
    own = (f"--user-data-dir={folder}/profile", f"--proxy-server=socks5://127.0.0.1:{proxy_port}")
    # Chromium's sandbox refuses to run as root; without root it stays on.
    for flag in (*FLAGS, *own, *(["--no-sandbox"] if os.geteuid() == 0 else [])):
        options.add_argument(flag)
    options.add_experimental_option("prefs", _SETTINGS["preferences"])
    options.add_experimental_option("excludeSwitches", ["enable-automation"])
    return options


def _connect(port: int, options: Any, timeout: float) -> Any:
    with needs_extra("rendering with a browser", "collect"):
        from selenium.webdriver import Remote
        from selenium.webdriver.chrome.remote_connection import ChromeRemoteConnection
        from selenium.webdriver.remote.client_config import ClientConfig
    address = f"http://127.0.0.1:{port}"
    # No answer to a command within this time means a hung browser, which is then replaced.
    config = ClientConfig(address, timeout=int(timeout) + 15)
    executor = ChromeRemoteConnection(address, ignore_proxy=True, client_config=config)
    return Remote(command_executor=executor, options=options)
