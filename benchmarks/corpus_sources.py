"""Where the pages of the corpus come from: a class for each way in which labels come about.

`pages(folder)` downloads what is missing into the folder and yields the pages of a source.
`by_text` says which text can overrule a label: what is a page's own, all of it, or none.
"""

import gzip
import html
import json
import os
import re
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.made_sets import all_text
from benchmarks.package_files import install_releases, unpack_debian, unpack_release

ANSWERS = Path(__file__).with_name("written_answers.json")
STATES = Path(__file__).with_name("admin_states.py")
MIN_ARABIC = 0.6
"""Share of Arabic letters from which a chapter counts as translated; many are in part English."""
MOST = 40
"""Pages of an edition: all pairs are labelled, and 80 pages have 3,160."""


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """A page of a set before it has an address; pages with the same key are duplicates."""

    key: str
    side: str
    """Which release, edition or copy it is of."""
    html: str
    original: bool = True
    """Pairs of one key without an original are not labelled: two revisions may share nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoFolders(ABC):
    """HTML files of two folders: same path, same page."""

    include: str = ""
    exclude: str = "^$"
    words: tuple[int, int] = (0, 100_000)
    by_text = "own"

    @abstractmethod
    def _roots(self, folder: Path) -> list[Path]:
        """The two folders, unpacked in this one."""

    def pages(self, folder: Path) -> Iterator[CorpusPage]:
        """At most MOST pages that both folders have, drawn at random."""
        roots, found = self._roots(folder), 0
        keys = _keys(roots[0], self.include, self.exclude)
        for key in Random(1).sample(keys, len(keys)):
            sides = [root / key for root in roots]
            if found == MOST or not sides[1].is_file():
                continue
            texts = [side.read_text("utf-8", "replace") for side in sides]
            if all(self.words[0] <= _count_words(text) <= self.words[1] for text in texts):
                found += 1
                yield CorpusPage(key, "first", texts[0])
                yield CorpusPage(key, "second", texts[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Releases(TwoFolders):
    """Documentation in two releases of one PyPI project."""

    project: str
    old: str
    new: str
    folder: str

    def _roots(self, folder: Path) -> list[Path]:
        versions = (self.old, self.new)
        return [unpack_release(self.project, one, folder) / self.folder for one in versions]


@dataclass(frozen=True, slots=True, kw_only=True)
class Editions(TwoFolders):
    """HTML files of two Debian packages, or of one in two releases."""

    old: tuple[str, str]
    new: tuple[str, str]
    folders: tuple[str, str]

    def _roots(self, folder: Path) -> list[Path]:
        return [
            unpack_debian(package, folder, suite) / path
            for (package, suite), path in zip((self.old, self.new), self.folders, strict=True)
        ]


def _keys(root: Path, include: str, exclude: str) -> list[str]:
    keys = (p.relative_to(root).as_posix() for p in sorted(root.rglob("*")) if p.is_file())
    return [
        key
        for key in keys
        if (key.endswith(".html") or not Path(key).suffix)
        and re.search(include, key)
        and not re.search(exclude, key)
    ]


def _count_words(markup: str) -> int:
    """Words of the text, or signs of scripts without spaces."""
    return len(re.findall(r"[\u3040-\u9fff]|\w+", all_text(markup)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapters:
    """HTML files of a Debian package in one language, each with an edited copy."""

    package: str
    folder: str
    menu: Sequence[str]
    exclude: str = "^$"
    most: int = 30
    by_text = ""

    def pages(self, folder: Path) -> Iterator[CorpusPage]:
        """Chapters and their copies."""
        root = unpack_debian(self.package, folder) / self.folder
        arabic = root.name.startswith("ar")
        texts = ((key, (root / key).read_text("utf-8")) for key in _keys(root, "", self.exclude))
        chapters = [(key, text) for key, text in texts if _is_chapter(text, arabic=arabic)]
        for key, text in chapters[: self.most]:
            yield CorpusPage(key, "first", text)
            yield CorpusPage(key, "second", edited_copy(text, self.menu))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """Text files of a Debian package: names that differ in a version are one document."""

    package: str
    folder: str
    by_text = "all"

    def pages(self, folder: Path) -> Iterator[CorpusPage]:
        """Every file with its text."""
        root = unpack_debian(self.package, folder) / self.folder
        for file in sorted(root.glob("*.gz")):
            name, _, version = file.name.partition(".")
            yield CorpusPage(name, version, gzip.decompress(file.read_bytes()).decode("utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """States of one web application; states of one view are not labelled."""

    requirements: Sequence[str]
    language: str
    by_text = "own"

    def pages(self, folder: Path) -> Iterator[CorpusPage]:
        """What the application shows at every address."""
        path = install_releases(self.requirements, folder)
        done = subprocess.run(
            (sys.executable, str(STATES), self.language),
            check=True, capture_output=True, text=True, encoding="utf-8", timeout=120,
            env={**os.environ, "PYTHONPATH": str(path)},
        )  # fmt: skip
        for line in done.stdout.splitlines():
            state = json.loads(line)
            yield CorpusPage(state["key"], state["path"], state["html"], original=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Short answers that we wrote: a source, near copies, light and heavy revisions of it, and
    answers to the same question written without it."""

    language: str
    by_text = ""

    def pages(self, folder: Path) -> Iterator[CorpusPage]:
        """All answers to all questions of the language."""
        for entry in json.loads(ANSWERS.read_text("utf-8")):
            if entry["language"] == self.language:
                yield from self._answers(entry)

    def _answers(self, entry: dict[str, str]) -> Iterator[CorpusPage]:
        key, source = entry["question"], entry["source"]
        sentences = re.split(r"(?<=[.?!؟])\s+", source)
        yield CorpusPage(key, "source", source)
        copies = (" ".join(sentences[:-2]), " ".join(sentences[2:]))
        for revision in (*copies, entry["light"], *entry["heavy"]):
            yield CorpusPage(key, "revision", revision, original=False)
        for text in entry["independent"]:
            yield CorpusPage(text, "independent", text)


Source = Releases | Editions | Chapters | Versions | States | Answers
KINDS: dict[str, type[Source]] = {
    kind.__name__.lower(): kind
    for kind in (Releases, Editions, Chapters, Versions, States, Answers)
}
