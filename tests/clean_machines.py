"""The built archives in empty environments: `make clean-machines`.

For each Python that is found: the wheel and the source archive without extras, and the wheel with
each extra alone, in the newest and in the lowest versions that pyproject.toml allows.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests/scraping/extract/cases"
PYTHONS = ("3.11", "3.12", "3.13")
LEFT_OUT = ("all", "dev")
TEXT = "The council voted on Monday to repair the old lighthouse, dark since the great storm."
ALWAYS = (
    ("-m", "reducepp", "--help"),
    ("-m", "reducepp", "reduce", "pages.jsonl"),
    ("-m", "reducepp", "demo", "--out", "demo"),
)
TABLE = "import pandas; pandas.read_json('pages.jsonl', lines=True).to_parquet('pages.parquet')"
SERVICE = (
    "from reducepp.service.handlers import Work\n"
    "from reducepp.service.limits import ServiceSettings\n"
    "import reducepp.service.app\n"
    'assert Work(ServiceSettings())("compare", b\'{"a": "one", "b": "one"}\')[0] == 200\n'
)
IMAGE = (
    "import io; from PIL import Image; from reducepp.scraping.extract.images import hash_images\n"
    "out = io.BytesIO(); Image.radial_gradient('L').resize((400, 300)).save(out, 'PNG')\n"
    "assert hash_images([out.getvalue()])\n"
)
USES: dict[str, tuple[tuple[str, ...], ...]] = {
    "semantic": (("-m", "reducepp", "reduce", "pages.jsonl", "--prepare", "semantic"),),
    "grakel": (("-c", "import grakel"),),
    "evaluate": (("-m", "reducepp", "sweep", "pages.jsonl", "--from", "0.4", "--to", "0.6"),),
    "tables": (("-c", TABLE), ("-m", "reducepp", "reduce", "pages.parquet")),
    "documents": (("-m", "reducepp", "split", str(CASES / "report-pdf-en/page.pdf")),),
    "images": (("-c", IMAGE),),
    "collect": (
        ("-m", "reducepp", "dataset", "s.db", "--import", "pages.jsonl", "--export", "s.warc.gz"),
        ("-m", "reducepp", "collect", "--help"),
    ),
    "serve": (("-c", SERVICE),),
    **{name: (("-c", f"import reducepp.plugins.{name}"),) for name in ("langchain", "llamaindex")},
    **{name: (("-c", f"import reducepp.plugins.{name}"),) for name in ("haystack", "scrapy")},
}


@dataclass(frozen=True, slots=True)
class Case:
    """One environment."""

    python: str
    archive: str
    extra: str = ""
    resolution: str = "highest"

    def __str__(self) -> str:
        extra = f"[{self.extra}]" if self.extra else ""
        return f"{self.python} {self.archive}{extra} {self.resolution}"


def cases() -> Iterator[Case]:
    """Every environment, those of one Python after the other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [name for name in project["optional-dependencies"] if name not in LEFT_OUT]
    for python in PYTHONS:
        yield Case(python, "sdist")
        for resolution in ("highest", "lowest-direct"):
            for extra in ("", *extras):
                if (python, extra) != ("3.13", "grakel"):
                    yield Case(python, "wheel", extra, resolution)


def main() -> int:
    """Try the cases that are asked for; exit 1 if one fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.clean_machines", description=__doc__)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--seconds", type=float, default=1e9, help="start no case after this time")
    args = parser.parse_args()
    start, failed = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        dist = Path(folder) / "dist"
        run(sys.executable, "-m", "hatchling", "build", "-d", dist, cwd=ROOT)
        for case in cases():
            if args.only in str(case) and time.monotonic() - start < args.seconds:
                problem = try_case(case, dist, Path(folder))
                failed += problem not in ("", "not here")
                print(f"{case!s:42} {problem or 'works'}", flush=True)
    return 1 if failed else 0


def try_case(case: Case, dist: Path, folder: Path) -> str:
    """What does not work, in one line; empty where all does."""
    if not (python := find_python(case.python)):
        return "not here"
    with tempfile.TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        lines = ({"url": f"https://{x}.example/", "title": x, "body": TEXT} for x in "ab")
        (place / "pages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        try:
            run("uv", "venv", "-q", "--python", python, "venv", cwd=place)
            install(case, dist, place)
            for words in (*ALWAYS, *USES.get(case.extra, ())):
                run("venv/bin/python", "-W", "ignore", *words, cwd=place)
        except subprocess.CalledProcessError as error:
            lines_said = [line for line in error.stderr.splitlines() if line.strip()]
            what = " ".join(map(str, error.cmd[:6]))[:80]
            return f"{what}: {' / '.join(lines_said[-2:])[:200]}"
    return ""


def install(case: Case, dist: Path, place: Path) -> None:
    """The archive, its extra, and what they need in the versions of the case."""
    archive = next(dist.glob("*.whl" if case.archive == "wheel" else "*.tar.gz"))
    wanted = f"reducepp[{case.extra}] @ {archive.as_uri()}" if case.extra else str(archive)
    options = ("--system-certs", "--resolution", case.resolution, "--python", "venv/bin/python")
    run("uv", "pip", "install", "-q", *options, wanted, cwd=place)


def find_python(version: str) -> str:
    """An interpreter of this version; empty where there is none."""
    found = subprocess.run(
        ["uv", "python", "find", "--offline", "--system", version],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() if found.returncode == 0 else ""


def run(*words: str | Path, cwd: Path) -> None:
    """Run a command; CalledProcessError holds what it said."""
    subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=True)


if __name__ == "__main__":
    sys.exit(main())
