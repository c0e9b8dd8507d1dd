"""The public API is the same in `__all__`, `dir()`, `help()` and docs/api.md."""

import inspect
import pydoc
import re
import sys
from pathlib import Path

import pytest

import reducepp
from tests.programs import run_program

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/api.md").read_text("utf-8")
PUBLIC = sorted(name for name in reducepp.__all__ if name != "__version__")

WITHOUT_LINUX = """
import os, signal, sys

for module in ("resource", "fcntl", "pwd", "termios"):
    sys.modules[module] = None
for name in ("sched_getaffinity", "fork", "geteuid", "killpg"):
    delattr(os, name)
for name in ("SIGALRM", "setitimer"):
    delattr(signal, name)

import reducepp.sandbox_process
from reducepp import Page, ReduceppError, reduce
from reducepp.cli import main

reducepp.sandbox_process.MEMORY_IN_USE = "/no/such/file"
story = "The council voted on Monday to repair the old lighthouse, dark since the great storm."
found = reduce([Page(id="a", body=story), {"id": "b", "body": story + " More."}])
try:
    reduce([{"id": "c", "html": f"<p>{story}</p>"}])
except ReduceppError as error:
    print(found.kept, error)
sys.exit(main(["sweep", "-", "--from", "0.4", "--to", "0.5", "--step", "0.1"]))
"""


def test_dir_lists_the_public_names() -> None:
    assert dir(reducepp) == sorted(reducepp.__all__)


def test_help_describes_the_public_names_and_no_others() -> None:
    found = inspect.getmembers(reducepp, lambda value: inspect.isclass(value) or callable(value))
    assert [name for name, _ in found] == PUBLIC
    classes, functions = pydoc.plaintext.document(reducepp).split("\nFUNCTIONS\n")
    described = re.findall(r"^    class (\w+)\(", classes, re.M)
    described += re.findall(r"^    (\w+)(?: = \w+)?\(", functions, re.M)
    assert sorted(described) == PUBLIC


def test_the_page_has_a_section_for_each() -> None:
    assert sorted(re.findall(r"^### `(\w+)`$", TEXT, re.M)) == PUBLIC


@pytest.mark.parametrize("name", [name for name in PUBLIC if name != "ReduceppError"])
def test_the_page_names_all_parameters(name: str) -> None:
    section = TEXT.split(f"### `{name}`\n")[1]
    shown = re.search(rf"^    {name}\((.*)\)$", section, re.M)
    assert shown
    parameters = inspect.signature(getattr(reducepp, name)).parameters.values()
    assert shown[1].replace("*, ", "").replace("**", "").split(", ") == [p.name for p in parameters]


def test_pages_that_are_split_are_compared_without_what_only_linux_has() -> None:
    rows = '{"id": "a", "body": "one two three"}\n{"id": "b", "body": "five six seven"}\n'
    done = run_program(sys.executable, "-c", WITHOUT_LINUX, input=rows)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("('a',) pages are parsed in worker processes")
