"""Files of packages in public registries: source distributions of PyPI, packages of Debian.

Each package is downloaded and unpacked once, into a folder that appears when it is complete.
Packages of other Debian releases than the machine's come from the archive that its apt knows.
"""

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

PIP = (sys.executable, "-m", "pip")
TIMEOUT = 600


def unpack_release(project: str, version: str, folder: Path) -> Path:
    """The files of one release on PyPI."""
    words = ("download", "--quiet", "--no-deps", "--no-binary", ":all:")
    target = _fetch(folder / f"{project}-{version}", (*PIP, *words, f"{project}=={version}"))
    return next(path for path in target.iterdir() if path.is_dir())


def unpack_debian(package: str, folder: Path, suite: str = "") -> Path:
    """The files of a Debian package, of the machine's own release or of the suite named."""
    name = f"{package}-{suite}" if suite else package
    if (folder / name).exists():
        return folder / name
    apt = _apt_of_suite(suite, folder / "apt" / suite) if suite else ("apt-get",)
    return _fetch(folder / name, (*apt, "download", "-q", package))


def install_releases(requirements: Sequence[str], folder: Path) -> Path:
    """A folder from which the PyPI projects can be imported."""
    words = ("install", "--quiet", "--no-compile", "--target", ".")
    return _fetch(folder / "-".join(requirements), (*PIP, *words, *requirements))


def _fetch(target: Path, command: Sequence[str]) -> Path:
    """Download and unpack a package into a folder, which appears only when it is complete."""
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent) as name:
        run = partial(subprocess.run, check=True, capture_output=True, timeout=TIMEOUT, cwd=name)
        run(command)
        for file in list(Path(name).glob("*.*")):
            if file.suffix == ".deb":
                run(("dpkg-deb", "-x", file.name, "."))
                file.unlink()
            elif file.name.endswith((".tar.gz", ".tar.bz2", ".tar.xz")):
                with tarfile.open(file) as archive:
                    archive.extractall(name, filter="data")
                file.unlink()
        shutil.copytree(name, target, symlinks=True)
    return target


def _apt_of_suite(suite: str, home: Path) -> tuple[str, ...]:
    """An apt-get that reads another release of the archive and leaves the machine's lists alone."""
    run = partial(subprocess.run, check=True, capture_output=True, timeout=TIMEOUT, text=True)
    wanted = ("--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian")
    archives = run(("apt-get", "indextargets", *wanted)).stdout.split()
    if not archives:
        raise OSError("apt knows no archive of Debian")
    for part in ("lists/partial", "cache/archives/partial"):
        (home / part).mkdir(parents=True, exist_ok=True)
    (home / "sources.list").write_text(f"deb {archives[0]} {suite} main\n", "utf-8")
    options = {
        "Dir::Etc::sourcelist": home / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": home / "lists",
        "Dir::Cache": home / "cache",
    }
    apt = ("apt-get", *(f"-o{name}={value}" for name, value in options.items()))
    run((*apt, "update", "-q"))
    return apt
