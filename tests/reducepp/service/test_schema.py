"""The service against its own OpenAPI: made-up requests, all answered as stated."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from tests.reducepp.service.running import Running


@pytest.fixture(scope="session")
def api(service: Running) -> Any:
    return schemathesis.openapi.from_url(f"{service.url}/openapi.json")


schema = schemathesis.pytest.from_fixture("api")


@pytest.mark.slow
@schema.parametrize()
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_stated(case: Any) -> None:
    case.call_and_validate(timeout=60)
