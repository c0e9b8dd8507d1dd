"""What works with nothing but the core installed: optional packages are hidden from these runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import run_program

ROOT = Path(__file__).parent.parent
OPTIONAL = (
    *("sklearn", "networkx", "matplotlib", "datasketch", "pandas", "pyarrow", "nltk", "spacy"),
    *("grakel", "selenium", "httpx", "httpcore", "protego", "warcio", "fastapi", "uvicorn"),
    *("PIL", "imagehash", "pypdfium2", "spacy_lookups_data", "prometheus_client"),
)
STORY = "The council voted on Monday to repair the old lighthouse, dark since the great storm."


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    hide = (
        "import sys\n"
        f"hidden = {OPTIONAL!r}\n"
        "class Hide:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in hidden: raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Hide())\n"
        "import importlib.util as util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda n, p=None: None if n.split('.')[0] in hidden else find(n, p)\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from reducepp.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    return run_program(sys.executable, "-c", hide, *words, cwd=folder)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    rows = [
        {"url": "https://a.example/", "title": "One", "body": STORY},
        {"url": "https://b.example/", "html": f"<h1>Two</h1><p>{STORY} And more.</p>"},
        {"url": "https://c.example/", "body": "Walks on the coast in winter, with a map."},
    ]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


@pytest.mark.parametrize("profile", ["default", "paper", "posts"])
def test_reduce(pages: Path, profile: str) -> None:
    done = run(pages, "reduce", "p.jsonl", "--format", "json", "--profile", profile)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["reductions"][0]["after"] == 2


def test_sweep_leaves_agreement_empty_and_says_so(pages: Path) -> None:
    done = run(pages, "sweep", "p.jsonl", "--from", "0.4", "--to", "0.5", "--step", "0.1")
    assert done.returncode == 0, done.stderr
    assert ",,,,,,,," in done.stdout.splitlines()[1]
    assert "scikit-learn" in done.stderr


def test_report_and_demo(pages: Path) -> None:
    assert run(pages, "report", "p.jsonl", "--out", "r.html").returncode == 0
    done = run(pages, "demo", "--out", "demo")
    assert done.returncode == 0, done.stderr
    assert "true pairs of duplicates found, 0 wrong" in done.stderr
    assert (pages / "demo" / "report.html").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["collect", "q", "--engine", "google", "--out", "x.sqlite"],
        ["serve"],
        ["replicate", "p.jsonl", "--out", "r"],
    ],
)
def test_what_needs_more_names_its_install_line(pages: Path, words: list[str]) -> None:
    done = run(pages, *words)
    assert done.returncode == 1
    assert "pip install 'reducepp[" in done.stderr
    assert "Traceback" not in done.stderr
