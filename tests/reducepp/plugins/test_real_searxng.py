"""The plugin inside SearXNG's own web application, in the environment of `make hosts`."""

from pathlib import Path

import pytest

from tests.reducepp.plugins import host_environments, real_searxng

NAME = "searxng-packaged"


def test_searxng_folds_credits_and_translates(tmp_path: Path) -> None:
    assert not host_environments.is_unsatisfiable(NAME)
    if not host_environments.is_built(NAME):
        pytest.skip("`make hosts` builds the environments")
    with real_searxng.running(host_environments.python_of(NAME), tmp_path) as address:
        real_searxng.check(address)
