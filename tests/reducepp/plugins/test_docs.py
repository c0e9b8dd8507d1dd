"""The examples in docs/ of the post-processor and its hosts run and print what they should."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
PRINTED = {
    "postprocessor.md": ["1 similar hidden", "[('Rooftop bees', 'https://a.example'"],
    "langchain.md": ["https://herald.example/bees 1\ncake 0\n"],
    "llamaindex.md": ["0.9 1\n0.8 0\n"],
    "haystack.md": ["2 shown, 1 removed", "3 → 2"],
    "scrapy.md": [""],
}


@pytest.mark.parametrize("page", sorted(PRINTED))
def test_examples_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    examples = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.S)
    assert examples
    for example in examples:
        exec(compile(example, page, "exec"), {})
    printed = capsys.readouterr().out
    for expected in PRINTED[page]:
        assert expected in printed


def test_every_host_has_a_page_and_an_extra() -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
    wrappers = ("searxng", "langchain", "llamaindex", "haystack", "scrapy")
    for name in wrappers:
        assert (DOCS / f"{name}.md").is_file()
        assert (DOCS.parent / "reducepp" / "plugins" / f"{name}.py").is_file()
        assert name == "searxng" or name in project["optional-dependencies"]


def test_the_settings_of_the_searxng_page_name_the_plugin_and_its_options() -> None:
    (settings,) = re.findall(r"```yaml\n(.*?)```", (DOCS / "searxng.md").read_text("utf-8"), re.S)
    source = (DOCS.parent / "reducepp" / "plugins" / "searxng.py").read_text("utf-8")
    (options,) = re.findall(r"^OPTIONS = \((.*?)\)", source, re.M)
    for name in re.findall(r'"(\w+)"', options):
        assert re.search(rf"^  (?:# )?{name}:", settings, re.M)
    assert "reducepp.plugins.searxng.SXNGPlugin:" in settings
