"""The examples in docs/ of the post-processor and its hosts run and print what they should.

They run here, and with the lowest and the newest versions of each host in the environments that
`make hosts` builds (host_environments.py).
"""

import os
import re
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.programs import run_program
from tests.reducepp.plugins import host_environments

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PRINTED = {
    "postprocessor.md": ["1 similar hidden", "[('Rooftop bees', 'https://a.example'"],
    "langchain.md": ["https://herald.example/bees 1\ncake 0\n"],
    "llamaindex.md": ["herald.example 1\nkitchen 0\n"],
    "haystack.md": ["2 shown, 1 removed", "3 → 2"],
    "scrapy.md": ["rooftop bees 3 → 2"],
}


def run_examples(page: str, python: Path | str, folder: Path, *, classic: bool) -> str:
    """What the examples of a page print; those with `langchain_classic` only where it is."""
    examples = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.S)
    chosen = [text for text in examples if classic or "langchain_classic" not in text]
    assert chosen
    program = f"for example in {chosen!r}:\n    exec(example, {{'__name__': '__main__'}})"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    run = run_program(python, "-W", "ignore", "-c", program, cwd=folder, env=env)
    assert run.returncode == 0, run.stderr
    return str(run.stdout)


@pytest.mark.parametrize("page", sorted(PRINTED))
def test_examples_run(page: str, tmp_path: Path) -> None:
    classic = find_spec("langchain_classic") is not None
    printed = run_examples(page, sys.executable, tmp_path, classic=classic)
    for expected in PRINTED[page]:
        assert expected in printed


@pytest.mark.parametrize("name", host_environments.NAMES)
def test_examples_run_with_the_lowest_and_newest_versions(name: str, tmp_path: Path) -> None:
    assert not host_environments.is_unsatisfiable(name)
    if not host_environments.is_built(name):
        pytest.skip("`make hosts` builds the environments")
    host = name.partition("-")[0]
    page = f"{host}.md" if host in host_environments.HOSTS else "postprocessor.md"
    classic = name == "langchain-newest"
    printed = run_examples(page, host_environments.python_of(name), tmp_path, classic=classic)
    for expected in [*PRINTED[page], *(["1 of 3"] if classic else [])]:
        assert expected in printed


def test_the_lowest_versions_of_the_extras_load_together() -> None:
    if not host_environments.is_built("extras-lowest"):
        pytest.skip("`make hosts` builds the environments")
    modules = "fastapi, grakel, imagehash, matplotlib, nltk, pandas, pyarrow, selenium, sklearn"
    python = host_environments.python_of("extras-lowest")
    run = run_program(python, "-W", "ignore", "-c", f"import {modules}, spacy")
    assert run.returncode == 0, run.stderr


def test_every_host_has_a_page_and_an_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name in ("searxng", *host_environments.HOSTS):
        assert (DOCS / f"{name}.md").is_file()
        assert (ROOT / "reducepp" / "plugins" / f"{name}.py").is_file()
        assert name == "searxng" or name in project["optional-dependencies"]


def test_the_settings_of_the_searxng_page_name_the_plugin_and_its_options() -> None:
    (settings,) = re.findall(r"```yaml\n(.*?)```", (DOCS / "searxng.md").read_text("utf-8"), re.S)
    source = (ROOT / "reducepp" / "plugins" / "searxng.py").read_text("utf-8")
    options = "".join(re.findall(r"^(?:COMPARED|OPTIONS) = \((.*?)\)$", source, re.M | re.S))
    assert '"per_site"' in options
    for name in re.findall(r'"(\w+)"', options):
        assert re.search(rf"^  (?:# )?{name}:", settings, re.M)
    assert "reducepp.plugins.searxng.SXNGPlugin:" in settings


def test_the_dockerfile_of_the_searxng_page_is_the_one_in_extras() -> None:
    (shown,) = re.findall(
        r"```dockerfile\n(.*?)```", (DOCS / "searxng.md").read_text("utf-8"), re.S
    )
    assert shown == (ROOT / "extras" / "searxng.Dockerfile").read_text("utf-8")
