"""A first reduction imports only what it needs: modules are listed, since seconds vary."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MAX_MODULES = 332
"""329 on CPython 3.11 with numpy 2; scipy alone would add 300."""
MAX_OWN_MODULES = 100
"""Of ours; 99 are imported."""
MAX_HELP_MODULES = 135
"""132 on CPython 3.11."""

PACKAGES = ("scipy", "sklearn", "pandas", "pyarrow", "requests", "urllib3", "py3langid", "networkx")
STANDARD = (
    "zipfile",
    "uuid",
    "hashlib",
    "sqlite3",
    "asyncio",
    "multiprocessing",
    "concurrent",
    "tempfile",
)
UNUSED = (
    *("numpy.ma", "lxml", "sparse_dot_topn", "reducepp.similarity.click_scores"),
    "reducepp.similarity.measures.graphlets",
    *("reducepp.text.phrase_index", "reducepp.text.wordnet"),
)
"""What a default reduction of two pages has no use for."""
TEXT = "The storm hit the coast on Monday and left many houses without power for hours."


def after(arguments: list[str], what: str) -> list[str]:
    """The words of an expression after a command has run in a process of its own."""
    code = (
        "import os, sys\nfrom reducepp.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\n"
        f"print('\\n' + ' '.join({what}))"
    )
    ours = ("COVERAGE_", "OPENBLAS_")
    own = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    said = subprocess.check_output([sys.executable, "-c", code, *arguments], env=own, text=True)
    return said.splitlines()[-1].split()


def imported(arguments: list[str]) -> set[str]:
    """Modules in memory after a command has run."""
    return set(after(arguments, "sys.modules"))


@pytest.fixture
def two_pages(tmp_path: Path) -> str:
    pages = [{"url": f"https://{x}.example/1", "title": x, "body": TEXT} for x in ("a", "b")]
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(map(json.dumps, pages)), "utf-8")
    return str(path)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="lists threads as Linux does")
def test_no_thread_waits_for_work(two_pages: str) -> None:
    assert len(after(["reduce", two_pages], "os.listdir('/proc/self/task')")) == 1


def test_two_small_pages_need_no_heavy_package(two_pages: str) -> None:
    found = imported(["reduce", two_pages])
    assert sorted(found.intersection(PACKAGES + STANDARD + UNUSED)) == []
    assert "reducepp.pipeline" in found
    assert len(found) <= MAX_MODULES
    assert sum(name.split(".")[0] == "reducepp" for name in found) <= MAX_OWN_MODULES


def test_a_worker_imports_what_a_small_html_page_needs() -> None:
    code = (
        "import sys, reducepp.sandbox\n"
        "from reducepp.scraping.extract.split import split_html\n"
        f"split_html('<h1>Storm</h1><p>{TEXT}</p>')\nprint(*sys.modules)"
    )
    found = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    formats = {f"reducepp.scraping.extract.{name}" for name in ("pdf", "docx", "mhtml")}
    assert {*PACKAGES, *formats, "asyncio", "ssl", "sqlite3", "zipfile"}.isdisjoint(found)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_needs_no_numbers(arguments: list[str]) -> None:
    found = imported(arguments)
    assert found.isdisjoint({"numpy", *PACKAGES, "reducepp.pipeline"})
    assert len(found) <= MAX_HELP_MODULES


def test_the_script_leaves_after_all_that_was_registered() -> None:
    code = (
        "import atexit\nfrom reducepp import __main__ as script\n"
        "script.main = lambda: print('done') or atexit.register(print, 'last') and 3\n"
        "raise SystemExit(script.run())"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout, found.stderr) == (3, "done\nlast\n", "")


def test_the_script_shows_an_error_of_the_program() -> None:
    code = (
        "from reducepp import __main__ as script\n"
        "script.main = lambda: 1 / 0\nraise SystemExit(script.run())"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert found.returncode == 1
    assert "ZeroDivisionError" in found.stderr
