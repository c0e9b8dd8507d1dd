"""The service in a process of its own, as a user starts it, on a free port of loopback."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parents[3]


@dataclass
class Running:
    """A running service."""

    process: subprocess.Popen[str]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def post(self, route: str, value: Any, **more: Any) -> httpx.Response:
        return httpx.post(f"{self.url}/{route}", json=value, timeout=150, trust_env=False, **more)

    def get(self, route: str, **more: Any) -> httpx.Response:
        return httpx.get(f"{self.url}/{route}", timeout=150, trust_env=False, **more)


@contextmanager
def running(*arguments: str, token: str = "") -> Iterator[Running]:
    """Start it, wait until it answers, and stop it as a supervisor would."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "REDUCEPP_TOKEN": token}
    process = subprocess.Popen(
        [sys.executable, "-m", "reducepp", "serve", "--port", "0", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"http://.*:(\d+)/", line)
        assert found, line + process.stderr.read()
        service = Running(process, int(found.group(1)))
        assert service.get("healthz").status_code == 200
        yield service
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            process.stderr.close()
