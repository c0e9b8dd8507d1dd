"""One service for the tests that need no setting of their own."""

from collections.abc import Iterator

import pytest

from tests.reducepp.service.running import Running, running


@pytest.fixture(scope="session")
def service() -> Iterator[Running]:
    with running("--max-seconds", "120") as started:
        yield started
