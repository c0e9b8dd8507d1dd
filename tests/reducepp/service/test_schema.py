"""The service against its own OpenAPI: made-up requests, all answered as stated."""

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.reducepp.service.running import Running

EXAMPLES = 40
ROUTES = ("/reduce", "/compare", "/sweep", "/split")
bounded = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def api(service: Running) -> Any:
    return schemathesis.openapi.from_url(f"{service.url}/openapi.json")


def checking(seen: list[int], *excluded: Any) -> Callable[[Any], None]:
    def check(case: Any) -> None:
        answer = case.call_and_validate(timeout=150, excluded_checks=list(excluded))
        seen.append(answer.status_code)

    return check


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTES)
def test_requests_that_fit_are_answered_as_stated(api: Any, route: str) -> None:
    seen: list[int] = []
    # No schema can say that a page has something to read: 422 is an answer to those that fit, too.
    excluded = [positive_data_acceptance] if route in ("/compare", "/split") else []
    bounded(given(case=api[route]["POST"].as_strategy())(checking(seen, *excluded)))()
    assert len(seen) >= EXAMPLES // 2
    assert set(seen) <= ({200, 422} if excluded else {200})


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTES)
def test_requests_that_do_not_fit_are_refused_as_stated(api: Any, route: str) -> None:
    seen: list[int] = []
    bounded(given(case=api[route]["POST"].as_strategy(GenerationMode.NEGATIVE))(checking(seen)))()
    assert len(seen) >= EXAMPLES // 2
    assert set(seen) <= {400, 401, 405, 408, 413, 415, 421, 422}


@pytest.mark.parametrize("route", ["/healthz", "/metrics"])
def test_the_others_are_answered_as_stated(api: Any, route: str) -> None:
    bounded(given(case=api[route]["GET"].as_strategy())(checking([])))()
