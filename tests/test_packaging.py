"""The built archives: one installed package, whatever a user's own modules are called."""

import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

SCRIPT = """
import json

import reducepp
from reducepp import Page, reduce

story = "The council voted on Monday to repair the old lighthouse, dark since the great storm."
pages = [
    Page(id="herald", body=story),
    {"id": "wire", "url": "https://wire.example/a", "html": f"<h1>Saved</h1><p>{story}</p>"},
]
assert reduce(pages).kept == ("herald",)

from reducepp.cli import main

with open("page.json", "w") as file:
    json.dump([pages[1]], file)
assert main(["report", "page.json", "--out", "report.html"]) == 0
print(reducepp.__file__)
"""


def run(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def contents(wheel: Path) -> dict[str, int]:
    """Path to checksum of every file in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {file.filename: file.CRC for file in archive.infolist()}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    return folder


@pytest.fixture
def python(dist: Path, tmp_path: Path) -> Path:
    """The interpreter of an environment that holds the wheel alone.

    Its dependencies are those of the environment that runs the tests, behind its own packages.
    """
    run(sys.executable, "-m", "venv", "--without-pip", "venv", cwd=tmp_path)
    found = tmp_path / "venv/bin/python"
    pip = (sys.executable, "-m", "pip", "--python", found, "install", "--quiet")
    run(*pip, "--no-deps", "--no-index", next(dist.glob("*.whl")), cwd=tmp_path)
    dependencies = site_packages(found) / "dependencies.pth"
    dependencies.write_text(sysconfig.get_path("purelib") + "\n")
    return found


def site_packages(python: Path) -> Path:
    return next(python.parent.parent.glob("lib/python*/site-packages"))


def test_a_wheel_from_the_source_archive_is_the_wheel(dist: Path, tmp_path: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    source = next(tmp_path.glob("reducepp-*"))
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=source)
    assert contents(next(tmp_path.glob("*.whl"))) == contents(next(dist.glob("*.whl")))


def test_every_source_file_is_in_the_wheel(dist: Path) -> None:
    names = contents(next(dist.glob("*.whl")))
    for folder in ("reducepp", "scraping", "weights", "evaluation"):
        for path in (ROOT / folder).glob("**/*.py"):
            name = path.relative_to(ROOT).as_posix()
            assert (name if folder == "reducepp" else f"reducepp/{name}") in names


def test_one_package_is_installed_and_modules_of_the_user_do_not_matter(
    python: Path, tmp_path: Path
) -> None:
    installed = {path.name for path in site_packages(python).iterdir()}
    packages = {name for name in installed if not name.endswith((".dist-info", ".pth"))}
    assert packages == {"reducepp"}
    (tmp_path / "scraping").mkdir()
    for name in ("weights.py", "evaluation.py", "scraping/__init__.py"):
        (tmp_path / name).write_text("raise ImportError('a module of the user')")
    (tmp_path / "script.py").write_text(SCRIPT)
    printed = run(python, "-E", "script.py", cwd=tmp_path)  # whatever PYTHONPATH is
    assert Path(printed.splitlines()[-1]).is_relative_to(tmp_path / "venv")
    assert (tmp_path / "report.html").exists()
