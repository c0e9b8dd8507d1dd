"""What holds for every test."""

import signal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from reducepp.cli import main
from reducepp.scraping.extract.split import split_html
from tests.programs import Cli

# How long an example takes depends on what else the machine does.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs deaf to Ctrl-C, and every command a test starts would be too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


split_html("<p>Workers of the sandbox are forked from here: what they need is loaded once.")


def pytest_make_parametrize_id(config: object, val: object, argname: str) -> str | None:
    """Bytes are not part of a test's name: packed ones hold the clock, and workers must agree."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command in this process and returns what it printed, `out` and `err`."""

    def run(*words: object, status: int = 0) -> Any:
        assert main([str(word) for word in words]) == status
        return capsys.readouterr()

    return run
